//go:build explore

package prim_test

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
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

func (r *recorder) Atomic(op prim.Op, _ unsafe.Pointer) bool { r.add(op.String()); return true }
func (r *recorder) Note(cell string, values ...any)          { r.add(cell, values...) }
func (r *recorder) Missed()                                  { r.add("Missed") }
func (r *recorder) Lock(unsafe.Pointer)                      { r.add("Lock") }
func (r *recorder) TryLock(unsafe.Pointer) bool              { r.add("TryLock"); return true }
func (r *recorder) Unlock(unsafe.Pointer)                    { r.add("Unlock") }
func (r *recorder) CondWait(unsafe.Pointer, sync.Locker)     { r.add("CondWait") }
func (r *recorder) Signal(unsafe.Pointer)                    { r.add("Signal") }
func (r *recorder) Broadcast(unsafe.Pointer)                 { r.add("Broadcast") }
func (r *recorder) Add(_ unsafe.Pointer, delta int)          { r.add("Add", delta) }
func (r *recorder) Wait(unsafe.Pointer)                      { r.add("Wait") }
func (r *recorder) Unpark(unsafe.Pointer)                    { r.add("Unpark") }
func (r *recorder) FutexWait(word *uint32, value uint32)     { r.add("FutexWait", *word, value) }
func (r *recorder) FutexWake(word *uint32)                   { r.add("FutexWake", *word) }
func (r *recorder) Yield(op prim.Op)                         { r.add(op.String()) }
func (r *recorder) Go(f func())                              { r.add("Go"); f() }

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
		{func() { prim.Yield(); prim.Spin(9); prim.AfterFunc(ended, nil) }, []string{"Yield ", "Spin ", "AfterFunc "}},
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
}

// A clock is a driver that keeps time, too.
type clock struct{ recorder }

func (c *clock) Declare(_ unsafe.Pointer, elem reflect.Type, n int) { c.add("Declare", elem, " ", n) }
func (c *clock) Touch(_ unsafe.Pointer, size uintptr, write bool)   { c.add("Touch", size, write) }
func (c *clock) SpinFor(n int)                                      { c.add("SpinFor", n) }
func (c *clock) Expose()                                            { c.add("Expose") }
func (c *clock) Callers()                                           { c.add("Callers") }
func (c *clock) Processors() int                                    { c.add("Processors"); return 9 }
func (c *clock) Now() time.Duration                                 { c.add("Now"); return time.Minute }

// A driver that keeps time is told of what takes some, any other is not.
func TestTimekeeper(t *testing.T) {
	do := func(processors int) {
		var pair struct{ a, b int32 }
		prim.Declare(&pair)
		prim.DeclareSlice([]int32{1, 2})
		prim.DeclareSlice([]int32{})
		prim.Touch(&pair.b, true)
		prim.Spin(7)
		prim.Expose()
		var pcs [1]uintptr
		if prim.Callers(0, pcs[:]); !strings.Contains(runtime.FuncForPC(pcs[0]-1).Name(), "TestTimekeeper") {
			t.Errorf("Callers: its caller is %s", runtime.FuncForPC(pcs[0]-1).Name())
		}
		if n, want := prim.Processors(), processors; n != want {
			t.Errorf("Processors: there are %d, want %d", n, want)
		}
	}
	defer prim.Drive(nil)
	var c clock
	prim.Drive(&c)
	do(9)
	if now := prim.Now(); now != time.Minute {
		t.Errorf("Now: with a driver that keeps time it is %v, want %v", now, time.Minute)
	}
	if n := prim.Size(1000); n != 1000 {
		t.Errorf("Size: with a driver that keeps time 1000 is %d", n)
	}
	want := []string{"Declare struct { a int32; b int32 } 1", "Declare int32 2", "Touch 4 true", "SpinFor 7", "Expose ", "Callers ", "Processors ", "Now "}
	if !slices.Equal(c.log, want) {
		t.Errorf("Timekeeper: it was told %q, want %q", c.log, want)
	}
	var r recorder
	prim.Drive(&r)
	do(runtime.GOMAXPROCS(0))
	if first := prim.Now(); prim.Now() != first+time.Second {
		t.Error("Now: with a driver that keeps no time, no second passes from call to call")
	}
	if a, b := prim.Size(1000), prim.Size(1); a != 2 || b != 1 {
		t.Errorf("Size: with a driver that keeps no time 1000 is %d and 1 is %d, want 2 and 1", a, b)
	}
	if want := []string{"Spin "}; !slices.Equal(r.log, want) {
		t.Errorf("Timekeeper: a driver that is none was told %q, want %q", r.log, want)
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
