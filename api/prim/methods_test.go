package prim_test

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// With and without the tag explore, the types have the methods of the real ones,
// and the atomic ones have their size.
func TestTypesAreTheRealOnes(t *testing.T) {
	for _, c := range []struct{ ours, its reflect.Type }{
		{reflect.TypeFor[*prim.Bool](), reflect.TypeFor[*atomic.Bool]()},
		{reflect.TypeFor[*prim.Int32](), reflect.TypeFor[*atomic.Int32]()},
		{reflect.TypeFor[*prim.Int64](), reflect.TypeFor[*atomic.Int64]()},
		{reflect.TypeFor[*prim.Uint32](), reflect.TypeFor[*atomic.Uint32]()},
		{reflect.TypeFor[*prim.Uint64](), reflect.TypeFor[*atomic.Uint64]()},
		{reflect.TypeFor[*prim.Pointer[int]](), reflect.TypeFor[*atomic.Pointer[int]]()},
		{reflect.TypeFor[*prim.Mutex](), reflect.TypeFor[*sync.Mutex]()},
		{reflect.TypeFor[*prim.Cond](), reflect.TypeFor[*sync.Cond]()},
		{reflect.TypeFor[*prim.WaitGroup](), reflect.TypeFor[*sync.WaitGroup]()},
	} {
		for i := range c.its.NumMethod() {
			want := c.its.Method(i)
			got, ok := c.ours.MethodByName(want.Name)
			if !ok || signature(got.Type) != signature(want.Type) {
				t.Errorf("package prim: its %v has no method %s%v", c.its.Elem(), want.Name, want.Type)
			}
		}
		if c.its.Elem().PkgPath() == "sync/atomic" && c.ours.Elem().Size() != c.its.Elem().Size() {
			t.Errorf("package prim: a type of %d bytes stands for %v, of %d", c.ours.Elem().Size(), c.its.Elem(), c.its.Elem().Size())
		}
	}
	var w struct {
		_ uint32
		n prim.Uint64
	}
	if at := uintptr(unsafe.Pointer(&w.n)); at%8 != 0 {
		t.Errorf("Uint64: one is at %#x, and must be at a multiple of 8", at)
	}
}

// signature returns a method's type without the receiver.
func signature(m reflect.Type) string {
	_, rest, _ := strings.Cut(m.String(), m.In(0).String())
	return rest
}

// What the types do while no driver is installed is what the real ones do.
func TestUndriven(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		var (
			b  prim.Bool
			n  prim.Uint32
			p  prim.Pointer[int]
			mu prim.Mutex
			g  prim.WaitGroup
		)
		if b.Swap(true) || !b.CompareAndSwap(true, false) || b.Load() {
			t.Error("Bool: it does not do what atomic.Bool does")
		}
		n.Store(6)
		if n.Add(1) != 7 || n.And(3) != 7 || n.Or(8) != 3 || n.Swap(1) != 11 || n.CompareAndSwap(2, 3) || n.Load() != 1 {
			t.Errorf("Uint32: it does not do what atomic.Uint32 does: it is %d", n.Load())
		}
		i := 1
		if p.Swap(&i) != nil || !p.CompareAndSwap(&i, nil) || p.Load() != nil {
			t.Error("Pointer: it does not do what atomic.Pointer does")
		}
		cond := prim.Cond{L: &mu}
		ready := false
		mu.Lock()
		if mu.TryLock() {
			t.Error("Mutex: it is locked twice")
		}
		g.Go(func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			cond.Broadcast()
			cond.Signal()
		})
		within(t, "Cond: a broadcast does not release the one that waits", func() {
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
			g.Wait()
		})
		if prim.FutexWait(&n, 1) || prim.FutexWake(&n) {
			t.Error("FutexWait: a driver waits or wakes, and there is none")
		}
		prim.Spin(1)
		prim.Yield()
	})
}
