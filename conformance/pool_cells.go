package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/conformance/internal/cells"
	"github.com/rouse-go/rouse/pool"
)

// cellWorkers are the pools that evaluate each graph.
var cellWorkers = []int{1, 2, 3, 4, 64}

// inPool has cells entered by jobs.
func inPool(w *pool.Worker, e *cells.Evaluation, how cells.Way, needed []int) {
	switch how {
	case cells.ByFork, cells.ByOldestFork:
		forks := make([]pool.Forked[int, int], len(needed))
		for i, c := range needed {
			forks[i] = pool.Fork(w, e.Enter, c)
		}
		if how == cells.ByFork {
			slices.Reverse(forks)
		}
		for _, f := range forks {
			f.Join(w)
		}
	case cells.ByInvoke:
		switch n := len(needed); n {
		case 0:
		case 1:
			e.Enter(w, needed[0])
		default:
			half := func(w *pool.Worker, some []int) int { inPool(w, e, cells.ByInvoke, some); return 0 }
			pool.Invoke(w, half, needed[:n/2], half, needed[n/2:])
		}
	case cells.ByScope:
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for _, c := range needed {
				s.Spawn(w, func(w *pool.Worker) { e.Enter(w, c) })
			}
		})
	case cells.BySubmit:
		handles := make([]*pool.Handle[int], len(needed))
		for i, c := range needed {
			h, err := pool.Submit(w.Pool(), func(w *pool.Worker) int { return e.Enter(w, c) })
			if err != nil {
				panic(fmt.Errorf("P1: Submit in a job returned the error %w", err))
			}
			handles[i] = h
		}
		for _, h := range handles {
			if _, err := h.Join(w); err != nil {
				panic(fmt.Errorf("P1: Join of a handle returned the error %w", err))
			}
		}
	}
}

// cells computes graphs of cells on pools of each size. All roots of a graph are
// entered at once, by two callers of Run that begin from both ends. Run is
// called first and the cells are entered inside: admission counts as a lock.
func (s poolSuite) cells(t *testing.T, cfg config) {
	for _, workers := range cellWorkers {
		s.test(t, cfg, fmt.Sprintf("Cells/workers=%d", workers), "P14", workers, func(r *run, p *pool.Pool) {
			graphs := cells.Graphs
			if r.Brief() {
				graphs /= 5 // it is called for many parts, and all graphs wait in the same five ways
			}
			r.Rounds(graphs, func(seed int) {
				g := cells.New(uint64(seed))
				r.During("P14", "graph %d of cells that are computed once, from %d cells, on %d workers", seed, g.Len(), workers)
				e := g.Evaluate(inPool)
				caller := func(how cells.Way, lastFirst bool) func() {
					return func() {
						_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
							e.All(w, how, lastFirst)
							return 0
						}, 0)
						if err != nil {
							r.Report("P1", "Run returned the error %v", err)
						}
					}
				}
				r.Together(
					caller(cells.Way(seed)%cells.Ways, true),
					caller(cells.Way(seed/2)%cells.Ways, seed%2 == 0),
				)
				if err := e.Check(); err != nil {
					r.Fail("P1", "%v, on %d workers", err, workers)
				}
			})
		})
	}
}
