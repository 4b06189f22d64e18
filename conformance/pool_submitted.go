package conformance

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// What others' pools have gone wrong in, when jobs submit jobs and when a pool
// closes: package covers says whose.
var poolSubmitted = []poolCase{
	{"NestedSubmit/wait", "P4", 2, nestedSubmitWait},
	{"NestedSubmit/no_wait", "P4", 1, nestedSubmitNoWait},
	{"CloseWithdrawn", "P6", 2, closeWithdrawn},
	{"CloseWhileWaiting", "P6", 2, closeWhileWaiting},
	{"ForkWhileClosing", "P6", 2, forkWhileClosing},
}

// nestedSubmitWait has more jobs than workers, each of which waits for jobs of
// its own that are queued behind all of them.
func nestedSubmitWait(r *run, p *pool.Pool) {
	const outer, inner = 40, 10
	free := blockWorkers(r, p, p.Workers())
	var handles []*pool.Handle[int]
	for range outer {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int { return joinInside(r, w, inner) }))
	}
	r.During("P4", "%d jobs return, on %d workers, each of which waits for %d jobs that it has submitted", outer, p.Workers(), inner)
	free()
	for _, h := range handles {
		n := await(r, h)
		r.Check(n == inner, "P1", "%d of %d jobs that a job had submitted returned to it", n, inner)
	}
}

// joinInside submits n jobs from a job, each of which gives 1, and adds up what they give.
func joinInside(r *run, w *pool.Worker, n int) (sum int) {
	for i, h := range submitInside(r, w.Pool(), n, func() int { return 1 }) {
		join := h.Join
		if i%2 == 0 {
			join = func(*pool.Worker) (int, error) { return h.Wait(background) }
		}
		n, err := join(w)
		if err != nil {
			r.Report("P1", "a job that waits for one it has submitted got the error %v", err)
		}
		sum += n
	}
	return sum
}

// submitInside submits n jobs from a job.
func submitInside(r *run, p *pool.Pool, n int, fn func() int) []*pool.Handle[int] {
	var handles []*pool.Handle[int]
	for range n {
		h, err := pool.Submit(p, func(*pool.Worker) int { return fn() })
		if err != nil {
			r.Report("P1", "Submit in a job returned the error %v", err)
			return handles
		}
		handles = append(handles, h)
	}
	return handles
}

// nestedSubmitNoWait has jobs submit jobs and end, as fast as they can, on the
// only worker.
func nestedSubmitNoWait(r *run, p *pool.Pool) {
	const outer, inner = 1000, 3
	var ran atomic.Int32
	all := make(chan struct{})
	for range outer {
		submit(r, p, func(*pool.Worker) int {
			submitInside(r, p, inner, func() int {
				if ran.Add(1) == outer*inner {
					close(all)
				}
				return 0
			})
			return 0
		})
	}
	r.During("P4", "%d jobs run that other jobs of the only worker have submitted", outer*inner)
	r.Wait(all)
}

// closeWithdrawn closes a pool whose queue holds only jobs that were withdrawn,
// or that nobody waits for any more.
func closeWithdrawn(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	ctx, cancel := context.WithCancel(background)
	var began atomic.Bool
	var queued, over sync.WaitGroup
	for range 5 {
		queued.Add(1)
		over.Add(1)
		go func() {
			defer over.Done()
			queued.Done()
			_, err := pool.Run(ctx, p, func(*pool.Worker, int) int { began.Store(true); return 0 }, 0)
			if err != context.Canceled {
				r.Report("P1", "Run whose context ended while it waited returned %v, want its error", err)
			}
		}()
	}
	queued.Wait()
	kept := submit(r, p, func(*pool.Worker) int { return 7 })
	harness.Pause(r.RNG)
	cancel()
	_, err := kept.Wait(ctx)
	r.Check(err == context.Canceled, "P1", "Wait with an ended context returned %v, want its error", err)
	done := make(chan struct{})
	go func() { over.Wait(); close(done) }()
	r.During("P1", "Run returns whose context has ended while it waited for a worker")
	r.Wait(done)

	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
	}()
	harness.Pause(r.RNG)
	free()
	r.During("P6", "Close returns that was called with withdrawn jobs in the queue")
	r.Wait(closed)
	r.Check(!began.Load(), "P1", "Run returned an error, and has begun the function all the same")
	r.Check(await(r, kept) == 7, "P6", "an accepted job for which a Wait was given up was not run by Close")
}

// untilClosing waits, in a job, until Close has begun. A Submit that succeeds
// was accepted, and has to be run.
func untilClosing(r *run, p *pool.Pool, accepted, ran *atomic.Int32) {
	for !r.Aborted() {
		_, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(1); return 0 })
		switch {
		case errors.Is(err, pool.ErrClosed):
			return
		case err != nil:
			r.Report("P7", "Submit in a job, while the pool closes, returned %v, want ErrClosed", err)
			return
		}
		accepted.Add(1)
		harness.Pause(harness.NewRNG())
	}
}

// closeWhileWaiting has a job begin to wait for another when Close was called.
func closeWhileWaiting(r *run, p *pool.Pool) {
	var accepted, ran atomic.Int32
	waiting := make(chan struct{})
	awaited := submit(r, p, func(w *pool.Worker) int {
		r.Receive(waiting)
		harness.Pause(harness.NewRNG())
		return fib(w, 10)
	})
	h := submit(r, p, func(w *pool.Worker) int {
		untilClosing(r, p, &accepted, &ran)
		close(waiting)
		n, err := awaited.Join(w)
		if err != nil {
			r.Report("P6", "a job that was waited for while the pool closed gave the error %v", err)
		}
		return n
	})
	r.During("P6", "Close returns when jobs have ended one of which waits for the other")
	r.Together(func() {
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
	})
	n := await(r, h)
	r.Check(n == 55, "P6", "a job that was waited for while the pool closed returned %d to the one who waited, want fib(10) = 55", n)
	r.Check(ran.Load() == accepted.Load(), "P7", "%d submissions by a job were accepted, and %d were run when Close had returned", accepted.Load(), ran.Load())
}

// forkWhileClosing has an accepted job fork, spawn and run after Close was
// called.
func forkWhileClosing(r *run, p *pool.Pool) {
	var accepted, ran, spawned atomic.Int32
	h := submit(r, p, func(w *pool.Worker) int {
		untilClosing(r, p, &accepted, &ran)
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 10 {
				s.Spawn(w, func(*pool.Worker) { spawned.Add(1) })
			}
		})
		n, err := pool.Run(background, p, fib, 10)
		if err != nil {
			r.Report("P6", "Run in an accepted job returned %v while the pool was closing", err)
		}
		return n + fib(w, 10)
	})
	r.During("P6", "Close returns when accepted jobs have ended that fork, spawn and run meanwhile")
	r.Together(func() {
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
	})
	r.Check(await(r, h) == 110, "P6", "a job that forked while the pool closed returned a wrong result")
	r.Check(spawned.Load() == 10, "P6", "%d of 10 jobs ran that were spawned while the pool closed", spawned.Load())
	r.Check(ran.Load() == accepted.Load(), "P7", "%d submissions by a job were accepted, and %d were run when Close had returned", accepted.Load(), ran.Load())
}
