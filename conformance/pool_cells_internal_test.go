package conformance

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/conformance/internal/pulse"
	"github.com/rouse-go/rouse/pool"
)

// TestCellsEndWithGoroutines computes the same graphs with a goroutine for each
// job, of which the pool's promise speaks. It fails if one does not end, or gets
// another result than one goroutine: then that graph proves nothing of a pool.
func TestCellsEndWithGoroutines(t *testing.T) {
	for seed := range uint64(cellGraphs) {
		e := newCells(seed).evaluation(inGoroutines)
		done := make(chan struct{})
		go func() {
			defer close(done)
			var roots sync.WaitGroup
			roots.Go(func() { e.all(nil, byFork, true) })
			roots.Go(func() { e.all(nil, byFork, false) })
			roots.Wait()
		}()
		p := pulse.Pulse{Limit: 20 * time.Second}
		if why := p.Await(done); why != "" {
			t.Fatalf("graph %d has no end with a goroutine for each job: %s", seed, why)
		}
		if err := e.check(); err != nil {
			t.Fatal(err)
		}
	}
}

// inGoroutines has each cell entered by a goroutine.
func inGoroutines(_ *pool.Worker, e *evaluation, _ cellWay, cells []int) {
	var all sync.WaitGroup
	for _, c := range cells {
		all.Go(func() { e.enter(nil, c) })
	}
	all.Wait()
}
