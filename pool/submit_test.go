package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

func TestSubmit(t *testing.T) {
	eachMode(t, "P1", "Wait returns the results of 200 submitted jobs", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		var handles []*pool.Handle[int]
		for i := range 200 {
			h, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 8) + i })
			if err != nil {
				t.Fatalf("P1: Submit returned the error %v", err)
			}
			handles = append(handles, h)
		}
		for i, h := range handles {
			for range 2 { // Wait may be called again
				if got, err := h.Wait(background); err != nil || got != 21+i {
					t.Errorf("P1: job %d gave %d, %v, want %d", i, got, err, 21+i)
				}
			}
		}
	})
}

func TestWaitGivenUp(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P1", "Wait returns when its context ends, and in the end the result", func() {
		release := make(chan bool)
		h, err := pool.Submit(p, func(*pool.Worker) int { <-release; return 7 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
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

func TestHandleJoin(t *testing.T) {
	eachMode(t, "P4", "a job gets the results of jobs that it has submitted", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		for _, wait := range []string{"join", "wait"} {
			got := mustRun(t, p, func(w *pool.Worker, _ int) int {
				sum := 0
				for i := range 20 {
					h, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 6) + i })
					if err != nil {
						t.Errorf("P1: Submit returned the error %v", err)
						return 0
					}
					var r int
					if wait == "join" {
						r, err = h.Join(w)
					} else {
						r, err = h.Wait(background) // inside a job: must not block the only worker
					}
					if err != nil {
						t.Errorf("P4: Wait returned the error %v", err)
					}
					sum += r
				}
				return sum
			}, 0)
			if want := 20*8 + 190; got != want {
				t.Errorf("P4: %s: got %d, want %d", wait, got, want)
			}
		}
	})
}

func TestScope(t *testing.T) {
	eachMode(t, "P1", "Scope returns when the last of its jobs has ended", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		var n atomic.Int32
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				var tree func(w *pool.Worker, depth int)
				tree = func(w *pool.Worker, depth int) {
					n.Add(1)
					if depth > 0 {
						s.Spawn(w, func(w *pool.Worker) { tree(w, depth-1) })
						s.Spawn(w, func(w *pool.Worker) { tree(w, depth-1) })
						fib(w, 4)
					}
				}
				tree(w, 9)
			})
			if got := n.Load(); got != 1023 {
				t.Errorf("P1: %d of 1023 jobs had ended when Scope returned", got)
			}
			return 0
		}, 0)
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

func TestRunContext(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "Run returns when its context ends, before the function has begun", func() {
		ended, cancel := context.WithCancelCause(background)
		cancel(errBoom)
		never := func(*pool.Worker, int) int { t.Error("P1: the function began"); return 0 }
		if _, err := pool.Run(ended, p, never, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("P1: Run with an ended context returned %v", err)
		}
		// The only worker is busy: Run waits in the queue until its context ends.
		busy, release := make(chan bool), make(chan bool)
		h, err := pool.Submit(p, func(*pool.Worker) int { close(busy); <-release; return 0 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-busy
		before := p.Stats().Injected
		ctx, cancelQueued := context.WithCancel(background)
		got := make(chan error)
		go func() {
			_, err := pool.Run(ctx, p, never, 0)
			got <- err
		}()
		until(t, "Run is queued", func() bool { return p.Stats().Injected == before+1 })
		cancelQueued()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Errorf("P1: a queued Run whose context ended returned %v", err)
		}
		close(release)
		h.Wait(background)
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
		first, err := pool.Submit(p, func(*pool.Worker) int { close(begun); <-release; return 1 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-begun
		second, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 10) })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
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
			h, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 5) })
			if err != nil {
				t.Fatalf("P1: Submit returned the error %v", err)
			}
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
		leaver, err := pool.Submit(p, func(*pool.Worker) int { close(begun); <-release; runtime.Goexit(); return 0 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-begun
		next, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 10) })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
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

func TestNestedRun(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		subtest(t, fmt.Sprintf("workers=%d", workers), "P4", "calls of Run return that are nested in each other, in forks and through another pool", func(t *testing.T) {
			p, q := newPool(t, pool.WithWorkers(workers)), newPool(t, pool.WithWorkers(1))
			library := func(n int) int { return mustRun(t, p, fib, n) }
			var depth func(w *pool.Worker, n int) int
			depth = func(w *pool.Worker, n int) int {
				if n == 0 {
					return fib(w, 10)
				}
				switch n % 4 {
				case 0:
					return mustRun(t, p, depth, n-1)
				case 1:
					r, err := pool.Run(pool.NewContext(background, w), p, depth, n-1)
					if err != nil {
						t.Errorf("P1: Run returned the error %v", err)
					}
					return r
				case 2:
					return mustRun(t, q, depth, n-1)
				}
				a, b := pool.Both(w, func(w *pool.Worker) int { return depth(w, n-1) }, func(*pool.Worker) int { return library(10) })
				if b != 55 {
					t.Errorf("P4: library got %d", b)
				}
				return a
			}
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for range 20 {
						if got := mustRun(t, p, depth, 12); got != 55 {
							t.Errorf("P4: workers=%d: got %d, want 55", workers, got)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// Many callers from outside at once, more than there are seats: never more
// jobs at once than workers.
func TestForeignCallers(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	during(t, "P11", "calls of Run return, of which there are more than workers", func() {
		var running, most atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				for range 50 {
					mustRun(t, p, func(w *pool.Worker, _ int) int {
						n := running.Add(1)
						for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
						}
						x := plainFib(10) // no join, in which its worker would run another
						running.Add(-1)
						return x
					}, 0)
				}
			})
		}
		all.Wait()
		if n := most.Load(); n > 3 {
			t.Errorf("P11: %d jobs ran at once on 3 workers", n)
		}
	})
}

func TestClose(t *testing.T) {
	eachMode(t, "P7", "Close returns while others submit, and so does a second one", func(t *testing.T, opts ...pool.Option) {
		for range 50 {
			p, err := pool.New(opts...)
			if err != nil {
				t.Fatalf("P29: New returned the error %v", err)
			}
			var accepted, ran atomic.Int32
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for range 20 {
						if _, err := pool.Submit(p, func(w *pool.Worker) int { fib(w, 3); ran.Add(1); return 0 }); err == nil {
							accepted.Add(1)
						} else if err != pool.ErrClosed {
							t.Errorf("P7: Submit returned %v", err)
						}
					}
				})
			}
			for range 2 {
				all.Go(func() {
					if err := p.Close(); err != nil {
						t.Errorf("P6: Close: %v", err)
					}
				})
			}
			all.Wait()
			if a, r := accepted.Load(), ran.Load(); a != r {
				t.Fatalf("P7: %d jobs were accepted, %d ran", a, r)
			}
			if _, err := pool.Run(background, p, fib, 3); err != pool.ErrClosed {
				t.Errorf("P6: Run on a closed pool returned %v", err)
			}
			if _, err := pool.Submit(p, raiser); err != pool.ErrClosed {
				t.Errorf("P6: Submit on a closed pool returned %v", err)
			}
		}
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

func TestCloseInJob(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P6", "Close is refused in a job, and the job returns", func() {
		for name, f := range map[string]func() error{
			"run": func() error {
				return mustRun(t, p, func(*pool.Worker, int) error { return p.Close() }, 0)
			},
			"submit": func() error {
				h, err := pool.Submit(p, func(*pool.Worker) error { return p.Close() })
				if err != nil {
					t.Fatalf("P1: Submit returned the error %v", err)
				}
				err, _ = h.Wait(background)
				return err
			},
		} {
			if err := f(); err != pool.ErrCloseInJob {
				t.Errorf("P6: %s: Close in a job returned %v", name, err)
			}
		}
		mustRun(t, p, fib, 10)
	})
}

// What a job that was accepted runs inside belongs to it, also when the pool
// is closing by then.
func TestNestedRunWhileClosing(t *testing.T) {
	during(t, "P6", "a job that Close waits for runs another inside, and both end", func() {
		p, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		begun, release := make(chan bool), make(chan bool)
		h, err := pool.Submit(p, func(*pool.Worker) int {
			close(begun)
			<-release
			return mustRun(t, p, fib, 10)
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-begun
		closed := make(chan error)
		go func() { closed <- p.Close() }()
		until(t, "the pool is closing", func() bool {
			_, err := pool.Run(background, p, fib, 1)
			return err == pool.ErrClosed
		})
		close(release)
		if got, err := h.Wait(background); got != 55 || err != nil {
			t.Errorf("P6: got %d, %v", got, err)
		}
		if err := <-closed; err != nil {
			t.Errorf("P6: Wait returned the error %v", err)
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
				if _, err := pool.Submit(p, func(*pool.Worker) int {
					close(release)
					closed <- q.Close()
					return 0
				}); err != nil {
					t.Errorf("P1: Submit returned the error %v", err)
				}
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
