//go:build explore

package simulate

import (
	"path"
	"reflect"
	"runtime"
	"strings"
)

// names are those of cells that have missed. The name 0 is none.
type names struct {
	all    []string
	number map[string]int
	fields map[field]int
}

type field struct {
	elem   reflect.Type
	offset uintptr
	at     uintptr
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

// nameDeclared names a cell of a declared object.
func (e *engine) nameDeclared(c *cell) {
	o := c.declared
	f := field{o.elem, o.offset(c.address) % o.elem.Size(), 0}
	if f.elem.Kind() != reflect.Struct || isPrimitive(f.elem) {
		f.at = o.at
	}
	i, ok := e.names.fields[f]
	if !ok {
		name := shortName(f.elem) + fieldName(f.elem, f.offset)
		if f.at != 0 {
			name = "[]" + name + " of " + function(f.at)
		}
		i = e.names.add(name)
		if e.names.fields == nil {
			e.names.fields = make(map[field]int)
		}
		e.names.fields[f] = i
	}
	c.name = i
}

// nameUnknown names the cell that the thread has just missed, by its type and by
// the function that performs the operation.
func (e *engine) nameUnknown(t *thread, cellType string) {
	c := t.unknown
	t.unknown = nil
	if c.name == 0 {
		c.name = e.names.add("undeclared " + cellType + " in " + user())
	}
	e.missed(t, c, t.took)
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
	var pcs [16]uintptr
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
