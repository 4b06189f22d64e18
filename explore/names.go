//go:build explore

package explore

import (
	"fmt"
	"path"
	"reflect"
	"strings"
	"unsafe"
)

// A declared is a part of memory whose type is known.
type declared struct {
	p    unsafe.Pointer
	elem reflect.Type
	n    int
}

// Declare is called by [prim.Declare].
//
//go:norace
func (e *engine) Declare(p unsafe.Pointer, elem reflect.Type, n int) {
	if e.traced {
		e.declared = append(e.declared, declared{p, elem, n})
	}
}

// nameOf is what a cell is called: as in the source code if that is known, or by a number.
func (e *engine) nameOf(c *cell, cellType string) string {
	if c.name != "" {
		return c.name
	}
	at := uintptr(c.address)
	// Parts are declared after the whole.
	for i := len(e.declared) - 1; i >= 0; i-- {
		d := e.declared[i]
		begin, size := uintptr(d.p), d.elem.Size()
		if at < begin || size == 0 || at >= begin+size*uintptr(d.n) {
			continue
		}
		name, offset := typeName(d.elem), at-begin
		if d.n > 1 {
			name += fmt.Sprintf("[%d]", offset/size)
		}
		return name + field(d.elem, offset%size)
	}
	return fmt.Sprintf("%s#%d", cellType, c.number)
}

// typeName is short, and without type arguments.
func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	if name == "" || primitive(t) {
		return path.Base(t.PkgPath())
	}
	return name
}

func primitive(t reflect.Type) bool {
	p := t.PkgPath()
	return strings.HasSuffix(p, "/api/prim") || p == "sync/atomic" || p == "sync"
}

// field is the path to what lies at an offset in a value of type t.
func field(t reflect.Type, offset uintptr) string {
	switch {
	case primitive(t):
		return ""
	case t.Kind() == reflect.Array && t.Elem().Size() > 0:
		return fmt.Sprintf("[%d]", offset/t.Elem().Size()) + field(t.Elem(), offset%t.Elem().Size())
	case t.Kind() == reflect.Struct:
		for i := t.NumField() - 1; i >= 0; i-- {
			if f := t.Field(i); f.Offset <= offset && f.Type.Size() > 0 {
				return "." + f.Name + field(f.Type, offset-f.Offset)
			}
		}
	}
	return ""
}
