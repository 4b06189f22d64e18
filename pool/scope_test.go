package pool_test

import (
	"context"
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

type spawner = func(w *pool.Worker, fn func(w *pool.Worker))

// untilRan is a job that spawns itself again until an older one has run. That may not begin after more
// than enough of them, if counts says so.
func untilRan(t *testing.T, ran *atomic.Bool, counts bool, spawn spawner) (again func(w *pool.Worker)) {
	var begun atomic.Int64
	again = func(w *pool.Worker) {
		if begun.Add(1) == enough && counts {
			t.Errorf("P33: %d younger jobs of a scope have begun before the oldest of a list", enough)
			ran.Store(true)
		}
		if !ran.Load() {
			spawn(w, again)
		}
	}
	return again
}

// oldestRuns spawns a job, and younger ones that spawn themselves again until that has run.
func oldestRuns(t *testing.T, w *pool.Worker, spawn spawner) {
	var ran atomic.Bool
	spawn(w, func(*pool.Worker) { ran.Store(true) })
	// What others begin while the worker that has the oldest gets no processor has no bound.
	again := untilRan(t, &ran, w.Pool().Workers() == 1, spawn)
	for range w.Pool().Workers() + 1 {
		spawn(w, again)
	}
}

// If this fails, a job that spawns itself again until another one has run never ends,
// although it would on goroutines.
func TestOldestJobOfScopeRuns(t *testing.T) {
	eachCase(t, []poolCase{
		{"scope", "P33", func(t *testing.T, p *pool.Pool) {
			do(t, p, func(w *pool.Worker) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) { oldestRuns(t, w, s.Spawn) })
			})
		}},
		{"group", "P33", func(t *testing.T, p *pool.Pool) {
			group(t, p, background, func(g round) error {
				oldestRuns(t, g.w, func(w *pool.Worker, fn func(w *pool.Worker)) {
					g.Spawn(w, func(_ context.Context, w *pool.Worker) error { fn(w); return nil })
				})
				return nil
			})
		}},
	}, 1, 2, 3)
	// The oldest job is begun in its turn by a job that was handed over, too: its list is another
	// worker's, which does not come back.
	what := "a job spawns itself again until one has run that another worker has spawned"
	inJob(t, 2, "P33", what, func(_ *pool.Pool, w *pool.Worker) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			var ran atomic.Bool
			spawned := make(chan bool)
			s.Spawn(w, func(w *pool.Worker) {
				s.Spawn(w, func(*pool.Worker) { ran.Store(true) })
				close(spawned)
				for !ran.Load() { // it keeps its worker
					runtime.Gosched()
				}
			})
			<-spawned
			s.Spawn(w, untilRan(t, &ran, true, s.Spawn)) // by this worker, since the other one is kept
		})
	})
}
