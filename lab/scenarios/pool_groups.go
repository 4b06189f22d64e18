package scenarios

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// Groups, whose jobs fail or whose context ends.
//
// Reading whether a context has ended is no step, and neither is its end. The code under test
// reads it beside steps of its own, and the thread that ends a context takes a step before. So
// an end comes between any two steps of the others.
var poolGroups = []poolCase{
	// Two jobs fail at the same time, and the last one ends the group.
	{name: "group_two_fail", rule: "P24", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		first, second := errors.New("first"), errors.New("second")
		var ended prim.Int32
		var ctx context.Context
		err := enterGroup(s, p, background, func(handed context.Context, w *pool.Worker, g *pool.Group) error {
			ctx = handed
			for _, err := range []error{first, second} {
				g.Spawn(w, func(context.Context, *pool.Worker) error { ended.Add(1); return err })
			}
			return nil
		})
		n := ended.Load()
		s.check((err == first || err == second) && context.Cause(ctx) == err, "P24",
			"of two jobs that fail %d have run, the group returned %v, and the cause of its context's end is %v", n, err, context.Cause(ctx))
		s.Settle(func() {})
		s.check(ended.Load() == n, "P24", "a job of a group has run when that had ended")
	}},
	// A job begins, or not, while another one fails.
	{name: "group_skips", rule: "P24", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		failed := errors.New("failed")
		var begun, ended prim.Int32
		err := enterGroup(s, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.Spawn(w, func(ctx context.Context, _ *pool.Worker) error {
				s.check(ctx.Err() == nil, "P24", "a job of a group has begun, and the context had ended")
				begun.Add(1)
				ended.Add(1)
				return nil
			})
			g.Spawn(w, func(context.Context, *pool.Worker) error { return failed })
			return nil
		})
		n := ended.Load()
		s.check(err == failed && n == begun.Load(), "P24", "a job has failed, the group returned %v, and of %d other jobs that have begun %d have ended", err, begun.Load(), n)
		s.Settle(func() {})
		s.check(begun.Load() == n, "P24", "a job of a group has begun when that had ended")
	}},
	// A job is spawned, and kept, while the one ends that has the only place.
	{name: "group_limit", rule: "P24", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var now, ran prim.Int32
		err := enterGroup(s, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(1)
			for range 3 {
				g.Spawn(w, func(context.Context, *pool.Worker) error {
					s.check(now.Add(1) == 1, "P24", "two jobs run at once of a group with a limit of 1")
					ran.Add(1)
					now.Add(-1)
					return nil
				})
			}
			return nil
		})
		s.check(err == nil && ran.Load() == 3, "P24", "%d of 3 jobs of a group with a limit have run, and it returned %v", ran.Load(), err)
	}},
	// Jobs that have the place spawn while others are kept, and pass it on.
	{name: "group_limit_spawners", rule: "P24", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var now, ran prim.Int32
		job := func(then func(w *pool.Worker)) func(context.Context, *pool.Worker) error {
			return func(_ context.Context, w *pool.Worker) error {
				s.check(now.Add(1) == 1, "P24", "two jobs run at once of a group with a limit of 1, into which jobs spawn")
				ran.Add(1)
				then(w)
				now.Add(-1)
				return nil
			}
		}
		err := enterGroup(s, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(1)
			for range 2 {
				g.Spawn(w, job(func(w *pool.Worker) { g.Spawn(w, job(func(*pool.Worker) {})) }))
			}
			return nil
		})
		s.check(err == nil && ran.Load() == 4, "P24", "%d of 4 jobs of a group with a limit have run, and it returned %v", ran.Load(), err)
	}},
	// The context ends while jobs begin, or have ended.
	{name: "group_context_ends", rule: "P24", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		s.canceler(cancel)
		var ran prim.Int32
		err := enterGroup(s, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for range 2 {
				g.Spawn(w, func(context.Context, *pool.Worker) error { ran.Add(1); return nil })
			}
			return nil
		})
		n := ran.Load()
		s.check(err == nil && n == 2 || err == context.Canceled && n < 2, "P24", "the context has ended, of two jobs %d have run, and the group returned %v", n, err)
	}},
	// The pool is shut down while jobs begin, or have ended.
	{name: "group_shut_down", rule: "P25", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var ran prim.Int32
		s.Go("shutter", func() { s.shut(p) })
		err := pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for range 2 {
				g.Spawn(w, func(context.Context, *pool.Worker) error { ran.Add(1); return nil })
			}
			return nil
		})
		n := ran.Load()
		s.check(err == nil && n == 2 || err != nil && n < 2, "P25", "the pool was shut down, of two jobs %d have run, and the group returned %v", n, err)
	}},
	// A job panics while the body fails.
	{name: "group_panics", rule: "P24", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		begun := newGate()
		var ended prim.Bool
		s.panics("of a job", func() {
			enterGroup(s, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.Spawn(w, func(context.Context, *pool.Worker) error { begun.open(); panic("of a job") })
				begun.pass()
				ended.Store(true)
				return errors.New("failed")
			})
		})
		s.check(ended.Load(), "P24", "a panic has left a group whose body runs")
	}},
	// The jobs run newest first. The one of the fork has ended when that panics.
	{name: "group_fork_left_behind", rule: "P24", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		s.panics("of a fork", func() {
			enterGroup(s, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.Spawn(w, func(context.Context, *pool.Worker) error {
					s.check(false, "P24", "a job of a group has begun, and a fork of another one has panicked")
					return nil
				})
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
					//lint:ignore rouseworker left behind
					pool.Fork(w, func(*pool.Worker, int) int { panic("of a fork") }, 0)
					return nil
				})
				return nil
			})
		})
	}},
}

// enterGroup runs a group in a job of the pool.
func enterGroup(s *stage, p *pool.Pool, ctx context.Context, body func(ctx context.Context, w *pool.Worker, g *pool.Group) error) error {
	return enter(s, p, func(w *pool.Worker) error { return w.Group(ctx, body) })
}
