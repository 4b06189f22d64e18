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

func TestSubmitAll(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P1", "jobs of SubmitAll return", func() {
		var ran atomic.Int32
		for _, n := range []int{0, 1, 2, 50} {
			for i, h := range submittedAll(t, p, numbered(n, &ran)...) {
				equal(t, result(t, h), i, "P1: job %d of %d of SubmitAll gave", i, n)
			}
		}
		do(t, p, func(w *pool.Worker) {
			for i, h := range submittedAll(t, p, numbered(10, &ran)...) {
				returns(t, i, "P1: Join of job %d of SubmitAll returned", i)(h.Join(w))
			}
		})
		equal(t, ran.Load(), 63, "P1: of 63 jobs of SubmitAll the number that ran is")
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

// A seat takes several jobs from the queue at once. If this fails, a job may begin
// long before others that were submitted earlier, or a seat turns around what it takes.
func TestSubmitOrder(t *testing.T) {
	const jobs = 100
	const batch = 16 // as documented: job k begins after all before k-16 were taken
	for _, blocks := range []bool{false, true} {
		// The first two jobs take the seats of the workers, which sleep. So the goroutines
		// that come to the others have borrowed theirs.
		p := asleep(t, poolOf(t, 2))
		during(t, "P4", "submitted jobs are run by one of two workers", func() {
			_, free := held(t, p)
			_, freeOther := held(t, p)
			// Nothing runs now, so all are queued. Only one worker runs them: the other
			// one is blocked by its first job, or by the one that it has.
			var order []int
			first, all := make(chan bool), make(chan bool)
			for i := range jobs {
				submitted(t, p, func(*pool.Worker) int {
					order = append(order, i)
					switch {
					case i == 0 && blocks:
						close(first)
						<-all
					case len(order) == jobs:
						close(all)
					}
					return i
				})
			}
			free()
			if blocks {
				<-first
				freeOther()
			}
			<-all
			if !blocks {
				freeOther()
				expect(t, slices.IsSorted(order), "P1: one worker of two ran submitted jobs in the order %v, want that of their submission", order)
				return
			}
			// What the first worker has taken is run before the queue is looked at. So
			// what was taken has begun when a later one comes out of the queue.
			next := 0 // all before it have begun
			has := make([]bool, jobs)
			for _, k := range order {
				check(t, next >= k-batch, "P1: job %d began before job %d, want all before job %d to have been taken from the queue; "+
					"the order was %v", k, next, k-batch, order)
				for has[k] = true; next < jobs && has[next]; {
					next++
				}
			}
		})
	}
}
