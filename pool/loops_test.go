package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// busyPool returns a pool whose only worker has a job until release is called.
func busyPool(t *testing.T) (p *pool.Pool, release func()) {
	p = poolOf(t, 1)
	return p, hold(t, p, 1)
}

// If this fails, a loop with a lock held hangs behind jobs that want the lock; or a guest that forks
// never takes the seat of a worker, however many sleep.
func TestLoopsRunWaitsForNoSeat(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P31", "loops.Run while the only worker has a job, and forks until it has a seat, which is free then", func() {
		returns(t, 144, "P31: loops.Run returned")(runHere(p, func(w *pool.Worker, n int) int {
			equal(t, p.Stats().RunningSeatless, 1, "Stats.RunningSeatless: a loops.Run runs beside a job of the only worker; the count is")
			n = fib(w, n)
			equal(t, p.Stats().Seatless, 1, "Stats.Seatless: a loops.Run runs as a guest; the count is")
			release()
			until(t, "a guest that forks takes the seat of a worker that sleeps", func() bool {
				fork(w, nothing).Join(w)
				return p.Stats().RunningSeatless == 0
			})
			return n
		}, 12))
	})
	// The job's handle is told before the worker sleeps, so the first ones may find no seat.
	during(t, "P31", "loops.Run while the worker sleeps", func() {
		until(t, "a loops.Run takes the seat of the worker, and Stats.Seatless is as before", func() bool {
			before := p.Stats().Seatless
			returns(t, 144, "P31: loops.Run returned")(runHere(p, fib, 12))
			return p.Stats().Seatless == before
		})
	})
}

// If this fails, the first element of a stream waits for a worker that is not free, or for none.
func TestIdle(t *testing.T) {
	p, release := busyPool(t)
	expect(t, !loops.Idle(p), "P31: Idle is true while the only worker has a job")
	release()
	until(t, "the worker has nothing to do, and Idle is true", func() bool { return loops.Idle(p) })
}

// If this fails, a loops.Run in a job is another worker than that; or it is not refused by a pool that is
// closed, or is in a job of one that closes.
func TestLoopsRunInJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P4", "loops.Run in a job of the only worker, and then of a pool that closes", func() {
		var closed chan error
		do(t, p, func(w *pool.Worker) {
			v, err := runHere(p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
			expect(t, v == w && err == nil, "P4: loops.Run in a job has another worker than the job, or returned the error %v", err)
			closed = going(p.Close)
			w.Block(func() { refuses(t, p) })
			returns(t, 144, "P6: loops.Run in a job of a pool that is closing returned")(runHere(p, fib, 12))
		})
		noError(t, <-closed, "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: loops.Run of a closed pool returned")(runHere(p, fib, 12))
	})
}

// If this fails, a panic of a loops.Run as a guest loses the worker, or its forks.
func TestLoopsRunPanics(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P2", "a loops.Run panics as a guest", func() {
		v := recovered(func() {
			runHere(p, func(w *pool.Worker, _ int) int {
				pool.Fork(w, fib, 10)
				return raiser(w)
			}, 0)
		})
		equal(t, v, any(errBoom), "P2: it panics with")
	})
	release()
	equal(t, mustRun(t, p, fib, 12), 144, "P2: after the panic fib(12) is")
}

// If this fails, a panic that nobody is told of passes for success.
func TestExpose(t *testing.T) {
	told := make(chan any, 2)
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) { told <- e.Value }))
	during(t, "P24", "the handler is called with a panic that was exposed, also after Close", func() {
		for i := range 2 {
			loops.Expose(p, &pool.PanicError{Value: i})
			equal(t, <-told, any(i), "P24: Expose of a panic calls the handler with")
			p.Close()
		}
	})
}
