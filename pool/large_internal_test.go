package pool

import (
	"runtime"
	"testing"
)

// If this fails, a pool at rest keeps the memory of large arguments and results, for each
// of its workers.
func TestLargeValuesAreLetGo(t *testing.T) {
	type big [1 << 20]byte
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	heap := func() int64 {
		untilAllSleep(p)
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	leaf := func(_ *Worker, b big) big { return b }
	var walk func(w *Worker, depth int) int
	walk = func(w *Worker, depth int) int {
		if depth == 0 {
			return 0
		}
		f := Fork(w, leaf, big{})
		n := walk(w, depth-1)
		f.Join(w)
		return n + 1
	}
	before := heap()
	if n, err := Run(t.Context(), p, walk, 3); n != 3 || err != nil {
		t.Fatalf("P1: Run returned %d, %v", n, err)
	}
	if kept := heap() - before; kept > 1<<19 {
		t.Errorf("P8: a pool at rest keeps %d kB for forks that were joined", kept>>10)
	}
	if _, err := Run(t.Context(), p, leaf, big{}); err != nil {
		t.Fatalf("P1: Run returned the error %v", err)
	}
	if kept := heap() - before; kept > 1<<19 {
		t.Errorf("P8: a pool at rest keeps %d kB for a Run that has returned", kept>>10)
	}
}
