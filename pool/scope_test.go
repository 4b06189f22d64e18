package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Scopes of no job, of one, and of a chain of jobs; and a fork in place of one.
func TestScope(t *testing.T) {
	eachCase(t, []poolCase{
		{"empty", "P1", func(t *testing.T, p *pool.Pool) {
			ran := enter(t, p, func(w *pool.Worker) (ran int) {
				w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
				w.Scope(func(w *pool.Worker, _ *pool.Scope) {
					w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
				})
				return ran
			})
			check(t, ran == 2, "P1: %d bodies of 2 scopes without jobs have run", ran)
		}},
		{"as_join", "P1", sortsBy(func(w *pool.Worker, spawned, own func(w *pool.Worker)) {
			w.Scope(func(w *pool.Worker, scope *pool.Scope) { scope.Spawn(w, spawned); own(w) })
		})},
		{"join_of_sort", "P1", sortsBy(func(w *pool.Worker, forked, own func(w *pool.Worker)) {
			f := fork(w, func(w *pool.Worker) int { forked(w); return 0 })
			own(w)
			f.Join(w)
		})},
		// A job spawns the next one, and so on. None runs on top of the one that spawned it.
		{"chain", "P9", func(t *testing.T, p *pool.Pool) {
			deep := func(n int) int32 {
				var most depth
				do(t, p, func(w *pool.Worker) {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						var next func(w *pool.Worker)
						next = func(w *pool.Worker) {
							most.look()
							if n--; n > 0 {
								s.Spawn(w, next)
							}
						}
						s.Spawn(w, next)
					})
				})
				return most.Load()
			}
			few, many := deep(5), deep(500)
			check(t, many < few+100, "P9: a chain of 500 spawned jobs is %d calls deep, one of 5 is %d", many, few)
		}},
	}, 1, 2)
}

// sortsBy sorts by quicksort, with both sides of the pivot at the same time.
func sortsBy(both func(w *pool.Worker, one, other func(w *pool.Worker))) func(t *testing.T, p *pool.Pool) {
	var sort func(w *pool.Worker, s []int)
	sort = func(w *pool.Worker, s []int) {
		if len(s) < 2 {
			return
		}
		pivot, mid := s[len(s)-1], 0
		for i, v := range s {
			if v <= pivot {
				s[i], s[mid] = s[mid], s[i]
				mid++
			}
		}
		both(w, func(w *pool.Worker) { sort(w, s[mid:]) }, func(w *pool.Worker) { sort(w, s[:mid-1]) })
	}
	return func(t *testing.T, p *pool.Pool) {
		s := rand.Perm(1000)
		do(t, p, func(w *pool.Worker) { sort(w, s) })
		check(t, slices.IsSorted(s), "P1: numbers that were sorted by quicksort are %v", s)
	}
}

// enough is how many younger jobs a worker begins at most before the oldest of each list, and
// many more: it begins one of those after 256 jobs, or after as many as there are.
const enough = 100_000

// If this fails, a job that spawns itself again until another one has run never ends,
// although it would on goroutines.
func TestOldestJobOfScopeRuns(t *testing.T) {
	type spawn = func(w *pool.Worker, fn func(w *pool.Worker))
	for name, scope := range map[string]func(w *pool.Worker, body func(spawn spawn)){
		"scope": func(w *pool.Worker, body func(spawn spawn)) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) { body(s.Spawn) })
		},
		"group": func(w *pool.Worker, body func(spawn spawn)) {
			groupOf(background, w, func(g round) error {
				body(func(w *pool.Worker, fn func(w *pool.Worker)) {
					g.Spawn(w, func(_ context.Context, w *pool.Worker) error { fn(w); return nil })
				})
				return nil
			})
		},
	} {
		for _, workers := range []int{1, 2, 3} {
			subtest(t, fmt.Sprintf("%s/workers=%d", name, workers), "P33", "jobs that spawn themselves again until an older one has run", func(t *testing.T) {
				do(t, poolOf(t, workers), func(w *pool.Worker) {
					scope(w, func(spawn spawn) {
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
				})
			})
		}
	}
}

// The oldest job is begun in its turn by a job that was handed over, too: its list is another
// worker's, which does not come back.
func TestOldestJobOfEachListRuns(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P33", "a job spawns itself again until one has run that another worker has spawned", func() {
		do(t, p, func(w *pool.Worker) {
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
		})
	})
}
