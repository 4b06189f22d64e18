package conformance

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

var poolEnd = []poolCase{
	{"CloseDrains", "P6", 2, closeDrains},
	{"ManyCloses", "P6", 2, manyCloses},
	{"CloseAtOnce", "P6", 4, func(*run, *pool.Pool) {}},
	{"CloseWhileExecuting", "P6", 2, closeWhileExecuting},
}

// closeDrains closes while jobs are queued that fork and spawn more.
func closeDrains(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	var ran atomic.Int32
	var handles []*pool.Handle[int]
	for range 50 {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
			})
			return fib(w, 5)
		}))
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
	}()
	harness.Pause(r.RNG)
	free()
	r.During("P6", "Close returns when all that was accepted has run")
	r.Wait(closed)
	r.Check(ran.Load() == 50, "P6", "Close returned when %d of 50 accepted jobs had run", ran.Load())
	for _, h := range handles {
		r.Check(await(r, h) == 5, "P6", "a job that was queued before Close gave a wrong result")
	}
}

func manyCloses(r *run, p *pool.Pool) {
	var done atomic.Bool
	free := make(chan struct{})
	h := submit(r, p, func(*pool.Worker) int {
		r.Receive(free)
		done.Store(true)
		return 0
	})
	closer := func() {
		if err := p.Close(); err != nil {
			r.Report("P6", "one of several calls of Close returned %v", err)
		}
		if !done.Load() {
			r.Report("P6", "one of several calls of Close returned while an accepted job was running")
		}
	}
	r.During("P6", "all of several calls of Close return")
	r.Together(closer, closer, closer, func() { close(free) })
	await(r, h)
}

// closeWhileExecuting closes while a Run is under way on the caller's own
// goroutine, with forks that others have.
func closeWhileExecuting(r *run, p *pool.Pool) {
	var ended atomic.Bool
	begun := make(chan struct{})
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		r.Receive(begun)
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
		if !ended.Load() {
			r.Report("P6", "Close returned while a Run was under way")
		}
	}()
	n := enter(r, p, func(w *pool.Worker) int {
		close(begun)
		n := fib(w, 18)
		ended.Store(true)
		return n
	})
	r.Check(n == plainFib(18), "P6", "fib(18), while the pool was closed, is %d", n)
	r.During("P6", "Close returns after the Run that was under way")
	r.Wait(closed)
}

// closeRacesSubmit closes while others submit. Each submission runs or is
// refused.
func (s poolSuite) closeRacesSubmit(r *run) {
	for round := 0; r.More(round, 20); round++ {
		p := s.start(r, 2)
		var accepted, ran atomic.Int32
		var mu sync.Mutex
		var handles []*pool.Handle[int]
		submitter := func() {
			for {
				h, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(1); return 1 })
				if err != nil {
					if !errors.Is(err, pool.ErrClosed) {
						r.Report("P7", "Submit that raced with Close returned %v, want ErrClosed", err)
					}
					return
				}
				accepted.Add(1)
				mu.Lock()
				handles = append(handles, h)
				mu.Unlock()
				runtime.Gosched() // where there is one thread, let others run
			}
		}
		rng := harness.NewRNG()
		r.During("P7", "Close returns while others submit")
		r.Together(submitter, submitter, func() {
			harness.Pause(rng)
			if err := p.Close(); err != nil {
				r.Report("P6", "Close returned %v", err)
			}
		})
		r.Check(ran.Load() == accepted.Load(), "P7", "%d submissions were accepted, and %d were run when Close had returned", accepted.Load(), ran.Load())
		r.During("P7", "Wait returns for jobs whose submission raced with Close")
		for _, h := range handles {
			await(r, h)
		}
	}
}

// closeRacesRun closes while others call Run.
func (s poolSuite) closeRacesRun(r *run) {
	for round := 0; r.More(round, 20); round++ {
		p := s.start(r, 2)
		var closed atomic.Bool
		caller := func() {
			for {
				n, err := pool.Run(background, p, func(w *pool.Worker, n int) int {
					if closed.Load() {
						r.Report("P6", "a job runs after Close has returned")
					}
					return fib(w, n)
				}, 6)
				if errors.Is(err, pool.ErrClosed) {
					return
				}
				if n != 8 || err != nil {
					r.Report("P7", "Run that raced with Close returned %d, %v, want 8, or ErrClosed", n, err)
					return
				}
				runtime.Gosched()
			}
		}
		rng := harness.NewRNG()
		r.During("P7", "Close returns while others call Run")
		r.Together(caller, caller, caller, func() {
			harness.Pause(rng)
			if err := p.Close(); err != nil {
				r.Report("P6", "Close returned %v", err)
			}
			closed.Store(true)
		})
	}
}

// nothingLeftBehind makes and closes pools, and looks for leftovers.
func (s poolSuite) nothingLeftBehind(r *run) {
	before := harness.GoroutinesNow()
	const pools = 10
	refs := make([]weak.Pointer[pool.Pool], pools)
	for i := range refs {
		func() {
			p := s.start(r, 1+i%4)
			refs[i] = weak.Make(p)
			ended, cancel := context.WithCancel(background)
			cancel()
			if i > 0 { // the first one is closed unused
				enter(r, p, func(w *pool.Worker) int { return fib(w, 12) })
				submit(r, p, func(*pool.Worker) int { return 0 }).Wait(ended)
				h := submit(r, p, func(*pool.Worker) int { runtime.Goexit(); return 0 })
				h.Wait(background)
				endWithoutWorker(r, p)
				await(r, submit(r, p, func(w *pool.Worker) int { return waitForNext(r, w, 10) }))
			}
			if i%3 == 2 { // it ends by itself, although its Shutdown was given up
				r.During("P25", "a pool ends whose Shutdown was given up, and whose jobs have ended")
				r.Until(func() bool { return p.Shutdown(ended) == nil })
				r.UnwatchPool(p)
				return
			}
			s.close(r, p)
		}()
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P8", "goroutines are left after Close or Shutdown: %v", err)
	}
	r.During("P8", "closed pools are collected")
	r.Until(func() bool {
		runtime.GC()
		for _, ref := range refs {
			if ref.Value() != nil {
				return false
			}
		}
		return true
	})
}

// endWithoutWorker has a job come back from Block when others have all workers, and
// end.
func endWithoutWorker(r *run, p *pool.Pool) {
	var free func()
	await(r, submit(r, p, func(w *pool.Worker) int {
		w.Block(func() { free = blockWorkers(r, p, p.Workers()) })
		return 0
	}))
	free()
}

// waitForNext has a job submit the next one and wait for it, and so on: so many wait
// at once, on any number of workers.
func waitForNext(r *run, w *pool.Worker, left int) int {
	if left == 0 {
		return 0
	}
	h, err := pool.Submit(w.Pool(), func(w *pool.Worker) int { return waitForNext(r, w, left-1) })
	if err != nil {
		r.Report("P1", "Submit in a job returned the error %v", err)
		return 0
	}
	n, err := h.Join(w)
	if err != nil {
		r.Report("P1", "Join of a handle returned the error %v", err)
	}
	return n + 1
}
