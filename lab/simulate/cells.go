//go:build explore

package simulate

import (
	"path"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// A cell is what the engine knows of a primitive, or of the place of a plain access, by
// its address.
type cell struct {
	// address keeps the memory, so no other cell can get it before the run has ended.
	address unsafe.Pointer
	line    *line
	name    string // once it has missed
	// object is what was declared and has the cell, or nil.
	object *object
	// What threads wait for also has a state.
	holder  *thread // of a mutex
	woken   bool    // a locker of it is on its way
	count   int     // of a wait group
	permit  bool    // of a parker
	waiters []*thread
}

// An object is what was declared: values that follow each other in memory. Which cells
// share a line follows from that alone: an object begins on a line, wherever the
// allocator has put it. So the same program has the same lines each time.
type object struct {
	base  unsafe.Pointer
	size  uintptr
	elem  reflect.Type
	lines []line
	by    uintptr // the program counter of the declaration
}

// lineSize is that of amd64 and of most arm64.
const lineSize = 64

// cells are all that were used, and all objects by their addresses.
type cells struct {
	known   map[uintptr]*cell
	objects []*object
}

// at returns the cell of an address. A cell that was not declared has a line of its own.
func (s *cells) at(p unsafe.Pointer) *cell {
	c := s.known[uintptr(p)]
	if c == nil {
		c = &cell{address: p, line: new(line), object: s.object(p)}
		if o := c.object; o != nil {
			c.line = &o.lines[(uintptr(p)-uintptr(o.base))/lineSize]
		}
		s.known[uintptr(p)] = c
	}
	return c
}

// after returns the index of the first object behind an address.
func (s *cells) after(p unsafe.Pointer) int {
	return sort.Search(len(s.objects), func(i int) bool { return uintptr(s.objects[i].base) > uintptr(p) })
}

// object returns the declared object that has the address, or nil.
func (s *cells) object(p unsafe.Pointer) *object {
	if i := s.after(p); i > 0 {
		if o := s.objects[i-1]; uintptr(p) < uintptr(o.base)+o.size {
			return o
		}
	}
	return nil
}

// Declare is [prim.Declare]. What is a part of a declared object is declared already.
func (e *engine) Declare(p unsafe.Pointer, elem reflect.Type, n int) {
	s, size := &e.cells, elem.Size()*uintptr(n)
	if size == 0 || s.object(p) != nil {
		return
	}
	o := &object{base: p, size: size, elem: elem, lines: make([]line, (size+lineSize-1)/lineSize)}
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	o.by = pcs[0]
	s.objects = slices.Insert(s.objects, s.after(p), o)
}

// primPath is the package of primitives.
var primPath = reflect.TypeFor[prim.Mutex]().PkgPath()

// name names the line of an address in the object.
func (o *object) name(p unsafe.Pointer) string {
	if o == nil {
		return "undeclared"
	}
	if o.elem.Kind() != reflect.Struct || o.elem.PkgPath() == primPath {
		f, _ := runtime.CallersFrames([]uintptr{o.by}).Next()
		return "slice of " + path.Base(f.Function)
	}
	name, _, _ := strings.Cut(o.elem.Name(), "[")
	offset := (uintptr(p) - uintptr(o.base)) % o.elem.Size()
	for i := o.elem.NumField() - 1; i >= 0; i-- {
		if f := o.elem.Field(i); f.Offset <= offset && f.Type.Size() > 0 {
			return name + "." + f.Name
		}
	}
	return name
}
