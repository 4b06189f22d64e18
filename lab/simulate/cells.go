//go:build explore

package simulate

import (
	"path"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// A cell is what the engine knows of a primitive, or of the place of a plain
// access, by its address. The table holds the address, so no other one can get
// it before the run has ended.
type cell struct {
	address unsafe.Pointer
	// number counts cells by first use.
	number int
	line   *line
	// name is of the names; 0 is none yet.
	name int
	// declared is the object that the cell is a part of, if that was declared.
	declared *object
	// more are the lines that a plain access of the given size meets, too.
	more []*line
	size uintptr
	wait *waiting
}

// waiting is the state of a primitive that threads wait for.
type waiting struct {
	holder  *thread // of a mutex
	woken   bool    // a locker of it is on its way
	count   int     // of a wait group
	permit  bool    // of a parker
	waiters []*thread
}

// An object is what was declared: values that follow each other in memory.
type object struct {
	base unsafe.Pointer
	size uintptr
	elem reflect.Type
	// lines has those that are in use, by their number.
	lines []*line
	at    uintptr // the program counter of the declaration
}

func (o *object) offset(p unsafe.Pointer) uintptr { return uintptr(p) - uintptr(o.base) }

func (o *object) has(p unsafe.Pointer, size uintptr) bool {
	return uintptr(p) >= uintptr(o.base) && o.offset(p)+size <= o.size
}

// line returns the line at an offset.
func (o *object) line(offset uintptr) *line {
	l := &o.lines[offset/lineSize]
	if *l == nil {
		*l = &line{owner: noThread}
	}
	return *l
}

const (
	// lineSize is that of amd64 and of most arm64.
	lineSize = 64
	// pageShift is for the index of objects.
	pageShift = 9
)

// cells are all that were used, and an index of objects by page.
type cells struct {
	byAddress map[unsafe.Pointer]*cell
	pages     map[uintptr][]*object
}

func (s *cells) init() {
	s.byAddress = make(map[unsafe.Pointer]*cell)
	s.pages = make(map[uintptr][]*object)
}

// at returns the cell of an address.
func (s *cells) at(p unsafe.Pointer) *cell {
	c := s.byAddress[p]
	if c == nil {
		c = s.newCell(p)
		s.byAddress[p] = c
	}
	return c
}

func (s *cells) newCell(p unsafe.Pointer) *cell {
	c := &cell{address: p, number: len(s.byAddress) + 1}
	if o := s.object(p, 1); o != nil {
		c.declared = o
		c.line = o.line(o.offset(p))
	} else {
		c.line = &line{owner: noThread}
	}
	return c
}

// object returns the declared object that has the bytes, or nil.
func (s *cells) object(p unsafe.Pointer, size uintptr) *object {
	for _, o := range s.pages[uintptr(p)>>pageShift] {
		if o.has(p, size) {
			return o
		}
	}
	return nil
}

// declare makes an object of n values, unless it is a part of one. It has lines of
// its own from its first byte on, wherever the allocator has put it: which is why
// the same program has the same lines each time.
func (s *cells) declare(p unsafe.Pointer, elem reflect.Type, n int, at uintptr) {
	size := elem.Size() * uintptr(n)
	if size == 0 || s.object(p, size) != nil {
		return
	}
	o := &object{base: p, size: size, elem: elem, at: at}
	o.lines = make([]*line, (size+lineSize-1)/lineSize)
	last := (uintptr(p) + size - 1) >> pageShift
	for page := uintptr(p) >> pageShift; page <= last; page++ {
		s.pages[page] = append(s.pages[page], o)
	}
}

// span lets the cell have the further lines that an access of the size meets.
func (c *cell) span(size uintptr) {
	if c.size == size {
		return
	}
	c.size, c.more = size, c.more[:0]
	o := c.declared
	if o == nil {
		return
	}
	first := o.offset(c.address)
	end := min(first+size, o.size)
	for at := first/lineSize*lineSize + lineSize; at < end; at += lineSize {
		c.more = append(c.more, o.line(at))
	}
}

func (c *cell) waiting() *waiting {
	if c.wait == nil {
		c.wait = new(waiting)
	}
	return c.wait
}

// names are those of cells that have missed. The name 0 is none.
type names struct {
	all    []string
	number map[string]int
}

func (n *names) of(number int) string { return n.all[number] }

func (n *names) add(name string) int {
	if n.number == nil {
		n.number = make(map[string]int)
		n.all = []string{""}
	}
	i, ok := n.number[name]
	if !ok {
		i = len(n.all)
		n.all = append(n.all, name)
		n.number[name] = i
	}
	return i
}

// name names a cell: one that was not declared for the function that performs the operation.
func (e *engine) name(c *cell) {
	if c.declared == nil {
		c.name = e.names.add("undeclared in " + user())
		return
	}
	t := c.declared.elem
	name := shortName(t) + fieldName(t, c.declared.offset(c.address)%t.Size())
	if t.Kind() != reflect.Struct || isPrimitive(t) {
		name = "[]" + name + " of " + function(c.declared.at)
	}
	c.name = e.names.add(name)
}

const primPath = "github.com/rouse-go/rouse/api/prim"

func isPrimitive(t reflect.Type) bool { return t.PkgPath() == primPath }

// shortName returns the name of a type without its package and its parameters;
// that of a primitive is the one that users know.
func shortName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	if !isPrimitive(t) {
		return name
	}
	for name == "number" || name == "word" {
		t = t.Field(0).Type
		name, _, _ = strings.Cut(t.Name(), "[")
	}
	return name
}

// fieldName returns the path to the field of a struct at an offset, with a point
// before each name. Embedded structs have none.
func fieldName(t reflect.Type, offset uintptr) string {
	switch {
	case isPrimitive(t):
		return ""
	case t.Kind() == reflect.Array && t.Len() > 0:
		return fieldName(t.Elem(), offset%t.Elem().Size())
	case t.Kind() != reflect.Struct:
		return ""
	}
	for i := t.NumField() - 1; i >= 0; i-- {
		f := t.Field(i)
		if f.Offset > offset || f.Type.Size() == 0 {
			continue
		}
		name := "." + f.Name
		if f.Anonymous {
			name = ""
		}
		return name + fieldName(f.Type, offset-f.Offset)
	}
	return ""
}

const simulatePath = "github.com/rouse-go/rouse/lab/simulate."

// user returns the function that performs the present operation: the first one
// that is not of the simulator or of package prim, or the last one of prim.
func user() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	name := "?"
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.HasPrefix(f.Function, simulatePath):
			if name != "?" {
				return name // below is the simulator again
			}
		case strings.HasPrefix(f.Function, primPath+"."):
			name = path.Base(f.Function)
		default:
			return path.Base(f.Function)
		}
	}
	return name
}

func function(pc uintptr) string {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return path.Base(f.Function)
}
