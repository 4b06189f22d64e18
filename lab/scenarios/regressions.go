package scenarios

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// poolRegressions are scenarios in which others' pools and schedulers went wrong, or
// which they have in their tests, as far as those of the pool are not the same. They have
// the names that the source gives them, or its name and number.
var poolRegressions = []poolCase{
	// A fork that its worker waits for, but not in a join: one of the workers that
	// are about to fall asleep must see it.
	{name: "go_45867", rule: "S2", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p := s.pool(pool.WithEagerPublish(), pool.WithWorkers(2))
		enter(s, p, func(w *pool.Worker) int { return forkTaken(w, noop, 0).Join(w) })
		s.Settle(func() { s.close(p) })
	}},
	// Close waits for a job that is withdrawn meanwhile.
	{name: "pond_61", rule: "P6", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		free := newGate()
		holder := submit(s, p, func(*pool.Worker) int { free.pass(); return 0 })
		ctx, cancel := context.WithCancel(background)
		s.Go("caller", func() {
			_, err := pool.Run(ctx, p, m.job, 0)
			n := m.runs.Load()
			ok := err == nil && n == 1 || n == 0 && (errors.Is(err, context.Canceled) || errors.Is(err, pool.ErrClosed))
			s.check(ok, "P7", "Run returns %v, and the function was run %d times", err, n)
		})
		s.canceler(func() { cancel(); free.open() })
		s.close(p)
		await(s, holder)
	}},
	// tokio: of two jobs that others have submitted, the last one says so.
	{name: "pool_multi_spawn", rule: "S1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var ran prim.Int32
		both := newGate()
		outer := func(*pool.Worker) int {
			submit(s, p, func(*pool.Worker) int {
				if ran.Add(1) == 2 {
					both.open()
				}
				return 0
			})
			return 0
		}
		submit(s, p, outer)
		submit(s, p, outer)
		both.pass()
	}},
	// tokio: a job waits for another one while the pool closes.
	{name: "shutdown_with_notification", rule: "P6", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var got int
		submit(s, p, func(w *pool.Worker) int {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 7 })
			if err != nil {
				s.check(errors.Is(err, pool.ErrClosed), "P7", "Submit returns %v", err)
				got = 7
				return 0
			}
			got, err = h.Join(w)
			s.check(err == nil, "P1", "Join returns %v", err)
			return 0
		})
		s.close(p)
		s.check(got == 7, "P6", "Close has returned, and the job that waited for another has got %d, want 7", got)
	}},
}
