//go:build explore

package prim_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// A recorder is a driver of one thread that notes what it is asked.
type recorder struct{ log []string }

func (r *recorder) add(what string, values ...any) {
	r.log = append(r.log, fmt.Sprint(append([]any{what, " "}, values...)...))
}

func (r *recorder) Atomic(op prim.Op, _ unsafe.Pointer) bool  { r.add(op.String()); return true }
func (r *recorder) Note(cell string, values ...any)           { r.add(cell, values...) }
func (r *recorder) Missed()                                   { r.add("Missed") }
func (r *recorder) Lock(unsafe.Pointer)                       { r.add("Lock") }
func (r *recorder) TryLock(unsafe.Pointer) bool               { r.add("TryLock"); return true }
func (r *recorder) Unlock(unsafe.Pointer)                     { r.add("Unlock") }
func (r *recorder) CondWait(unsafe.Pointer, sync.Locker)      { r.add("CondWait") }
func (r *recorder) Signal(unsafe.Pointer)                     { r.add("Signal") }
func (r *recorder) Broadcast(unsafe.Pointer)                  { r.add("Broadcast") }
func (r *recorder) Add(_ unsafe.Pointer, delta int)           { r.add("Add", delta) }
func (r *recorder) Wait(unsafe.Pointer)                       { r.add("Wait") }
func (r *recorder) Unpark(unsafe.Pointer)                     { r.add("Unpark") }
func (r *recorder) FutexWait(word *uint32, value uint32)      { r.add("FutexWait", *word, value) }
func (r *recorder) FutexWake(word *uint32)                    { r.add("FutexWake", *word) }
func (r *recorder) Yield()                                    { r.add("Yield") }
func (r *recorder) Spin(n int)                                { r.add("Spin", n) }
func (r *recorder) Go(f func())                               { r.add("Go"); f() }
func (r *recorder) Now() time.Duration                        { r.add("Now"); return time.Minute }
func (r *recorder) Processors() int                           { r.add("Processors"); return 9 }
func (r *recorder) Size(n int) int                            { r.add("Size", n); return 2 }
func (r *recorder) Touch(_ unsafe.Pointer, n uintptr, w bool) { r.add("Touch", n, w) }
func (r *recorder) Expose()                                   { r.add("Expose") }
func (r *recorder) Callers()                                  { r.add("Callers") }

func (r *recorder) Declare(_ unsafe.Pointer, elem reflect.Type, n int) {
	r.add("Declare", elem, " ", n)
}

func (r *recorder) Park(_ unsafe.Pointer, ctx context.Context) bool {
	r.add("Park", ctx != nil)
	return ctx != nil
}

func (r *recorder) AfterFunc(context.Context, func()) func() bool {
	r.add("AfterFunc")
	return nil
}

// Each operation asks the driver, and the atomic ones take place.
func TestDriver(t *testing.T) {
	var (
		r  recorder
		b  prim.Bool
		n  prim.Uint32
		mu prim.Mutex
		g  prim.WaitGroup

		pair struct{ a, b int32 }
	)
	cond, p := prim.NewCond(&mu), prim.NewParker()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	prim.Drive(&r)
	defer prim.Drive(nil)
	for _, c := range []struct {
		do   func()
		want []string
	}{
		{func() { b.Store(true) }, []string{"Store ", "Bool true"}},
		{func() { b.Load() }, []string{"Load ", "Bool true"}},
		{func() { n.Add(2) }, []string{"Add ", "Uint32 2 2"}},
		{func() { n.Swap(3) }, []string{"Swap ", "Uint32 3 2"}},
		{func() { n.CompareAndSwap(3, 7) }, []string{"CompareAndSwap ", "Uint32 3 7 true"}},
		{func() { n.And(5) }, []string{"And ", "Uint32 5 7"}},
		{func() { n.Or(8) }, []string{"Or ", "Uint32 8 5"}},
		{func() { prim.FutexWait(&n, 1); prim.FutexWake(&n) }, []string{"FutexWait 13 1", "FutexWake 13"}},
		{func() { mu.Lock(); mu.TryLock(); mu.Unlock() }, []string{"Lock ", "TryLock ", "Unlock "}},
		{func() { cond.Wait(); cond.Signal(); cond.Broadcast() }, []string{"CondWait ", "Signal ", "Broadcast "}},
		{func() { g.Go(func() {}); g.Wait() }, []string{"Add 1", "Go ", "Add -1", "Wait "}},
		{func() { p.Unpark(); p.Park(); _ = p.ParkContext(ended) }, []string{"Unpark ", "Park false", "Park true"}},
		{func() { prim.Yield(); prim.Spin(9); prim.AfterFunc(ended, nil) }, []string{"Yield ", "Spin 9", "AfterFunc "}},
		{func() { prim.Now(); prim.Processors(); prim.Size(7) }, []string{"Now ", "Processors ", "Size 7"}},
		{func() { prim.Expose(); prim.Callers(0, nil) }, []string{"Expose ", "Callers "}},
		{func() { prim.Declare(&pair); prim.Touch(&pair.b, true) }, []string{"Declare struct { a int32; b int32 } 1", "Touch 4 true"}},
		{func() { prim.DeclareSlice([]int32{1, 2}); prim.DeclareSlice([]int32{}) }, []string{"Declare int32 2"}},
	} {
		r.log = nil
		c.do()
		if !slices.Equal(r.log, c.want) {
			t.Errorf("Driver: it was asked %q, want %q", r.log, c.want)
		}
	}
	if err := p.ParkContext(ended); err != context.Canceled {
		t.Errorf("Parker.ParkContext: given up by the driver, it returns %v", err)
	}
	if now, n, size := prim.Now(), prim.Processors(), prim.Size(7); now != time.Minute || n != 9 || size != 2 {
		t.Errorf("Driver: it says 1m, 9 processors and a size of 2, and they are %v, %d and %d", now, n, size)
	}
}

// If this fails, a timer that was set before calls a driver that knows nothing of its goroutine.
func TestLaterWaitsForTheDriver(t *testing.T) {
	defer prim.Drive(nil)
	const soon = time.Millisecond
	for {
		var come atomic.Bool
		if !prim.Later(soon, func() { come.Store(true) }) {
			t.Fatal("Later: without a driver it says that the time does not come")
		}
		prim.Drive(new(recorder))
		if come.Load() { // before the driver came: once more
			prim.Drive(nil)
			continue
		}
		time.Sleep(20 * soon)
		if come.Load() {
			t.Error("Later: it runs the function while there is a driver")
		}
		prim.Drive(nil)
		for !come.Load() {
			time.Sleep(soon)
		}
		return
	}
}
