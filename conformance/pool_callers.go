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
	{"ForkTaken", "P5", 2, forkTaken},
	{"EveryVictim", "P5", 4, everyVictim},
	{"SubmitAll/taken_together", "P5", 4, submitAllTaken},
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

// forkTaken lets a fork run at the same time as the job that forked it.
func forkTaken(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 5); round++ {
		r.During("P5", "an idle worker takes a fork of a busy one")
		var theirs atomic.Int32
		enter(r, p, func(w *pool.Worker) int {
			apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { theirs.Add(1) })
			return 0
		})
		r.Check(theirs.Load() == 1, "P1", "a stolen fork ran %d times", theirs.Load())
	}
}

// submitAllTaken has as many jobs of one SubmitAll as workers, which sleep, wait for each other.
func submitAllTaken(r *run, p *pool.Pool) {
	r.Rounds(5, func(int) {
		var missing atomic.Int32
		missing.Store(int32(p.Workers()))
		all := make(chan struct{})
		fns := make([]func(*pool.Worker) int, p.Workers())
		for i := range fns {
			fns[i] = func(*pool.Worker) int {
				if missing.Add(-1) == 0 {
					close(all)
				}
				r.Receive(all)
				return i
			}
		}
		r.During("P5", "as many jobs of one SubmitAll run at once as there are workers")
		handles, err := pool.SubmitAll(p, fns)
		r.Check(err == nil && len(handles) == len(fns), "P1", "SubmitAll of %d functions returned %d handles, %v", len(fns), len(handles), err)
		for i, h := range handles {
			r.Check(await(r, h) == i, "P1", "a job of SubmitAll gave a wrong result")
		}
	})
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
