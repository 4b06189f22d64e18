package scenarios

import (
	"errors"
	"runtime"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// Jobs that panic or exit.
var poolFailures = []poolCase{
	{name: "panic_of_stolen", rule: "P2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		s.panics("fork", func() {
			enter(s, p, func(w *pool.Worker) int {
				return pool.Fork(w, func(*pool.Worker, int) int { panic("fork") }, 0).Join(w)
			})
		})
	}},
	{name: "panic_beside_stolen", rule: "P2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var begun, ended prim.Int32
		s.panics("body", func() {
			enter(s, p, func(w *pool.Worker) int {
				a, b := pool.Both(w, func(*pool.Worker) int { panic("body") }, func(*pool.Worker) int {
					begun.Add(1)
					return int(ended.Add(1))
				})
				return a + b
			})
		})
		n := ended.Load()
		s.check(begun.Load() == n, "P2", "a panic has left Run, and the sibling runs still")
		s.Settle(func() {})
		s.check(begun.Load() == n, "P2", "a panic has left Run, and the sibling has begun since")
	}},
	// No Join or Scope stands between the panic and Run, which therefore awaits
	// the forks itself.
	{name: "panic_over_forks", rule: "P2", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var begun, ended prim.Int32
		s.panics("body", func() {
			enter(s, p, func(w *pool.Worker) int {
				for range 2 {
					//lint:ignore rouseworker left behind
					pool.Fork(w, func(*pool.Worker, int) int {
						begun.Add(1)
						return int(ended.Add(1))
					}, 0)
				}
				panic("body")
			})
		})
		n := ended.Load()
		s.check(begun.Load() == n, "P2", "a panic has left Run, and a fork runs still")
		s.Settle(func() {})
		s.check(begun.Load() == n, "P2", "a panic has left Run, and a fork has begun since")
	}},
	{name: "panic_in_scope", rule: "P2", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var m mark
		s.panics("spawned", func() {
			inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
				scope.Spawn(w, func(w *pool.Worker) { m.job(w, 0) })
				scope.Spawn(w, func(*pool.Worker) { panic("spawned") })
			})
		})
		s.once(&m, "when a panic has left the scope, the other job")
	}},
	// The seat must come back, or the next caller, and Close, wait forever.
	{name: "panic_on_borrowed_seat", rule: "P2", bound: 1, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		s.Go("submitter", func() {
			await(s, submit(s, p, func(w *pool.Worker) int { return m.job(w, 0) }))
		})
		s.panics("visitor", func() { enter(s, p, func(*pool.Worker) int { panic("visitor") }) })
		s.Wait()
		s.once(&m, "the submitted job")
	}},
	// Close has returned only when the handler has, and calls it once.
	{name: "panic_of_go", rule: "P21", bound: 2, deep: 3, body: func(s *stage, _ *pool.Pool) {
		var calls prim.Int32
		p := s.pool(pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { calls.Add(1) }))
		s.queue(p, func(*pool.Worker) { panic("of Go") })
		s.close(p)
		s.counts(&calls, 1, "P21", "Close has returned, a job of Go has panicked, and the handler was called %d times")
	}},
	// The panic is for the goroutine that waits, though Close may be faster.
	{name: "panic_awaited_while_closing", rule: "P21", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		var calls prim.Int32
		p := s.pool(pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { calls.Add(1) }))
		free := newGate()
		h := submit(s, p, func(*pool.Worker) int { free.pass(); panic("submitted") })
		s.Go("waiter", func() {
			_, err := h.Wait(background)
			s.check(err != nil, "P2", "Wait for a job that panics returns no error")
		})
		s.Settle(func() {}) // the job runs, and the other one waits for it
		free.open()
		s.close(p)
		s.Wait()
		s.counts(&calls, 0, "P21", "somebody has waited for a job that panicked, and the handler was called %d times")
	}},
	// The caller of a Run, which is a guest, is told of its panic while the pool closes. Else Close would
	// report it, and here end the program.
	{name: "run_panics_while_closing", rule: "P21", bound: 2, deep: 3, body: func(s *stage, _ *pool.Pool) {
		p := s.pool(pool.WithWorkers(1))
		free := newGate()
		submit(s, p, func(*pool.Worker) int { free.pass(); return 0 })
		s.Settle(func() {}) // it has the worker
		s.Go("caller", func() {
			defer func() {
				v := recover()
				s.check(v == nil || v == "run", "P2", "Run panics with %v, want what its job does", v)
			}()
			_, err := pool.Run(background, p, func(*pool.Worker, int) int { panic("run") }, 0)
			s.check(err == pool.ErrClosed, "P6", "Run, whose job panics, returns %v", err)
		})
		free.open()
		s.close(p)
		s.Wait()
	}},
	// A goroutine that asks as the job ends, and does not wait, is told, too.
	{name: "panic_told_as_job_ends", rule: "P21", bound: 2, deep: 3, body: func(s *stage, _ *pool.Pool) {
		var calls prim.Int32
		p := s.pool(pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { calls.Add(1) }))
		h := submit(s, p, func(*pool.Worker) int { panic("submitted") })
		_, err := h.Wait(background)
		s.check(err != nil, "P2", "Wait for a job that panics returns no error")
		s.close(p)
		s.counts(&calls, 0, "P21", "somebody was told that a job has panicked, and the handler was called %d times")
	}},
	{name: "goexit_of_stolen", rule: "P3", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		ended, returned := false, false
		s.Go("caller", func() {
			defer func() { ended = true }()
			enter(s, p, func(w *pool.Worker) int {
				return pool.Fork(w, func(*pool.Worker, int) int {
					runtime.Goexit()
					return 0
				}, 0).Join(w)
			})
			returned = true
		})
		s.Wait()
		s.check(ended && !returned, "P3", "a fork has called Goexit, and Run has returned")
	}},
	{name: "goexit_of_submitted", rule: "P3", bound: 2, deep: complete, why: "as many as 80000 orders; complete at full depth", workers: 1, body: func(s *stage, p *pool.Pool) {
		exits := submit(s, p, func(*pool.Worker) int { runtime.Goexit(); return 0 })
		next := submit(s, p, func(*pool.Worker) int { return 7 })
		_, err := exits.Wait(background)
		s.check(errors.Is(err, pool.ErrGoexit), "P3", "Wait returns %v, want ErrGoexit", err)
		got := await(s, next)
		s.check(got == 7, "P3", "the job after one that called Goexit returns %d, want 7", got)
	}},
	// The seat is lent when the job is submitted, so it is queued, and run by
	// the worker's own goroutine.
	{name: "goexit_of_queued", rule: "P3", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		exits := enter(s, p, func(*pool.Worker) *pool.Handle[int] {
			return submit(s, p, func(*pool.Worker) int { runtime.Goexit(); return 0 })
		})
		_, err := exits.Wait(background)
		s.check(errors.Is(err, pool.ErrGoexit), "P3", "Wait returns %v, want ErrGoexit", err)
		got := enter(s, p, func(*pool.Worker) int { return 7 })
		s.check(got == 7, "P3", "the job after one that called Goexit returns %d, want 7", got)
	}},
	// A Goexit leaves the caller's stack as it was, but its deferred calls are
	// no job of the pool any more.
	{name: "close_after_goexit", rule: "P3", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		err := error(nil)
		s.Go("caller", func() {
			defer func() { err = p.Close() }()
			inside(s, p, func(*pool.Worker) { runtime.Goexit() })
		})
		s.Wait()
		s.check(err == nil, "P3", "Close, deferred by a caller whose job has called Goexit, returns %v", err)
	}},
	// A worker's frames beyond the first 12 are given back when it rests. A
	// handle of one must not be taken for that of the next fork at its depth.
	{name: "handle_after_rest", rule: "P1", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		const depth = 13
		var none mark
		forks := func(w *pool.Worker) (all [depth]fork) {
			for i := range all {
				all[i] = pool.Fork(w, none.job, i)
			}
			return all
		}
		join := func(w *pool.Worker, all []fork) {
			for i := len(all) - 1; i >= 0; i-- {
				got := all[i].Join(w)
				s.check(got == i, "P1", "the result of fork %d is %d", i, got)
			}
		}
		var stale fork
		inside(s, p, func(w *pool.Worker) {
			all := forks(w)
			stale = all[depth-1]
			join(w, all[:])
		})
		inside(s, p, func(w *pool.Worker) {
			all := forks(w)
			func() {
				defer func() { s.check(recover() != nil, "P1", "a fork was joined twice, and nobody notices") }()
				stale.Join(w)
			}()
			join(w, all[:])
		})
	}},
}

// panics checks that f panics with the value.
func (s *stage) panics(value string, f func()) {
	defer func() {
		got := recover()
		s.check(got == value, "P2", "Run ends with %v, want a panic with %q", got, value)
	}()
	f()
}
