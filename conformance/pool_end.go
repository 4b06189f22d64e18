package conformance

import (
	"context"
	"runtime"
	"weak"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

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
				blockAndEndAsGuest(r, p)
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

// blockAndEndAsGuest has a job come back from Block while others have all workers, and
// end.
func blockAndEndAsGuest(r *run, p *pool.Pool) {
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
