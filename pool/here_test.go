package pool_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// busyPool returns a pool whose only worker has a job until release is called.
func busyPool(t *testing.T) (p *pool.Pool, release func()) {
	p = newPool(t, pool.WithWorkers(1))
	return p, hold(t, p, 1)
}

// If this fails, a loop with a lock held hangs behind jobs that want the lock.
func TestRunHereWaitsForNoSeat(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P31", "RunHere while the only worker has a job", func() {
		n, err := pool.RunHere(p, func(w *pool.Worker, n int) int {
			if pool.LoopsOf(w).CanShare() {
				t.Error("P31: Loops.CanShare is true while all seats are taken")
			}
			return fib(w, n)
		}, 12)
		if n != 144 || err != nil {
			t.Errorf("P31: RunHere returned %d and %v, want 144", n, err)
		}
	})
	if n := p.Stats().Seatless; n != 1 {
		t.Errorf("Stats.Seatless: a RunHere went on without a seat, and the count is %d, want 1", n)
	}
	release()
	// The job's handle is told before the worker sleeps, so the first ones may find no seat.
	during(t, "P31", "RunHere while the worker sleeps", func() {
		until(t, "a RunHere takes the seat of the worker, and Stats.Seatless is as before", func() bool {
			before := p.Stats().Seatless
			if n, err := pool.RunHere(p, fib, 12); n != 144 || err != nil {
				t.Errorf("P31: RunHere returned %d and %v, want 144", n, err)
			}
			return p.Stats().Seatless == before
		})
	})
}

// If this fails, the first element of a stream waits for a worker that is not free, or for none.
func TestIdle(t *testing.T) {
	p, release := busyPool(t)
	if p.Idle() {
		t.Error("P31: Idle is true while the only worker has a job")
	}
	release()
	until(t, "the worker has nothing to do, and Idle is true", p.Idle)
}

// If this fails, what a RunHere without a seat forks is never the pool's, however many
// workers sleep.
func TestRunHereTakesSeatLater(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P31", "a RunHere without a seat forks until it has one, which is free now", func() {
		pool.RunHere(p, func(w *pool.Worker, _ int) int {
			release()
			for !pool.LoopsOf(w).CanShare() {
				runtime.Gosched()
			}
			f := pool.Fork(w, fib, 1)
			f.Join(w)
			return 0
		}, 0)
	})
	if n := p.Stats().Seatless; n != 1 {
		t.Errorf("Stats.Seatless: a RunHere has taken a seat as it forked, and the count is %d, want 1", n)
	}
}

// yields returns a condition that holds once the job of h has ended, and calls Yield until
// then.
func yields(w *pool.Worker, h *pool.Handle[int]) (ended func() bool) {
	done := h.Done()
	return func() bool {
		select {
		case <-done:
			return true
		default:
			pool.LoopsOf(w).Yield()
			return false
		}
	}
}

// If this fails, what is queued waits for the end of a loop, which may be endless.
func TestYield(t *testing.T) {
	p, release := busyPool(t)
	defer release()
	var running, most atomic.Int32
	var hs []*pool.Handle[int]
	for range 20 {
		hs = append(hs, submitted(t, p, func(*pool.Worker) int {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(time.Millisecond)
			return 1
		}))
	}
	during(t, "P31", "jobs of the queue begin in Yield", func() {
		pool.RunHere(p, func(w *pool.Worker, _ int) int {
			for i, h := range hs {
				until(t, fmt.Sprintf("job %d has begun in Yield, and ended", i), yields(w, h))
			}
			return 0
		}, 0)
	})
	if n := most.Load(); n != 1 {
		t.Errorf("P31: on a pool with one worker, Yield has %d jobs run at once", n)
	}
}

// If this fails, a job that Yield has begun, and that no longer runs as one more, keeps
// others from it.
func TestYieldBeside(t *testing.T) {
	other := newPool(t, pool.WithWorkers(1))
	for name, first := range map[string]func(w *pool.Worker, second func() *pool.Handle[int]){
		"block": func(w *pool.Worker, second func() *pool.Handle[int]) {
			h := second()
			w.Block(func() { <-h.Done() })
		},
		"wait": func(w *pool.Worker, second func() *pool.Handle[int]) {
			h := second()
			submitted(t, other, func(*pool.Worker) int { <-h.Done(); return 1 }).Join(w)
		},
		"seat": func(w *pool.Worker, second func() *pool.Handle[int]) {
			until(t, "the worker that is released sleeps, and its seat can be taken", pool.LoopsOf(w).CanShare)
			<-second().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, release := busyPool(t)
			var begun, released atomic.Bool
			var releasing sync.WaitGroup
			second := func() *pool.Handle[int] { return submitted(t, p, func(*pool.Worker) int { return 2 }) }
			h := submitted(t, p, func(w *pool.Worker) int { begun.Store(true); first(w, second); return 1 })
			during(t, "P31", "a job begins in Yield, beside one that "+name+"s", func() {
				pool.RunHere(p, func(w *pool.Worker, _ int) int {
					ended := yields(w, h)
					until(t, "both jobs have begun in Yield, and ended", func() bool {
						if name == "seat" && begun.Load() && released.CompareAndSwap(false, true) {
							releasing.Go(release) // a job that waits for it may go on with the seat
						}
						return ended()
					})
					return 0
				}, 0)
			})
			if released.CompareAndSwap(false, true) {
				release()
			}
			releasing.Wait()
		})
	}
}

func TestRunHereInJob(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P4", "RunHere in a job of the only worker", func() {
		enter := func(w *pool.Worker, _ int) *pool.Worker {
			v, err := pool.RunHere(p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
			if err != nil {
				t.Errorf("P4: RunHere in a job returned %v", err)
			}
			if v != w {
				t.Error("P4: RunHere in a job has another worker than the job")
			}
			return v
		}
		if _, err := pool.Run(background, p, enter, 0); err != nil {
			t.Error(err)
		}
	})
}

func TestRunHereRefuses(t *testing.T) {
	wantPanic(t, "P1", "nil function", func() { pool.RunHere[int, int](pool.Default(), nil, 0) })
	wantPanic(t, "P1", "nil pool", func() { pool.RunHere(nil, fib, 1) })
	p := newPool(t, pool.WithWorkers(1))
	in, _ := pool.Run(background, p, func(w *pool.Worker, _ int) int {
		go p.Close()
		w.Block(func() {
			for err := error(nil); err == nil; {
				_, err = pool.Submit(p, func(*pool.Worker) int { return 0 })
				runtime.Gosched()
			}
		})
		n, err := pool.RunHere(p, fib, 12)
		if err != nil {
			t.Errorf("P6: RunHere in a job of a pool that is closing returned %v", err)
		}
		return n
	}, 0)
	if in != 144 {
		t.Errorf("P6: RunHere in a job of a pool that is closing gave %d, want 144", in)
	}
	p.Close()
	if n, err := pool.RunHere(p, fib, 12); n != 0 || err != pool.ErrClosed {
		t.Errorf("P6: RunHere of a closed pool returned %d and %v, want ErrClosed", n, err)
	}
}

// If this fails, a panic of a RunHere without a seat loses the worker, or its forks.
func TestRunHerePanics(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P2", "a RunHere without a seat panics", func() {
		v := recovered(func() {
			pool.RunHere(p, func(w *pool.Worker, _ int) int {
				pool.Fork(w, fib, 10)
				panic(errBoom)
			}, 0)
		})
		if v != errBoom {
			t.Errorf("P2: it panics with %v, want %v", v, errBoom)
		}
	})
	release()
	if n, err := pool.Run(background, p, fib, 12); n != 144 || err != nil {
		t.Errorf("P2: after the panic, Run returned %d and %v", n, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// If this fails, a goroutine that waits keeps a worker from what it waits for.
func TestBlockHere(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	wait := func(q *pool.Pool) { // for a job that needs the only worker
		h := submitted(t, q, func(*pool.Worker) int { return 1 })
		pool.BlockHere(func() { <-h.Done() })
	}
	during(t, "P31", "BlockHere leaves the worker of its job to others", func() {
		wait(p) // outside of jobs it is a call
		pool.Run(background, p, func(w *pool.Worker, _ int) int {
			wait(p)
			w.Block(func() { wait(p) })
			for name, inside := range map[string]func(){
				"BlockHere": func() { wait(p) },
				"Block":     func() { w.Block(func() { wait(p) }) },
				"Run": func() {
					mustRun(t, p, func(*pool.Worker, int) int { return 0 }, 0)
				},
				"a BlockHere, then RunHere": func() {
					wait(p)
					pool.RunHere(p, fib, 5)
				},
				"a Run of another pool": func() {
					mustRun(t, newPool(t, pool.WithWorkers(1)), func(*pool.Worker, int) int { wait(p); return 0 }, 0)
				},
				"a panic": func() {
					if v := recovered(func() { pool.BlockHere(func() { panic(errBoom) }) }); v != errBoom {
						t.Errorf("P31: a BlockHere in another one panics with %v, want %v", v, errBoom)
					}
				},
			} {
				pool.BlockHere(func() {
					inside()
					h := submitted(t, p, func(*pool.Worker) int { return 1 })
					during(t, "P31", name+" in BlockHere leaves the worker to others when it is over", func() { <-h.Done() })
				})
			}
			wantPanic(t, "P29: BlockHere", "in the function of Block", func() { pool.BlockHere(func() { pool.Fork(w, fib, 5) }) })
			return fib(w, 5)
		}, 0)
		q := newPool(t, pool.WithWorkers(1))
		pool.Run(background, p, func(*pool.Worker, int) int {
			n, _ := pool.Run(background, q, func(*pool.Worker, int) int { wait(p); return 0 }, 0)
			return n
		}, 0)
	})
}

// If this fails, a panic that nobody is told of passes for success.
func TestExpose(t *testing.T) {
	told := make(chan any, 2)
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) { told <- e.Value }))
	during(t, "P24", "the handler is called with a panic that was exposed", func() {
		p.Expose(&pool.PanicError{Value: 1})
		if v := <-told; v != 1 {
			t.Errorf("P24: Expose of the panic 1 calls the handler with %v", v)
		}
		p.Close()
		p.Expose(&pool.PanicError{Value: 2})
		if v := <-told; v != 2 {
			t.Errorf("P24: Expose of the panic 2, after Close, calls the handler with %v", v)
		}
	})
}
