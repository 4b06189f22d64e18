package pool_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Scopes of no job, of one, and of a chain of jobs.
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
		{"as_join", "P1", func(t *testing.T, p *pool.Pool) {
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
				w.Scope(func(w *pool.Worker, scope *pool.Scope) {
					scope.Spawn(w, func(w *pool.Worker) { sort(w, s[mid:]) })
					sort(w, s[:mid-1])
				})
			}
			s := rand.Perm(1000)
			enter(t, p, func(w *pool.Worker) int { sort(w, s); return 0 })
			check(t, slices.IsSorted(s), "P1: numbers that were sorted by scopes are %v", s)
		}},
		// A job spawns the next one, and so on. None runs on top of the one that spawned it.
		{"chain", "P9", func(t *testing.T, p *pool.Pool) {
			deep := func(n int) int64 {
				var most depth
				enter(t, p, func(w *pool.Worker) int {
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
					return 0
				})
				return most.Load()
			}
			few, many := deep(5), deep(500)
			check(t, many < few+100, "P9: a chain of 500 spawned jobs is %d calls deep, one of 5 is %d", many, few)
		}},
	}, 1, 2)
}
