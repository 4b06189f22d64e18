package scenarios

import (
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// How pools end.
var poolEnds = []poolCase{
	{name: "close_while_falling_asleep", rule: "S3", bound: 2, deep: 3, body: func(s *stage, _ *pool.Pool) {
		s.close(s.pool(pool.WithWorkers(2)))
	}},
	{name: "two_closes", rule: "P6", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		submit(s, p, func(w *pool.Worker) int { return m.job(w, 0) })
		closes := func() {
			s.close(p)
			s.counts(&m.runs, 1, "P6", "one of two calls of Close has returned, and the accepted job was run %d times")
		}
		s.Go("closer", closes)
		closes()
	}},
	{name: "close_drains", rule: "P6", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		for range 2 {
			submit(s, p, func(w *pool.Worker) int { return m.job(w, 0) })
		}
		s.close(p)
		s.counts(&m.runs, 2, "P6", "Close has returned, and %d jobs of 2 were run")
	}},
	{name: "close_races_submit", rule: "P7", bound: complete, workers: 1, body: closeRaces(func(s *stage, p *pool.Pool, m *mark) error {
		h, err := pool.Submit(p, func(w *pool.Worker) int { return m.job(w, 0) })
		if err == nil {
			await(s, h)
		}
		return err
	})},
	{name: "close_races_run", rule: "P7", bound: complete, workers: 1, body: closeRaces(func(_ *stage, p *pool.Pool, m *mark) error {
		_, err := pool.Run(background, p, m.job, 0)
		return err
	})},
	{name: "close_races_nested_submit", rule: "P7", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		s.Go("closer", func() { s.close(p) })
		var inner error
		_, err := pool.Run(background, p, func(*pool.Worker, int) int {
			_, inner = pool.Submit(p, func(w *pool.Worker) int { return m.job(w, 0) })
			return 0
		}, 0)
		s.Wait()
		want := int32(0)
		if err == nil && inner == nil {
			want = 1
		}
		s.check(m.runs.Load() == want, "P7", "Run returns %v, Submit %v, and the submitted job was run %d times", err, inner, m.runs.Load())
	}},
	// A Run in a job is let in although the pool closes. It must not stand in
	// for a job that was let in before and is not in the queue yet.
	{name: "close_races_nested_run", rule: "P7", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		s.Go("closer", func() { s.close(p) })
		s.Go("submitter", func() {
			if h, err := pool.Submit(p, noResult); err == nil {
				await(s, h)
			}
		})
		_, err := pool.Run(background, p, func(*pool.Worker, int) int {
			return enter(s, p, noResult)
		}, 0)
		s.check(err == nil || errors.Is(err, pool.ErrClosed), "P7", "Run returned %v", err)
	}},
	// A job that is refused comes and goes at once. It must not stand in for one that
	// was let in and runs.
	{name: "close_races_refused", rule: "P6", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var closed prim.Bool
		submitted := newGate()
		s.Go("closer", func() { s.close(p); closed.Store(true) })
		s.Go("submitter", func() {
			_, err := pool.Submit(p, noResult)
			s.check(err == nil || errors.Is(err, pool.ErrClosed), "P7", "Submit returned %v", err)
			submitted.open()
		})
		_, err := pool.Run(background, p, func(*pool.Worker, int) int {
			submitted.pass()
			s.check(!closed.Load(), "P6", "Close has returned, and a job runs")
			return 0
		}, 0)
		s.check(err == nil || errors.Is(err, pool.ErrClosed), "P7", "Run returned %v", err)
	}},
}

// closeRaces closes the pool while a job is handed over, which must be run or
// refused.
func closeRaces(hand func(s *stage, p *pool.Pool, m *mark) error) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		var m mark
		s.Go("closer", func() { s.close(p) })
		err := hand(s, p, &m)
		s.Wait()
		n := m.runs.Load()
		s.check(err == nil && n == 1 || errors.Is(err, pool.ErrClosed) && n == 0, "P7", "the error is %v, and the job was run %d times", err, n)
	}
}
