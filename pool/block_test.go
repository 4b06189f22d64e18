package pool_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What the function of Block may call: Block, Close, which refuses, and nothing that needs the worker,
// which has no effect but a panic.
func TestInsideBlock(t *testing.T) {
	job := func(*pool.Worker) { t.Error("P29: a job runs whose Spawn has panicked") }
	type in struct {
		w *pool.Worker
		s *pool.Scope
		g *pool.Group
		f pool.Forked[int, int]
	}
	for name, call := range map[string]func(in in){
		"fork":    func(in in) { pool.Fork(in.w, fib, 5) },
		"invoke":  func(in in) { pool.Invoke(in.w, fib, 5, fib, 5) },
		"publish": func(in in) { pool.LoopsOf(in.w).Publish() },
		"join":    func(in in) { in.f.Join(in.w) },
		"spawn":   func(in in) { in.s.Spawn(in.w, job) },
		"spawn in a group": func(in in) {
			in.g.Spawn(in.w, func(_ context.Context, w *pool.Worker) error { job(w); return nil })
		},
		"scope": func(in in) {
			in.w.Scope(func(*pool.Worker, *pool.Scope) {})
		},
		"group": func(in in) {
			in.w.Group(background, func(context.Context, *pool.Worker, *pool.Group) error { return nil })
		},
		"BlockHere": func(in in) {
			pool.BlockHere(func() { pool.Fork(in.w, fib, 5) })
		},
	} {
		subtest(t, name, "P19", name+" in Block is refused", func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				do(t, poolOf(t, workers), func(w *pool.Worker) {
					f := pool.Fork(w, fib, 5)
					w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
						w.Scope(func(w *pool.Worker, s *pool.Scope) {
							w.Block(func() { wantPanic(t, "P29", "in the function of Block", func() { call(in{w, s, g, f}) }) })
						})
						return nil
					})
					equal(t, f.Join(w)+fib(w, 10), 60, "P19: after what Block has refused, the job gives")
				})
			}
		})
	}
	during(t, "P19", "Block and Close in Block", func() {
		p := poolOf(t, 1)
		called := false
		do(t, p, func(w *pool.Worker) {
			w.Block(func() {
				w.Block(func() { called = true })
				equal(t, p.Close(), pool.ErrCloseInJob, "P6: Close in Block returned")
			})
		})
		expect(t, called, "P19: the function of Block in Block was not called")
	})
}

// If this fails, a function that does not return leaves its job without a seat, or
// two with one.
func TestBlockThatDoesNotReturn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		subtest(t, fmt.Sprint("workers=", workers), "P19", "a panic and a Goexit pass through Block", func(t *testing.T) {
			p := poolOf(t, workers)
			do(t, p, func(w *pool.Worker) {
				equal(t, recovered(func() { w.Block(func() { raiseIt(errBoom) }) }), any(errBoom), "P2: Block panicked with")
				equal(t, fib(w, 10), 55, "P2: after the panic of Block fib(10) is")
			})
			h := submitted(t, p, func(w *pool.Worker) int { w.Block(func() { exiter(w) }); return 1 })
			fails(t, pool.ErrGoexit, "P3: a job exits in Block, and Wait returned")(h.Wait(background))
			meet(t, p)
		})
	}
}

// If this fails, Close does not wait for a job in Block, or that hangs when the
// pool closes.
func TestCloseWhileInBlock(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P6", "Close returns when a job that is in Block has ended", func() {
		inside, release := make(chan bool), make(chan bool)
		h := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { close(inside); <-release })
			return mustRun(t, p, fib, 10)
		})
		<-inside
		closed := make(chan error, 1)
		go func() { closed <- p.Close() }()
		refuses(t, p)
		expect(t, len(closed) == 0, "P6: Close returned while a job was in Block")
		close(release)
		noError(t, <-closed, "P6: Close returned")
		equal(t, result(t, h), 55, "P6: the job gave")
	})
}

// A job that comes back from Block while all seats are taken goes on without one, and what it forks
// then can run elsewhere as soon as a seat is free. If it comes back again, and finds all taken again,
// it does so twice, and the counts of a pool at rest are exact.
func TestSeatlessAgain(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P19", "a job goes on without a seat, twice", func() {
		taken, release := make(chan bool), make(chan bool)
		first := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { <-taken })
			w.Block(func() {})
			forks := pool.Fork(w, fib, 12)
			n := fib(w, 10)
			close(release)
			return n + forks.Join(w) + fib(w, 10)
		})
		second := submitted(t, p, func(*pool.Worker) int { close(taken); <-release; return 1 })
		equal(t, result(t, first), 55+144+55, "P19: the job without a seat gave")
		equal(t, result(t, second), 1, "P19: the job with the only seat gave")
	})
	equal(t, p.Stats().Seatless, 2,
		"P26: Stats.Seatless: a job has come back from Block twice when another had the only seat, and the count is")
}

// If this fails, a worker that outlives its job takes a seat that nobody gives
// back.
func TestBlockAfterTheJob(t *testing.T) {
	if raceEnabled {
		t.Skip("it is a race, and the race detector says so")
	}
	// Then Run takes the seat itself, and has given it back when it returns. The worker
	// of a job that was queued has not noticed its end as Run returns.
	p := asleep(t, poolOf(t, 1))
	during(t, "P19", "Run, and then Block of its worker", func() {
		kept := enter(t, p, func(w *pool.Worker) *pool.Worker { return w })
		wantPanic(t, "P29", "used by something else than its job", func() { kept.Block(func() {}) })
	})
}

// A job beneath gets its seat back for a Run, and gives it up again after it, as long as the
// job above is in Block. If this fails, what that waits for has no worker.
func TestRunInBlockLeavesTheSeatBeneath(t *testing.T) {
	p, q := poolOf(t, 1), poolOf(t, 1)
	during(t, "P19", "a job in Block, on top of one of another pool, waits for that one's pool after a Run there", func() {
		do(t, p, func(*pool.Worker) {
			do(t, q, func(w *pool.Worker) {
				w.Block(func() {
					returns(t, 5, "P19: RunHere returned")(pool.RunHere(p, fib, 5))
					<-submitted(t, p, nothing).Done()
				})
			})
		})
	})
}

// If this fails, a goroutine that waits keeps a worker from what it waits for.
func TestBlockHere(t *testing.T) {
	p := poolOf(t, 1)
	wait := func(q *pool.Pool) { // for a job that needs the only worker
		h := submitted(t, q, nothing)
		pool.BlockHere(func() { <-h.Done() })
	}
	during(t, "P31", "BlockHere leaves the worker of its job to others", func() {
		wait(p) // outside of jobs it is a call
		do(t, p, func(w *pool.Worker) {
			wait(p)
			w.Block(func() { wait(p) })
			for name, inside := range map[string]func(){
				"BlockHere":                 func() { wait(p) },
				"Block":                     func() { w.Block(func() { wait(p) }) },
				"Run":                       func() { do(t, p, func(*pool.Worker) {}) },
				"a BlockHere, then RunHere": func() { wait(p); pool.RunHere(p, fib, 5) },
				"a Run of another pool":     func() { do(t, poolOf(t, 1), func(*pool.Worker) { wait(p) }) },
				"a panic": func() {
					v := recovered(func() { pool.BlockHere(func() { panic(errBoom) }) })
					equal(t, v, any(errBoom), "P31: a BlockHere in another one panics with")
				},
			} {
				pool.BlockHere(func() {
					inside()
					h := submitted(t, p, nothing)
					during(t, "P31", name+" in BlockHere leaves the worker to others when it is over", func() { <-h.Done() })
				})
			}
		})
		do(t, p, func(*pool.Worker) { do(t, poolOf(t, 1), func(*pool.Worker) { wait(p) }) })
	})
}
