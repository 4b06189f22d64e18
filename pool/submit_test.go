package pool_test

import (
	"runtime"
	"slices"
	"sync/atomic"
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

func TestSubmitMany(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P1", "submitted jobs return", func() {
		var ran atomic.Int32
		for _, n := range []int{0, 1, 2, 50} {
			for i, h := range submittedAll(t, p, numbered(n, &ran)...) {
				equal(t, result(t, h), i, "P1: job %d of %d gave", i, n)
			}
		}
		do(t, p, func(w *pool.Worker) {
			for i, h := range submittedAll(t, p, numbered(10, &ran)...) {
				returns(t, i, "P1: Join of job %d returned", i)(h.Join(w))
			}
		})
		equal(t, ran.Load(), 63, "P1: of 63 submitted jobs the number that ran is")
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

// If this fails, jobs overtake others that were submitted earlier.
func TestSubmitOrder(t *testing.T) {
	const jobs = 100
	// The first two jobs take the seats of the workers, which sleep. So the goroutines that come
	// to the others have borrowed theirs.
	p := poolOf(t, 2)
	during(t, "P4", "submitted jobs are run by one of two workers", func() {
		_, free := held(t, p)
		_, freeOther := held(t, p)
		// Nothing runs now, so all are queued. Only one worker runs them.
		var order []int
		all := make(chan bool)
		for i := range jobs {
			submitted(t, p, func(*pool.Worker) int {
				if order = append(order, i); len(order) == jobs {
					close(all)
				}
				return i
			})
		}
		free()
		<-all
		freeOther()
		expect(t, slices.IsSorted(order), "P1: one worker of two ran submitted jobs in the order %v, want that of their submission", order)
	})
}
