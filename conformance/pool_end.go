package conformance

import (
	"context"
	"runtime"
	"sync/atomic"
	"weak"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

var poolEnd = []poolCase{
	{"CloseDrains", "P6", 2, closeDrains},
	{"CloseAtOnce", "P6", 4, func(*run, *pool.Pool) {}},
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
	closed := r.Go(func() {
		if err := p.Close(); err != nil {
			r.Report("P6", "Close returned %v", err)
		}
	})
	harness.Pause(r.RNG)
	free()
	r.During("P6", "Close returns when all that was accepted has run")
	r.Wait(closed)
	r.Check(ran.Load() == 50, "P6", "Close returned when %d of 50 accepted jobs had run", ran.Load())
	for _, h := range handles {
		r.Check(await(r, h) == 5, "P6", "a job that was queued before Close gave a wrong result")
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
		r.During("P8", "goroutines end after Close or Shutdown")
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P8", "goroutines are left after Close or Shutdown: %v", err)
	}
	r.During("P8", "closed pools are collected")
	untilCollected(r, refs)
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
	if left > 0 {
		byHandles(r, w, func(w *pool.Worker, left int) int { return waitForNext(r, w, left-1) }, []int{left})
	}
	return 0
}
