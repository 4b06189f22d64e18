package conformance

import (
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// How far stealing reaches, and how deep stacks get.
var poolReach = []poolCase{
	{"Scope/empty", "P1", 2, scopeEmpty},
	{"Scope/chain", "P9", 1, scopeChain},
	{"Scope/as_join", "P1", 2, scopeAsJoin},
	{"EveryVictim", "P5", 4, everyVictim},
}

// scopeEmpty makes scopes in which nothing is spawned, one within another too.
func scopeEmpty(r *run, p *pool.Pool) {
	r.During("P1", "a scope ends in which nothing was spawned")
	ran := 0
	enter(r, p, func(w *pool.Worker) int {
		w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
		w.Scope(func(w *pool.Worker, _ *pool.Scope) {
			w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
		})
		return 0
	})
	r.Check(ran == 2, "P1", "%d bodies of 2 scopes without jobs have run", ran)
}

// scopeChain has a job spawn the next one, and so on. However many there are,
// none runs on top of the one that spawned it.
func scopeChain(r *run, p *pool.Pool) {
	var pcs [1 << 12]uintptr
	deepest := func(n int) (most int) {
		enter(r, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				var next func(w *pool.Worker)
				next = func(w *pool.Worker) {
					most = max(most, runtime.Callers(0, pcs[:]))
					if n--; n > 0 {
						s.Spawn(w, next)
					}
				}
				s.Spawn(w, next)
			})
			return 0
		})
		return most
	}
	const jobs = 500
	few, many := deepest(5), deepest(jobs)
	// Where a job runs, at a worker's root or in the wait of the scope, makes
	// some calls of a difference.
	r.Check(many < few+jobs/5, "P9", "a chain of %d spawned jobs is %d calls deep, one of 5 is %d", jobs, many, few)
}

// scopeAsJoin sorts by scopes of one job.
func scopeAsJoin(r *run, p *pool.Pool) {
	var sort func(w *pool.Worker, s []int)
	sort = func(w *pool.Worker, s []int) {
		if len(s) < 2 {
			return
		}
		pivot, mid := s[len(s)-1], 0
		for i, v := range s[:len(s)-1] {
			if v <= pivot {
				s[i], s[mid] = s[mid], s[i]
				mid++
			}
		}
		s[mid], s[len(s)-1] = s[len(s)-1], s[mid]
		w.Scope(func(w *pool.Worker, scope *pool.Scope) {
			scope.Spawn(w, func(w *pool.Worker) { sort(w, s[mid+1:]) })
			sort(w, s[:mid])
		})
	}
	s := r.RNG.Perm(1000)
	enter(r, p, func(w *pool.Worker) int { sort(w, s); return 0 })
	for i, v := range s {
		r.Check(i == v, "P1", "of 1000 numbers that were sorted by scopes, number %d is %d", i, v)
	}
}

// everyVictim has a job stolen from a job that was stolen, and so on until all
// workers are at it: whoever steals must come to whoever has something.
func everyVictim(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 20); round++ {
		var begun atomic.Int32
		all := make(chan struct{})
		var steal func(w *pool.Worker, left int)
		steal = func(w *pool.Worker, left int) {
			begun.Add(1)
			if left == 0 {
				close(all)
				return
			}
			apart(r, w, func(*pool.Worker) { r.Receive(all) }, func(w *pool.Worker) { steal(w, left-1) })
		}
		r.During("P5", "a fork of the only job that forks is stolen by the only idle one of %d workers", p.Workers())
		enter(r, p, func(w *pool.Worker) int { steal(w, p.Workers()-1); return 0 })
		n := int(begun.Load())
		r.Check(n == p.Workers(), "P5", "%d jobs were in a chain of stolen ones, of which each lasts as long as the chain; want one for each of %d workers", n, p.Workers())
	}
}
