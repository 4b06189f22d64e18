package conformance

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Jobs that block until others run. If a worker sleeps beside a job, if a thief passes one
// by, or if a worker was lost, they have no end.
var poolBlocked = []poolCase{
	{"BlockedJobs", "P5", runBlocked},
	{"FullWidth", "P5", func(r *run, p *pool.Pool) {
		for round := 0; r.More(round, 10); round++ {
			fullWidth(r, p)
		}
	}},
	{"EveryVictim", "P5", everyVictim},
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

// blockWorkers makes n workers block in jobs until free is called.
func blockWorkers(r *run, p *pool.Pool, n int) (free func()) {
	r.T.Helper()
	gate := make(chan struct{})
	var handles []*pool.Handle[bool]
	for range n {
		begun := make(chan struct{})
		handles = append(handles, submit(r, p, func(*pool.Worker) bool {
			close(begun)
			r.Receive(gate)
			return true
		}))
		r.During("P5", "a job begins on a pool that has an idle worker")
		r.Wait(begun)
	}
	return func() {
		close(gate)
		for _, h := range handles {
			await(r, h)
		}
	}
}

// blockUntilQueued blocks all workers, until another job is queued.
func blockUntilQueued(r *run, p *pool.Pool) {
	r.T.Helper()
	free, queued := blockWorkers(r, p, p.Workers()), p.Stats().Injected
	r.Go(func() {
		r.Until(func() bool { return p.Stats().Injected > queued })
		free()
	})
}

// fullWidth submits as many jobs as there are workers, each of which blocks until all have
// begun.
func fullWidth(r *run, p *pool.Pool) {
	r.T.Helper()
	n := p.Workers()
	r.During("P5", "%d jobs, each of which blocks until all have begun, run on %d workers", n, n)
	var begun atomic.Int32
	all := make(chan struct{})
	var handles []*pool.Handle[int]
	for i := range n {
		handles = append(handles, submit(r, p, func(*pool.Worker) int {
			if int(begun.Add(1)) == n {
				close(all)
			}
			r.Receive(all)
			return i
		}))
	}
	for i, h := range handles {
		r.Check(await(r, h) == i, "P1", "of jobs that run at once, number %d gave a wrong result", i)
	}
}

// everyVictim has a job stolen from a job that was stolen, and so on until all workers are
// at it: a thief must come to every worker that has something.
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
