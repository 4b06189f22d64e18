package conformance

import (
	"runtime"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// kept has many jobs wait at once, in each way, and counts the goroutines that
// the pool keeps when all have ended, and after Close.
func (s poolSuite) kept(r *run) {
	for _, workers := range []int{1, 2, 4} {
		before, baseline := harness.GoroutinesNow(), runtime.NumGoroutine()
		p := s.start(r, workers)
		r.During("P1", "jobs end, many of which wait at once, on %d workers", workers)
		chainHandles(r, p, 300)
		if workers > 1 {
			joinOne(r, p, 300)
		}
		r.Rounds(5, func(int) {
			manyJobs(r, p, 20, func(w *pool.Worker) { anyWait(r, w, small) })
		})
		r.During("P18", "a pool of %d workers, at rest, keeps at most as many goroutines; without it there are %d", workers, baseline)
		// The goroutines of callers that have ended go, too. So does what other
		// tests have left to end, which makes the check less strict.
		r.Until(func() bool { return runtime.NumGoroutine() <= baseline+workers })
		enter(r, p, func(w *pool.Worker) int { return fib(w, 10) })
		r.Until(func() bool { return runtime.NumGoroutine() <= baseline+workers })
		s.close(r, p)
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P8", "goroutines are left after Close of a pool in which many jobs have waited: %v", err)
	}
}
