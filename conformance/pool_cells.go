package conformance

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/conformance/internal/cells"
	"github.com/rouse-go/rouse/pool"
)

// cellWorkers are the sizes of the pools that evaluate each graph.
var cellWorkers = []int{1, 2, 3, 4, 64}

// cellShapes are the ways in which a cell has those evaluated that it needs.
var cellShapes = [cells.Ways]shape{newestFirst, oldestFirst, inTree, inScope, byHandles, inRuns}

// cells computes graphs of cells on pools of each size. Jobs hold the locks of their cells
// while they wait in every way, and others want these locks.
func (s poolSuite) cells(t *testing.T, cfg config) {
	for _, workers := range cellWorkers {
		s.test(t, cfg, fmt.Sprintf("Cells/workers=%d", workers), "P14", workers, func(r *run, p *pool.Pool) {
			graphs := cells.Graphs
			if r.Brief() {
				graphs /= 5 // it is called for many parts, and all graphs wait in the same six ways
			}
			r.Rounds(graphs, func(seed int) { evaluate(r, p, seed) })
		})
	}
}

// evaluate computes a graph. Two callers of Run enter all its cells at once, and begin from
// both ends.
func evaluate(r *run, p *pool.Pool, seed int) {
	r.T.Helper()
	g := cells.New(uint64(seed))
	r.During("P14", "graph %d of cells that are computed once, from %d cells, on %d workers", seed, g.Len(), p.Workers())
	e := cells.Evaluate(g, func(w *pool.Worker, e *cells.Evaluation[*pool.Worker], way int, needed []int) {
		cellShapes[way](r, w, e.Enter, needed)
	})
	caller := func(way int, lastFirst bool) func() {
		return func() { runOn(r, background, p, func(w *pool.Worker) { e.All(w, way%cells.Ways, lastFirst) }) }
	}
	r.Together(caller(seed, true), caller(seed/2, seed%2 == 0))
	if err := e.Check(); err != nil {
		r.Fail("P1", "%v, on %d workers", err, p.Workers())
	}
}
