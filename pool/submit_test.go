package pool_test

import (
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/pool"
)

// A job that is submitted while all workers sleep begins on a goroutine that
// takes a seat: nobody is woken. That goroutine then serves the queue.
func TestSubmitToSleepers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := poolOf(t, 1)
		synctest.Wait() // until the worker sleeps, and not only counts as asleep
		wakes := p.Stats().Wakes
		const jobs = 20
		for i := range jobs {
			first, release := held(t, p)
			second := first
			if i == 0 {
				second = submitted(t, p, func(w *pool.Worker) int { return fib(w, 5) + 2 })
			}
			release()
			equal(t, result(t, first)+result(t, second), 14, "S9: two jobs gave")
			synctest.Wait()
		}
		s := p.Stats()
		expect(t, s.Borrowed == jobs && s.Injected == 1,
			"P26: %d jobs took a seat and %d were queued, want %d and 1", s.Borrowed, s.Injected, jobs)
		equal(t, s.Wakes, wakes, "S9: jobs were submitted while the worker slept, or had one, and the number of wakes is")
	})
}

// If this fails, a job for which a worker sleeps is refused because of one that has a
// worker, too, and has not begun.
func TestJobsOfSleepersTakeNoRoom(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so none begins before the test waits
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithQueueLimit(1)))
	release := make(chan bool)
	for i, want := range []error{nil, nil, nil, pool.ErrFull} {
		_, err := pool.Submit(p, func(*pool.Worker) int { <-release; return 0 })
		equal(t, err, want, "P23: with two workers asleep and room for one job, Submit of job %d returned", i)
	}
	close(release)
}
