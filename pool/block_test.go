package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// submitted is Submit that cannot fail.
func submitted[R any](t testing.TB, p *pool.Pool, fn func(*pool.Worker) R) *pool.Handle[R] {
	t.Helper()
	h, err := pool.Submit(p, fn)
	if err != nil {
		t.Fatalf("P1: Submit returned the error %v", err)
	}
	return h
}

// What the function of Block may call, and what it gets.
func TestInsideBlock(t *testing.T) {
	inBlock := func(t *testing.T, fn func(w *pool.Worker, p *pool.Pool)) {
		t.Helper()
		for _, workers := range []int{1, 2} {
			p := newPool(t, pool.WithWorkers(workers))
			n, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
				w.Block(func() { fn(w, p) })
				return fib(w, 10)
			}, 0)
			if n != 55 || err != nil {
				t.Errorf("P19: the job gave %d and %v after Block", n, err)
			}
		}
	}
	refused := func(t *testing.T, f func()) {
		t.Helper()
		if v := fmt.Sprint(recovered(f)); !strings.Contains(v, "in the function of Block") {
			t.Errorf("P29: in Block it panics with %q, want that it says so", v)
		}
	}
	subtest(t, "block", "P19", "Block in Block is a call", func(t *testing.T) {
		inBlock(t, func(w *pool.Worker, _ *pool.Pool) {
			called := false
			w.Block(func() { called = true })
			if !called {
				t.Error("P19: the inner function was not called")
			}
		})
	})
	subtest(t, "fork", "P19", "a fork in Block is refused", func(t *testing.T) {
		inBlock(t, func(w *pool.Worker, _ *pool.Pool) {
			refused(t, func() { pool.Fork(w, fib, 5) })
			refused(t, func() { pool.Invoke(w, fib, 5, fib, 5) })
			refused(t, pool.LoopsOf(w).Publish)
		})
	})
	subtest(t, "join", "P19", "a join in Block is refused", func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(2))
		pool.Run(background, p, func(w *pool.Worker, _ int) int {
			f := pool.Fork(w, fib, 5)
			w.Block(func() { refused(t, func() { f.Join(w) }) })
			return f.Join(w)
		}, 0)
	})
	subtest(t, "spawn", "P19", "Spawn in Block is refused", func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(2))
		pool.Run(background, p, func(w *pool.Worker, _ int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				w.Block(func() { refused(t, func() { s.Spawn(w, func(*pool.Worker) {}) }) })
			})
			return 0
		}, 0)
	})
	subtest(t, "scope", "P19", "a scope and a group in Block are refused", func(t *testing.T) {
		inBlock(t, func(w *pool.Worker, _ *pool.Pool) {
			refused(t, func() { w.Scope(func(*pool.Worker, *pool.Scope) {}) })
			refused(t, func() {
				w.Group(background, func(context.Context, *pool.Worker, *pool.Group) error { return nil })
			})
		})
	})
	subtest(t, "close", "P6", "Close in Block is refused", func(t *testing.T) {
		inBlock(t, func(_ *pool.Worker, p *pool.Pool) {
			if err := p.Close(); err != pool.ErrCloseInJob {
				t.Errorf("P6: Close in Block returned %v", err)
			}
		})
	})
	subtest(t, "run", "P19", "Run in Block goes on as the job", func(t *testing.T) {
		inBlock(t, func(_ *pool.Worker, p *pool.Pool) {
			if n, err := pool.Run(background, p, fib, 12); n != 144 || err != nil {
				t.Errorf("P19: Run in Block returned %d and %v", n, err)
			}
		})
	})
	subtest(t, "wait", "P19", "Wait in Block begins the job", func(t *testing.T) {
		inBlock(t, func(_ *pool.Worker, p *pool.Pool) {
			h := submitted(t, p, func(w *pool.Worker) int { return fib(w, 12) })
			if n, err := h.Wait(background); n != 144 || err != nil {
				t.Errorf("P19: Wait in Block returned %d and %v", n, err)
			}
		})
	})
	subtest(t, "deadline", "P19", "Wait in Block ends with its context", func(t *testing.T) {
		inBlock(t, func(_ *pool.Worker, p *pool.Pool) {
			release := make(chan bool)
			h := submitted(t, p, func(*pool.Worker) int { <-release; return 1 })
			ctx, cancel := context.WithTimeout(background, time.Millisecond)
			defer cancel()
			if _, err := h.Wait(ctx); err != context.DeadlineExceeded {
				t.Errorf("P19: Wait in Block returned %v, want the end of its context", err)
			}
			close(release)
		})
	})
}

// If this fails, a function that does not return leaves its job without a seat, or
// two with one.
func TestBlockThatDoesNotReturn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		subtest(t, fmt.Sprint("panic/", workers), "P19", "a panic passes through Block", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(workers))
			n, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
				if v := recovered(func() { w.Block(func() { panic(errBoom) }) }); v != errBoom {
					t.Errorf("P2: Block panicked with %v", v)
				}
				return fib(w, 10)
			}, 0)
			if n != 55 || err != nil {
				t.Errorf("P2: a job that has recovered the panic of Block gave %d and %v", n, err)
			}
		})
		subtest(t, fmt.Sprint("goexit/", workers), "P3", "a Goexit passes through Block", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(workers))
			h := submitted(t, p, func(w *pool.Worker) int {
				w.Block(runtime.Goexit)
				return 1
			})
			if _, err := h.Wait(background); err != pool.ErrGoexit {
				t.Errorf("P3: Wait returned %v, want ErrGoexit", err)
			}
			if n, err := pool.Run(background, p, fib, 10); n != 55 || err != nil {
				t.Errorf("P3: a job after it gave %d and %v", n, err)
			}
		})
	}
}

// If this fails, Close does not wait for a job in Block, or that hangs when the
// pool closes.
func TestCloseWhileInBlock(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	during(t, "P6", "Close returns when a job that is in Block has ended", func() {
		inside, release := make(chan bool), make(chan bool)
		h := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { close(inside); <-release })
			n, err := pool.Run(background, p, fib, 10)
			if err != nil {
				t.Errorf("P6: Run in a job of a pool that closes returned %v", err)
			}
			return n
		})
		<-inside
		closed := make(chan error)
		go func() { closed <- p.Close() }()
		until(t, "the pool closes", func() bool {
			_, err := pool.Submit(p, func(*pool.Worker) int { return 0 })
			return err == pool.ErrClosed
		})
		select {
		case <-closed:
			t.Error("P6: Close returned while a job was in Block")
		default:
			close(release)
			if err := <-closed; err != nil {
				t.Errorf("P6: Close returned the error %v", err)
			}
		}
		if n, err := h.Wait(background); n != 55 || err != nil {
			t.Errorf("P6: the job gave %d and %v", n, err)
		}
	})
}

// A job that comes back from Block while all seats are taken goes on without one,
// and what it forks then can run elsewhere as soon as a seat is free.
func TestSeatless(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P19", "a job goes on without a seat", func() {
		back, release := make(chan bool), make(chan bool)
		first := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { <-back })
			forks := pool.Fork(w, fib, 12)
			n := fib(w, 10)
			close(release)
			return n + forks.Join(w) + fib(w, 10)
		})
		second := submitted(t, p, func(*pool.Worker) int { close(back); <-release; return 1 })
		if n, err := first.Wait(background); n != 55+144+55 || err != nil {
			t.Errorf("P19: the job without a seat gave %d and %v", n, err)
		}
		if n, err := second.Wait(background); n != 1 || err != nil {
			t.Errorf("P19: the job with the only seat gave %d and %v", n, err)
		}
	})
	if n := p.Stats().Seatless; n == 0 {
		t.Error("P26: Stats.Seatless: a job went on without a seat, and the count is 0")
	}
}

// If this fails, the counts of a pool at rest are not exact: a job that goes on without
// a seat, and comes back from Block to find all taken again, does so twice.
func TestSeatlessAgain(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P19", "a job goes on without a seat, twice", func() {
		taken, release := make(chan bool), make(chan bool)
		first := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { <-taken })
			w.Block(func() {})
			close(release)
			return 1
		})
		second := submitted(t, p, func(*pool.Worker) int { close(taken); <-release; return 1 })
		for _, h := range []*pool.Handle[int]{first, second} {
			if n, err := h.Wait(background); n != 1 || err != nil {
				t.Errorf("P19: a job, of two of which one has the only seat, gave %d and %v", n, err)
			}
		}
	})
	if n := p.Stats().Seatless; n != 2 {
		t.Errorf("P26: Stats.Seatless: a job has come back from Block twice when another had the only seat, and the count is %d, want 2", n)
	}
}

// If this fails, a worker that outlives its job takes a seat that nobody gives
// back.
func TestBlockAfterTheJob(t *testing.T) {
	if raceEnabled {
		t.Skip("it is a race, and the race detector says so")
	}
	// Then Run takes the seat itself, and has given it back when it returns. The worker
	// of a job that was queued has not noticed its end as Run returns.
	p := asleep(t, newPool(t, pool.WithWorkers(1)))
	var kept *pool.Worker
	during(t, "P19", "Run, and then Block of its worker", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int { kept = w; return 0 }, 0)
		v := fmt.Sprint(recovered(func() { kept.Block(func() {}) }))
		if !strings.Contains(v, "used by something else than its job") {
			t.Errorf("P29: Block of a worker whose job has ended: %q", v)
		}
	})
}

// A job beneath gets its seat back for a Run, and gives it up again after it, as long as the
// job above is in Block. If this fails, what that waits for has no worker.
func TestRunInBlockLeavesTheSeatBeneath(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(1)), newPool(t, pool.WithWorkers(1))
	during(t, "P19", "a job in Block, on top of one of another pool, waits for that one's pool after a Run there", func() {
		mustRun(t, p, func(*pool.Worker, int) int {
			return mustRun(t, q, func(w *pool.Worker, _ int) int {
				w.Block(func() {
					if _, err := pool.RunHere(p, fib, 5); err != nil {
						t.Errorf("P19: RunHere returned the error %v", err)
					}
					done := make(chan bool)
					submitted(t, p, func(*pool.Worker) int { close(done); return 0 })
					<-done
				})
				return 0
			}, 0)
		}, 0)
	})
}

// If this fails, a Spawn that panics has made a job all the same.
func TestSpawnInBlockMakesNoJob(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	ran := 0
	refused := func(w *pool.Worker, spawn func()) {
		wantPanic(t, "P29: Spawn", "in the function of Block", func() { w.Block(spawn) })
	}
	during(t, "P29", "a Spawn in Block", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				refused(w, func() { s.Spawn(w, func(*pool.Worker) { ran++ }) })
			})
			w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				refused(w, func() { g.Spawn(w, func(context.Context, *pool.Worker) error { ran++; return nil }) })
				return nil
			})
			return 0
		}, 0)
	})
	if ran != 0 {
		t.Errorf("P29: a Spawn in Block panics, and %d of 2 jobs have run all the same", ran)
	}
}
