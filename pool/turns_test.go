package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// enough is how many younger jobs a worker begins at most before the oldest of each list, and
// many more: it begins one of those after 256 jobs, or after as many as there are.
const enough = 100_000

// If this fails, a job that spawns itself again until another one has run never ends,
// although it would on goroutines.
func TestOldestJobOfScopeRuns(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		for name, scope := range map[string]func(w *pool.Worker, body func(spawn func(w *pool.Worker, fn func(w *pool.Worker)))){
			"scope": func(w *pool.Worker, body func(spawn func(w *pool.Worker, fn func(w *pool.Worker)))) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) { body(s.Spawn) })
			},
			"group": func(w *pool.Worker, body func(spawn func(w *pool.Worker, fn func(w *pool.Worker)))) {
				w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
					body(func(w *pool.Worker, fn func(w *pool.Worker)) {
						g.Spawn(w, func(_ context.Context, w *pool.Worker) error { fn(w); return nil })
					})
					return nil
				})
			},
		} {
			t.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(t *testing.T) {
				p := newPool(t, pool.WithWorkers(workers))
				during(t, "P33", "jobs that spawn themselves again until an older one of their scope has run", func() {
					mustRun(t, p, func(w *pool.Worker, _ int) int {
						scope(w, func(spawn func(w *pool.Worker, fn func(w *pool.Worker))) {
							var ran atomic.Bool
							spawn(w, func(*pool.Worker) { ran.Store(true) })
							var begun atomic.Int64
							var again func(w *pool.Worker)
							again = func(w *pool.Worker) {
								// What others begin while the worker that has the oldest gets no
								// processor has no bound.
								if begun.Add(1) == enough && workers == 1 {
									t.Errorf("P33: %d younger jobs of a scope have begun before the oldest", enough)
									ran.Store(true)
								}
								if !ran.Load() {
									spawn(w, again)
								}
							}
							for range workers + 1 {
								spawn(w, again)
							}
						})
						return 0
					}, 0)
				})
			})
		}
	}
}

// The oldest job is begun in its turn by a job that was handed over, too: its list is another
// worker's, which does not come back.
func TestOldestJobOfEachListRuns(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P33", "a job spawns itself again until one has run that another worker has spawned", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				var spawned, ran atomic.Bool
				s.Spawn(w, func(w *pool.Worker) {
					s.Spawn(w, func(*pool.Worker) { ran.Store(true) })
					spawned.Store(true)
					for !ran.Load() { // it keeps its worker
						runtime.Gosched()
					}
				})
				for !spawned.Load() {
					runtime.Gosched()
				}
				begun := 0 // by this worker, since the other one is kept
				var again func(w *pool.Worker)
				again = func(w *pool.Worker) {
					if begun++; begun == enough {
						t.Errorf("P33: %d younger jobs of a scope have begun before the oldest of another worker's list", enough)
						ran.Store(true)
					}
					if !ran.Load() {
						s.Spawn(w, again)
					}
				}
				s.Spawn(w, again)
			})
			return 0
		}, 0)
	})
}
