package prim_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// Two goroutines each store to a cell of their own and load the other's. In the
// one order of all atomic operations the later store precedes both loads, so
// not both can miss. Every proof of the other modules rests on this: where it
// fails, as in some emulators, the platform is broken, and all else may fail.
func TestStoresAreSeenInOneOrder(t *testing.T) {
	type cell struct {
		v prim.Int64
		_ [120]byte // in a cache line of its own
	}
	const cells, rounds = 4096, 200
	missed := 0
	for range rounds {
		x, y := new([cells]cell), new([cells]cell)
		var sawX, sawY [cells]bool
		var ready prim.Int32
		var both prim.WaitGroup
		run := func(mine, other *[cells]cell, saw *[cells]bool) {
			defer both.Done()
			ready.Add(1)
			// Both must be under way at once, but on one processor give way.
			for spins := 1; ready.Load() < 2; spins++ {
				if spins%10_000 == 0 {
					prim.Yield()
				}
			}
			for i := range mine {
				mine[i].v.Store(1)
				saw[i] = other[i].v.Load() == 1
			}
		}
		both.Add(2)
		prim.Go(func() { run(x, y, &sawY) })
		prim.Go(func() { run(y, x, &sawX) })
		both.Wait()
		for i := range sawX {
			if !sawX[i] && !sawY[i] {
				missed++
			}
		}
	}
	if missed > 0 {
		t.Errorf("package prim: atomic operations have no one order: in %d of %d cases neither saw the other's store", missed, cells*rounds)
	}
}

// What a collected object leaves to be done is done.
func TestAddCleanup(t *testing.T) {
	cleaned := make(chan int, 1)
	func() { prim.AddCleanup(new([64]byte), func(n int) { cleaned <- n }, 7) }()
	for range 1000 {
		runtime.GC()
		select {
		case n := <-cleaned:
			if n != 7 {
				t.Errorf("AddCleanup: the function got %d, want 7", n)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("AddCleanup: the object is not reachable, and the function was not called after 1000 collections")
}

// If this fails, the default number of workers is not the one that the program asked
// for: there are more goroutines, or fewer, than can run at once.
func TestProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, runtime.NumCPU() + 5} {
		runtime.GOMAXPROCS(n)
		if runtime.GOMAXPROCS(0) != n {
			continue // on wasm there is one
		}
		if got := prim.Processors(); got != n {
			t.Errorf("Processors: there are %d, and GOMAXPROCS is %d", got, n)
		}
	}
}

// If this fails, a stack begins in package prim, or leaves out the function that asked for it.
func TestCallers(t *testing.T) {
	var pcs [1]uintptr
	prim.Callers(0, pcs[:])
	if f := runtime.FuncForPC(pcs[0] - 1).Name(); !strings.Contains(f, "TestCallers") {
		t.Errorf("Callers: its caller is %s", f)
	}
}
