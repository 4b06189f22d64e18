package conformance_test

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/conformance/internal/cells"
	"github.com/rouse-go/rouse/explore/pulse"
)

// TestCellsEndWithGoroutines computes the same graphs with a goroutine for each
// job, of which the pool's promise speaks. It fails if one does not end, or gets
// another result than one goroutine: then that graph proves nothing of a pool.
func TestCellsEndWithGoroutines(t *testing.T) {
	for seed := range uint64(cells.Graphs) {
		e := cells.Evaluate(cells.New(seed), inGoroutines)
		done := make(chan struct{})
		go func() {
			defer close(done)
			var roots sync.WaitGroup
			roots.Go(func() { e.All(nil, 0, true) })
			roots.Go(func() { e.All(nil, 0, false) })
			roots.Wait()
		}()
		p := pulse.Pulse{Limit: 20 * time.Second}
		if why := p.Await(done); why != "" {
			t.Fatalf("graph %d has no end with a goroutine for each job: %s", seed, why)
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

// inGoroutines has each cell entered by a goroutine.
func inGoroutines(_ any, e *cells.Evaluation[any], _ int, needed []int) {
	var all sync.WaitGroup
	for _, c := range needed {
		all.Go(func() { e.Enter(nil, c) })
	}
	all.Wait()
}
