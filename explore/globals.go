//go:build explore

package explore

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Package variables of rewritten packages are as new in each execution: as they were when the
// exploration began, and so they are after it. Else the first execution would fill a cache, or claim a place, and no other one
// would see it empty.
//
// What a variable holds is followed through pointers, maps and slices, as far as the types are of
// rewritten packages or have no name. Memory keeps its address, so what else points there sees the same.
// Only what has changed is written. What a library keeps for itself stays: it may be the runtime's, too.

// mostGlobal is how many bytes of one object, and entries of one map, are looked at: large tables do not
// change, and looking takes time in each execution.
const mostGlobal = 1 << 14

// A globals has what package variables held when the exploration began.
type globals struct {
	own   map[string]bool // packages
	seen  map[object]bool
	parts []globalPart
	maps  []globalMap
	chans []globalChan
}

type object struct {
	p unsafe.Pointer
	t reflect.Type
}

// A globalPart is some elements, as they are and as they were.
type globalPart struct{ live, saved reflect.Value }

// A globalMap is a map, and its entries as they were. Two values can be compared in scratch.
type globalMap struct{ live, saved, scratch reflect.Value }

// A globalChan is open, and has a buffer of these values.
type globalChan struct {
	live   reflect.Value
	values []reflect.Value
}

func newGlobals() *globals {
	g := &globals{own: make(map[string]bool), seen: make(map[object]bool)}
	all := drive.Variables()
	for _, v := range all {
		g.own[v.Package] = true
	}
	for _, v := range all {
		g.keep(reflect.ValueOf(v.Pointer).Elem())
	}
	return g
}

// keep notes a variable, and what it holds.
func (g *globals) keep(v reflect.Value) {
	g.keepAll(reflect.SliceAt(v.Type(), v.Addr().UnsafePointer(), 1))
}

// keepAll is keep for the elements of a slice.
func (g *globals) keepAll(all reflect.Value) {
	t, n := all.Type().Elem(), all.Len()
	o := object{all.UnsafePointer(), all.Type()}
	if n == 0 || t.Size() == 0 || t.Size()*uintptr(n) > mostGlobal || g.seen[o] {
		return
	}
	g.seen[o] = true
	if g.plain(t) {
		saved := reflect.MakeSlice(reflect.SliceOf(t), n, n)
		reflect.Copy(saved, all)
		g.parts = append(g.parts, globalPart{all, saved})
	} else {
		for i := range n {
			g.keepFields(all.Index(i))
		}
	}
	if points(t) {
		for i := range n {
			g.follow(all.Index(i))
		}
	}
}

// keepFields notes those parts of a struct or an array that are not the library's own.
func (g *globals) keepFields(v reflect.Value) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			g.keepFields(v.Index(i))
		}
	case reflect.Struct:
		if !g.owns(v.Type()) {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Type().Size() > 0 {
				g.keep(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
			}
		}
	}
}

// follow keeps what v points to.
func (g *globals) follow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if t := v.Type().Elem(); !v.IsNil() && g.owns(t) {
			g.keepAll(reflect.SliceAt(t, v.UnsafePointer(), 1))
		}
	case reflect.Interface:
		if e := v.Elem(); e.IsValid() && e.Kind() != reflect.Struct && e.Kind() != reflect.Array {
			g.follow(e)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			g.keepAll(reflect.SliceAt(v.Type().Elem(), v.UnsafePointer(), v.Len()))
		}
	case reflect.Map:
		g.keepMap(v)
	case reflect.Chan:
		g.keepChan(v)
	case reflect.Array:
		for i := range v.Len() {
			g.follow(v.Index(i))
		}
	case reflect.Struct:
		if g.owns(v.Type()) {
			for i := range v.NumField() {
				g.follow(v.Field(i))
			}
		}
		g.followAtomic(v)
	}
}

// followAtomic keeps what an atomic.Pointer points to.
func (g *globals) followAtomic(v reflect.Value) {
	t := v.Type()
	if t.PkgPath() != "sync/atomic" || !strings.HasPrefix(t.Name(), "Pointer[") {
		return
	}
	var to reflect.Type
	var p unsafe.Pointer
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Array && f.Type().Elem().Kind() == reflect.Pointer:
			to = f.Type().Elem().Elem()
		case f.Kind() == reflect.UnsafePointer:
			p = f.UnsafePointer()
		}
	}
	if to != nil && p != nil && g.owns(to) {
		g.keepAll(reflect.SliceAt(to, p, 1))
	}
}

func (g *globals) keepMap(v reflect.Value) {
	p := v.UnsafePointer()
	if p == nil || v.Len() > mostGlobal || g.seen[object{p, v.Type()}] {
		return
	}
	g.seen[object{p, v.Type()}] = true
	live := reflect.NewAt(v.Type(), unsafe.Pointer(&p)).Elem() // also of a field that is not exported
	saved := reflect.MakeMapWithSize(v.Type(), v.Len())
	for i := live.MapRange(); i.Next(); {
		saved.SetMapIndex(i.Key(), i.Value())
		g.follow(i.Key())
		g.follow(i.Value())
	}
	g.maps = append(g.maps, globalMap{live, saved, reflect.MakeSlice(reflect.SliceOf(v.Type().Elem()), 2, 2)})
}

func (g *globals) keepChan(v reflect.Value) {
	p := v.UnsafePointer()
	if p == nil || v.Type().ChanDir() != reflect.BothDir || g.seen[object{p, v.Type()}] || len(drive.Outsiders()) > 0 {
		return // others may wait there
	}
	g.seen[object{p, v.Type()}] = true
	c := globalChan{live: reflect.NewAt(v.Type(), unsafe.Pointer(&p)).Elem()}
	var closed bool
	if c.values, closed = drain(c.live); !closed {
		c.fill()
		g.chans = append(g.chans, c)
	}
}

// drain takes what is in the buffer.
func drain(c reflect.Value) (values []reflect.Value, closed bool) {
	for {
		x, ok := c.TryRecv()
		if !ok {
			return values, x.IsValid()
		}
		values = append(values, x)
	}
}

func (c *globalChan) fill() {
	for _, x := range c.values {
		c.live.TrySend(x)
	}
}

// owns reports whether what a type consists of is the program's, and not a library's own.
func (g *globals) owns(t reflect.Type) bool {
	p := t.PkgPath()
	return p == "" || g.own[p] || strings.HasPrefix(p, reflect.TypeFor[globals]().PkgPath()+"/twin/") ||
		slices.Contains([]string{"sync/atomic", "container/list", "container/ring", "bytes", "strings", "math/big"}, p)
}

// plain reports whether no part of a value is a library's own that must not be touched: a lock, or what
// the runtime knows of.
func (g *globals) plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return g.plain(t.Elem())
	case reflect.Struct:
		own := g.owns(t)
		for i := range t.NumField() {
			f := t.Field(i).Type
			switch f.Kind() {
			case reflect.UnsafePointer, reflect.Chan, reflect.Func:
				if !own {
					return false
				}
			}
			if !g.plain(f) {
				return false
			}
		}
		p := t.PkgPath()
		return own || p != "sync" && p != "runtime" && !strings.HasPrefix(p, "internal/")
	}
	return true
}

// points reports whether a value has pointers.
func points(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return points(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if points(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Pointer, reflect.UnsafePointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Chan:
		return true
	}
	return false
}

// restore makes all as new. It returns what cannot be, or "".
func (g *globals) restore() (closed string) {
	for _, p := range g.parts {
		if !bytes.Equal(memory(p.live), memory(p.saved)) {
			reflect.Copy(p.live, p.saved)
		}
	}
	for i := range g.maps {
		if m := &g.maps[i]; m.changed() {
			m.live.Clear()
			for i := m.saved.MapRange(); i.Next(); {
				m.live.SetMapIndex(i.Key(), i.Value())
			}
		}
	}
	for i := range g.chans {
		c := &g.chans[i]
		_, is := drain(c.live)
		if is {
			return c.live.Type().String()
		}
		c.fill()
	}
	return ""
}

// memory is that of the elements of a slice.
func memory(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.UnsafePointer()), uintptr(v.Len())*v.Type().Elem().Size())
}

// changed reports whether the map has other entries than it had.
func (m *globalMap) changed() bool {
	if m.live.Len() != m.saved.Len() {
		return true
	}
	is, was := m.scratch.Index(0), m.scratch.Index(1)
	for i := m.saved.MapRange(); i.Next(); {
		x := m.live.MapIndex(i.Key())
		if !x.IsValid() {
			return true
		}
		is.Set(x)
		was.SetIterValue(i)
		if !bytes.Equal(memory(m.scratch.Slice(0, 1)), memory(m.scratch.Slice(1, 2))) {
			return true
		}
	}
	return false
}
