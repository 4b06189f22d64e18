package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// busyPool returns a pool whose only worker has a job until release is called.
func busyPool(t *testing.T) (p *pool.Pool, release func()) {
	p = poolOf(t, 1)
	return p, hold(t, p, 1)
}

// If this fails, a loop with a lock held hangs behind jobs that want the lock; or a guest that forks
// never takes the seat of a worker, however many sleep.
func TestRunHereWaitsForNoSeat(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P31", "RunHere while the only worker has a job, and forks until it has a seat, which is free then", func() {
		returns(t, 144, "P31: RunHere returned")(pool.RunHere(p, func(w *pool.Worker, n int) int {
			equal(t, p.Stats().RunningSeatless, 1, "Stats.RunningSeatless: a RunHere runs beside a job of the only worker; the count is")
			n = fib(w, n)
			equal(t, p.Stats().Seatless, 1, "Stats.Seatless: a RunHere runs as a guest; the count is")
			release()
			until(t, "a guest that forks takes the seat of a worker that sleeps", func() bool {
				fork(w, nothing).Join(w)
				return p.Stats().RunningSeatless == 0
			})
			return n
		}, 12))
	})
	// The job's handle is told before the worker sleeps, so the first ones may find no seat.
	during(t, "P31", "RunHere while the worker sleeps", func() {
		until(t, "a RunHere takes the seat of the worker, and Stats.Seatless is as before", func() bool {
			before := p.Stats().Seatless
			returns(t, 144, "P31: RunHere returned")(pool.RunHere(p, fib, 12))
			return p.Stats().Seatless == before
		})
	})
}

// If this fails, the first element of a stream waits for a worker that is not free, or for none.
func TestIdle(t *testing.T) {
	p, release := busyPool(t)
	expect(t, !p.Idle(), "P31: Idle is true while the only worker has a job")
	release()
	until(t, "the worker has nothing to do, and Idle is true", p.Idle)
}

// If this fails, a RunHere in a job is another worker than that; or it is not refused by a pool that is
// closed, or is in a job of one that closes.
func TestRunHereInJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P4", "RunHere in a job of the only worker, and then of a pool that closes", func() {
		var closed chan error
		do(t, p, func(w *pool.Worker) {
			v, err := pool.RunHere(p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
			expect(t, v == w && err == nil, "P4: RunHere in a job has another worker than the job, or returned the error %v", err)
			closed = going(p.Close)
			w.Block(func() { refuses(t, p) })
			returns(t, 144, "P6: RunHere in a job of a pool that is closing returned")(pool.RunHere(p, fib, 12))
		})
		noError(t, <-closed, "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: RunHere of a closed pool returned")(pool.RunHere(p, fib, 12))
	})
}

// If this fails, a panic of a RunHere as a guest loses the worker, or its forks.
func TestRunHerePanics(t *testing.T) {
	p, release := busyPool(t)
	during(t, "P2", "a RunHere panics as a guest", func() {
		v := recovered(func() {
			pool.RunHere(p, func(w *pool.Worker, _ int) int {
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
			p.Expose(&pool.PanicError{Value: i})
			equal(t, <-told, any(i), "P24: Expose of a panic calls the handler with")
			p.Close()
		}
	})
}

// Two short calls in a row make the next one brief, and a long one ends that.
func TestNotes(t *testing.T) {
	p := poolOf(t, 1)
	brief := func(key uint64, want bool, when string) {
		t.Helper()
		equal(t, p.Brief(key), want, "P31: %s, and whether a call with key %d is brief is", when, key)
	}
	brief(7, false, "nothing is known")
	p.Note(7, false)
	p.Note(7, true)
	brief(7, false, "one was short")
	p.Note(7, true)
	brief(7, true, "two were short")
	brief(8, false, "two of another key were short")
	p.Note(7, true)
	brief(7, true, "three were short")
	p.Note(7, false)
	brief(7, false, "the last one was long")
	p.Note(7, true)
	brief(7, false, "one was short since")
	brief(0, false, "nothing is known")
}

// Notes that have no room any more are lost, and none is taken for another one's. They allocate
// nothing once there are some, and a pool of which no call was short has none.
func TestNotesOfMany(t *testing.T) {
	p := poolOf(t, 1)
	for _, short := range []bool{false, true} {
		n := testing.AllocsPerRun(100, func() { p.Note(5, short); p.Brief(5) })
		expect(t, n == 0, "P31: a note, of a short call: %t, allocates %v times", short, n)
		p.Note(5, true)
	}
	const many = 100_000
	for key := range uint64(many) {
		p.Note(key<<4, true)
		p.Note(key<<4, true)
		check(t, p.Brief(key<<4), "P31: two short calls with key %d, and the next one is not brief", key<<4)
	}
	left := 0
	for key := range uint64(many) {
		if p.Brief(key << 4) {
			left++
		}
		check(t, !p.Brief(key<<4|1), "P31: a call with key %d is brief, and there was none", key<<4|1)
	}
	expect(t, left >= 500 && left <= 1024, "P31: of %d notes %d are left, want about a thousand", many, left)
}
