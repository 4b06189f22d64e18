package conformance

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

var poolCallers = []poolCase{
	{"BlockedJobs", "P5", 4, runBlocked},
	{"FullWidth", "P5", 4, func(r *run, p *pool.Pool) {
		for round := 0; r.More(round, 10); round++ {
			fullWidth(r, p)
		}
	}},
	{"ForkTaken", "P5", 2, everyVictim},
	{"EveryVictim", "P5", 4, everyVictim},
	{"SubmitAll/taken_together", "P5", 4, func(r *run, p *pool.Pool) {
		r.Rounds(5, func(int) {
			atOnce(r, p, func(fns []func(*pool.Worker) int) []*pool.Handle[int] {
				handles, err := pool.SubmitAll(p, fns)
				r.Check(err == nil && len(handles) == len(fns), "P1", "SubmitAll of %d functions returned %d handles, %v", len(fns), len(handles), err)
				return handles
			})
		})
	}},
}

// runBlocked blocks all workers but one.
func runBlocked(r *run, p *pool.Pool) {
	for n := range p.Workers() {
		free := blockWorkers(r, p, n)
		r.During("P5", "jobs run while %d of %d workers are blocked in others", n, p.Workers())
		for i := range 10 {
			got := await(r, submit(r, p, func(w *pool.Worker) int { return fib(w, i) }))
			r.Check(got == plainFib(i), "P1", "fib(%d) is %d", i, got)
			got, err := pool.Run(background, p, fib, i)
			r.Check(err == nil && got == plainFib(i), "P1", "fib(%d) is %d, %v", i, got, err)
		}
		free()
	}
}

// everyVictim has a job stolen from a job that was stolen, and so on until all
// workers are at it: a thief must come to every worker that has something.
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
