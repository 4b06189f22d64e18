package pool_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

func TestWaitGivenUp(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P1", "Wait returns when its context ends, and in the end the result", func() {
		release := make(chan bool)
		h := submitted(t, p, func(*pool.Worker) int { <-release; return 7 })
		for range 100 {
			ctx, cancel := context.WithTimeout(background, time.Microsecond)
			if _, err := h.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("P1: Wait returned %v, want that its time is over", err)
			}
			cancel()
		}
		if n := h.Waiters(); n > 1 {
			t.Errorf("P8: %d waiters are kept after 100 waits were given up", n)
		}
		close(release)
		if got, err := h.Wait(background); got != 7 || err != nil {
			t.Errorf("P1: got %d, %v", got, err)
		}
	})
}

func TestSpawnOnOtherPool(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(1)), newPool(t, pool.WithWorkers(1))
	during(t, "P4", "a Scope ends in which a Run on another pool tried to spawn", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			w.Scope(func(_ *pool.Worker, s *pool.Scope) {
				mustRun(t, q, func(v *pool.Worker, _ int) int {
					wantPanic(t, "P29: Scope.Spawn", "another pool", func() { s.Spawn(v, func(*pool.Worker) {}) })
					return 0
				}, 0)
			})
			return 0
		}, 0)
	})
}

// A job that is submitted while all workers sleep begins on a goroutine that
// takes a seat: nobody is woken. That goroutine then serves the queue.
func TestSubmitToSleepers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(1))
		synctest.Wait() // until the worker sleeps, and not only counts as asleep
		wakes := p.Stats().Wakes
		begun, release := make(chan bool), make(chan bool)
		first := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 1 })
		<-begun
		second := submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) })
		close(release)
		for h, want := range map[*pool.Handle[int]]int{first: 1, second: plainFib(10)} {
			if got, err := h.Wait(background); got != want || err != nil {
				t.Errorf("S9: Wait returned %d, %v; want %d", got, err, want)
			}
		}
		synctest.Wait()
		s := p.Stats()
		if s.Borrowed != 1 || s.Injected != 1 {
			t.Errorf("P26: %d jobs took a seat and %d were queued, want 1 of each", s.Borrowed, s.Injected)
		}
		if s.Wakes != wakes {
			t.Errorf("S9: %d workers were woken, want none", s.Wakes-wakes)
		}
	})
}

// If this fails, jobs are queued although a worker sleeps, once some were not.
func TestSubmitGoesOnTakingSeats(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(1))
		const jobs = 20
		for range jobs {
			synctest.Wait() // until the worker sleeps, and not only counts as asleep
			h := submitted(t, p, func(w *pool.Worker) int { return fib(w, 5) })
			if got, err := h.Wait(background); got != plainFib(5) || err != nil {
				t.Errorf("P1: Wait returned %d, %v; want %d", got, err, plainFib(5))
			}
		}
		if s := p.Stats(); s.Injected != 0 {
			t.Errorf("S9: of %d jobs that were submitted while the worker slept, %d were queued, want none", jobs, s.Injected)
		}
	})
}

// A job on a borrowed seat that calls Goexit gives it back, and what is queued
// behind it is done.
func TestSubmittedGoexitGivesBack(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P3", "a job on a borrowed seat calls Goexit, and the job queued behind it is run", func() {
		until(t, "the worker sleeps", func() bool { return p.Sleeping() == 1 })
		begun, release := make(chan bool), make(chan bool)
		leaver := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; runtime.Goexit(); return 0 })
		<-begun
		next := submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) })
		close(release)
		if _, err := leaver.Wait(background); err != pool.ErrGoexit {
			t.Errorf("P3: Wait for a job that called Goexit returned %v", err)
		}
		if got, err := next.Wait(background); got != plainFib(10) || err != nil {
			t.Errorf("P3: the job behind it returned %d, %v", got, err)
		}
		until(t, "the worker sleeps", func() bool { return p.Sleeping() == 1 })
		mustRun(t, p, fib, 10)
	})
}

// When Close returns, the goroutines of the pool have ended, or are about to return.
//
// If this fails, Close has woken the workers, and did not wait for their ends. With one
// processor they are still where they slept, unless Close has waited.
func TestCloseWaits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	during(t, "P8", "Close returns, and no worker is left", func() {
		const sleeper = "pool.(*seat).await("
		before := strings.Count(allStacks(), sleeper)
		p, err := pool.New(pool.WithWorkers(8))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		mustRun(t, p, fib, 15)
		if err := p.Close(); err != nil {
			t.Fatalf("P6: Close returned the error %v", err)
		}
		if left := strings.Count(allStacks(), sleeper) - before; left > 0 {
			t.Errorf("P8: Close has returned, and %d workers have not ended", left)
		}
	})
}

// A job closes the pool in which the job waits that has left it the seat.
func TestCloseWhileSeatIsResumed(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P6", "Close returns in a job of another pool, on the seat of a job that waits in the pool that is closed", func() {
		q, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		asleep(t, p)
		asleep(t, q)
		closed := make(chan error, 1)
		mustRun(t, p, func(*pool.Worker, int) int {
			return mustRun(t, q, func(w *pool.Worker, _ int) int {
				release := make(chan bool)
				f := stolen(t, w, func(*pool.Worker) int { <-release; return 0 })
				submitted(t, p, func(*pool.Worker) int {
					close(release)
					closed <- q.Close()
					return 0
				})
				return f.Join(w) // is set aside, and leaves the seat of p to the job
			}, 0)
		}, 0)
		if err := <-closed; err != nil {
			t.Errorf("P6: Close returned the error %v", err)
		}
	})
}

// If this fails, a job for which a worker sleeps is refused because of one that has a
// worker, too, and has not begun.
func TestJobsOfSleepersTakeNoRoom(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so none begins before the test waits
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithQueueLimit(1)))
	release := make(chan bool)
	blocked := func(*pool.Worker) int { <-release; return 0 }
	var handles []*pool.Handle[int]
	for i, want := range []error{nil, nil, nil, pool.ErrFull} {
		h, err := pool.Submit(p, blocked)
		if err != want {
			t.Errorf("P23: with two workers asleep and room for one job, Submit of job %d returned %v, want %v", i, err, want)
		}
		if err == nil {
			handles = append(handles, h)
		}
	}
	close(release)
	during(t, "P6", "jobs end that were accepted", func() {
		for _, h := range handles {
			if _, err := h.Wait(background); err != nil {
				t.Errorf("P6: Wait returned the error %v", err)
			}
		}
	})
}

// A seat takes several jobs from the queue at once. If this fails, a job may begin
// long before others that were submitted earlier, or a seat turns around what it takes.
func TestSubmitOrder(t *testing.T) {
	const jobs = 100
	const batch = 16 // as documented: job k begins after all before k-16 were taken
	for _, held := range []bool{false, true} {
		// The first two jobs take the seats of the workers, which sleep. So the goroutines
		// that come to the others have borrowed theirs.
		p := asleep(t, newPool(t, pool.WithWorkers(2)))
		free := [2]chan bool{make(chan bool), make(chan bool)}
		for _, c := range free {
			begun := make(chan bool)
			submitted(t, p, func(*pool.Worker) bool { close(begun); return <-c })
			during(t, "P5", "a job begins on an idle worker", func() { <-begun })
		}
		// Nothing runs now, so all are queued. Only one worker runs them: the other
		// one is blocked by its first job, or by the one that it has.
		var order []int
		first, all := make(chan bool), make(chan bool)
		for i := range jobs {
			submitted(t, p, func(*pool.Worker) int {
				order = append(order, i)
				switch {
				case i == 0 && held:
					close(first)
					<-all
				case len(order) == jobs:
					close(all)
				}
				return i
			})
		}
		close(free[0])
		during(t, "P4", "submitted jobs are run by one of two workers", func() {
			if held {
				<-first
				close(free[1])
			}
			<-all
		})
		if !held {
			close(free[1])
			if !slices.IsSorted(order) {
				t.Errorf("P1: one worker of two ran submitted jobs in the order %v, want that of their submission", order)
			}
			continue
		}
		// What the first worker has taken is run before the queue is looked at. So
		// what was taken has begun when a later one comes out of the queue.
		next := 0 // all before it have begun
		has := make([]bool, jobs)
		for _, k := range order {
			if next < k-batch {
				t.Fatalf("P1: job %d began before job %d, want all before job %d to have been taken from the queue; the order was %v", k, next, k-batch, order)
			}
			for has[k] = true; next < jobs && has[next]; {
				next++
			}
		}
	}
}
