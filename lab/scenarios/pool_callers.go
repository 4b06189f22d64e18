package scenarios

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// Callers from outside: borrowed seats, the queue, handles, and Runs in jobs.
var poolCallers = []poolCase{
	// The first job is queued just when the seat comes back: the second must
	// not take it.
	{name: "submitted_in_order", rule: "P1", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var last prim.Int32
		nth := func(n int32) *pool.Handle[int] {
			return submit(s, p, func(*pool.Worker) int {
				before := last.Swap(n)
				s.check(before == n-1, "P1", "job %d of one submitter runs after job %d, on the only worker", n, before)
				return 0
			})
		}
		s.holds(p).open()
		nth(1)
		nth(2)
	}},
	// Two callers run at once on one worker: each waits in its job for that of the other.
	{name: "two_runs", rule: "P11", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		one, other := newGate(), newGate()
		run := func(mine, its gate) {
			inside(s, p, func(*pool.Worker) {
				mine.open()
				its.pass()
			})
		}
		s.Go("caller", func() { run(one, other) })
		run(other, one)
	}},
	// A job that was submitted, or the worker itself, has the only seat, beside a caller. It has it
	// alone.
	{name: "seat_had_by_one", rule: "P11", bound: 1, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		job := func(*pool.Worker) int {
			n := running.Add(1)
			s.check(n == 1, "P11", "%d jobs run at once on one worker", n)
			return int(running.Add(-1))
		}
		s.Go("submitter", func() { submit(s, p, job) })
		s.Go("caller", func() { inside(s, p, func(*pool.Worker) {}) })
		submit(s, p, job)
	}},
	{name: "two_waiters", rule: "P1", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		h := submit(s, p, func(*pool.Worker) int { return 7 })
		wait := func() {
			s.is(7, await(s, h), "P1")
		}
		s.Go("waiter", wait)
		wait()
	}},
	// The context of a wait ends once another wait has told the result.
	{name: "told_before_given_up", rule: "P1", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		h := submit(s, p, func(*pool.Worker) int { return 7 })
		s.Go("told", func() {
			await(s, h)
			cancel()
		})
		got, err := h.Wait(ctx)
		s.check(got == 7 && err == nil, "P1", "Wait returned %d, %v for a job that had returned 7 before the context ended", got, err)
	}},
	{name: "joined_by_job", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		inside(s, p, func(w *pool.Worker) {
			got, err := submit(s, p, func(*pool.Worker) int { return 7 }).Join(w)
			s.check(got == 7 && err == nil, "P1", "the result of the submitted job is %d, %v, want 7", got, err)
		})
	}},
	// A job waits for one that has not begun, and that ends only when a private fork of the first has: the
	// other worker is free for that by then.
	{name: "handle_over_private_fork", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		gone, begun := s.holds(p), newGate()
		enter(s, p, func(w *pool.Worker) int {
			f := pool.Fork(w, noop, 0)
			g := pool.Fork(w, func(_ *pool.Worker, n int) int { begun.open(); return n }, 0)
			_, err := submit(s, p, func(*pool.Worker) int { gone.open(); begun.pass(); return 0 }).Join(w)
			s.check(err == nil, "P1", "Join returned the error %v", err)
			return g.Join(w) + f.Join(w)
		})
	}},
	// The context ends while the job is queued, begins, or runs.
	{name: "withdrawn_or_run", rule: "P7", bound: 1, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		ctx, cancel := context.WithCancel(background)
		gone := s.holds(p)
		s.canceler(cancel)
		gone.open()
		h, err := pool.SubmitErr(ctx, p, s.unended(&m))
		if err == nil {
			_, err = h.Wait(background)
		}
		s.Wait()
		s.Settle(func() {})
		n := m.runs.Load()
		s.check(err == nil && n == 1 || errors.Is(err, context.Canceled) && n == 0, "P7", "SubmitErr or Wait returns %v, and the function was run %d times", err, n)
	}},
	// A job is canceled while it is queued, begins, or runs.
	{name: "canceled_or_run", rule: "P20", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		s.Go("holder", func() { inside(s, p, func(*pool.Worker) {}) })
		h := submit(s, p, func(w *pool.Worker) int { return m.job(w, 0) })
		var told prim.Bool
		s.Go("canceler", func() { told.Store(h.Cancel()) })
		_, err := h.Wait(background)
		s.Wait()
		s.Settle(func() {})
		n, never := m.runs.Load(), told.Load()
		s.check(never && errors.Is(err, pool.ErrCanceled) && n == 0 || !never && err == nil && n == 1, "P20",
			"Cancel returns %t, Wait %v, and the function was run %d times", never, err, n)
	}},
	// A thread asks for the channel while the job ends, and another one waits.
	{name: "done_or_asked", rule: "P20", bound: complete, rounds: 1, workers: 1, body: func(s *stage, p *pool.Pool) {
		h := submit(s, p, func(*pool.Worker) int { return 7 })
		var first, second <-chan struct{}
		s.Go("asker", func() { first = h.Done() })
		s.Go("waiter", func() { h.Wait(background) })
		second = h.Done()
		s.Wait()
		s.Settle(func() {})
		for _, done := range []<-chan struct{}{first, second} {
			select {
			case <-done:
			default:
				s.check(false, "P20", "the job has ended, and a channel of Done is open")
			}
		}
	}},
	{name: "blocked_job", rule: "P5", bound: complete, workers: 2, body: blockedJob},
	// The same while the workers are about to sleep for the first time: the
	// JEC, of one bit, may have wrapped between a worker's announcement and
	// its sleep.
	{name: "blocked_job_jec_wraps", rule: "C5", bound: 2, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p := s.pool(pool.WithWorkers(2))
		blockedJob(s, p)
		s.Settle(func() { s.close(p) })
	}},
	// A seat comes back while the other worker has no flag up: its next fork is
	// made public only if the caller that gives back the seat has raised it.
	{name: "seat_returned_beside_forks", rule: "S9", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		s.Go("visitor", func() { inside(s, p, func(*pool.Worker) {}) })
		enter(s, p, func(w *pool.Worker) int {
			var m mark
			pool.Fork(w, m.job, 0).Join(w)
			s.Settle(func() {}) // the other worker sleeps
			return forkTaken(w, noop, 0).Join(w)
		})
	}},
	// A seat comes back while there is a fork in the other worker's deque, which
	// is taken only if the caller that gives back the seat looks there.
	{name: "seat_returned_to_fork", rule: "S9", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		gone := s.holds(p)
		enter(s, p, func(w *pool.Worker) int {
			gone.open()
			return forkTaken(w, noop, 0).Join(w)
		})
	}},
	// Two guests make forks public at once, the first of this pool, and wait until those have begun: on
	// the seat that a third job leaves.
	{name: "guests_fork_at_once", rule: "S1", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var held, forked [2]gate
		for i := range held {
			held[i], forked[i] = newGate(), newGate()
			left, begun := newGate(), newGate()
			s.Go("guest", func() {
				enter(s, p, func(w *pool.Worker) int {
					w.Block(func() { left.open(); held[i].pass() })
					f := pool.Fork(w, func(_ *pool.Worker, n int) int { begun.open(); return n }, 0)
					loops.Publish(w)
					forked[i].open()
					begun.pass()
					return f.Join(w)
				})
			})
			left.pass()
		}
		inside(s, p, func(*pool.Worker) {
			for i := range held {
				held[i].open()
			}
			for i := range forked {
				forked[i].pass()
			}
		})
	}},
	// What a nested Run has spawned lies in the deque of the seat that it had, when the Run
	// has ended and the outer one is blocked.
	{name: "spawned_in_nested_run", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		begun := newGate()
		inside(s, p, func(w *pool.Worker) {
			w.Scope(func(_ *pool.Worker, scope *pool.Scope) {
				inside(s, p, func(w *pool.Worker) {
					scope.Spawn(w, func(*pool.Worker) { begun.open() })
				})
				begun.pass()
			})
		})
	}},
	// A job of p runs one of q, which waits for what needs p's only worker.
	{name: "seat_held_by_waiter", rule: "P4", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 2)
		begun, done := newGate(), newGate()
		s.asks(p, begun, done)
		got := enter(s, p, func(*pool.Worker) int {
			return enter(s, q, func(w *pool.Worker) int {
				return forkTaken(w, func(*pool.Worker, int) int {
					begun.open()
					done.pass()
					return 7
				}, 0).Join(w)
			})
		})
		s.check(got == 7, "P4", "the result of the innermost Run is %d, want 7", got)
		s.Settle(func() { s.close(p); s.close(q) })
	}},
}

// blockedJob submits two jobs, of which the first ends only if another worker
// runs the second.
func blockedJob(s *stage, p *pool.Pool) {
	free := newGate()
	first := submit(s, p, func(*pool.Worker) int { free.pass(); return 0 })
	second := submit(s, p, func(*pool.Worker) int { free.open(); return 0 })
	await(s, first)
	await(s, second)
}

// twoPools returns pools whose workers sleep.
func (s *stage) twoPools(n, m int) (p, q *pool.Pool) {
	s.Settle(func() { p, q = s.pool(pool.WithWorkers(n)), s.pool(pool.WithWorkers(m)) })
	return p, q
}

// asks has a thread that awaits a job of the pool, once it may begin.
func (s *stage) asks(p *pool.Pool, begin, done gate) {
	s.Go("caller", func() {
		begin.pass()
		await(s, submit(s, p, noResult))
		done.open()
	})
}
