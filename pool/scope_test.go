package pool_test

import (
	"math/rand/v2"
	"slices"
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
