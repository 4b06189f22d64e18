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
