package scenarios

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

// Pools that are shut down.
var poolShutdowns = []poolCase{
	// A job that is queued begins, or is taken back.
	{name: "shutdown_or_begin", rule: "P25", bound: 1, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		var m mark
		s.Go("holder", func() { pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0) })
		h, err := pool.Submit(p, func(w *pool.Worker) int { return m.job(w, 0) })
		s.Go("shutter", func() { s.shut(p) })
		if err == nil {
			_, err = h.Wait(background)
			s.check(err != pool.ErrCanceled || h.Cancel(), "P20", "Cancel of a job that Shutdown has taken back returned false")
		}
		s.Wait()
		s.Settle(func() { s.close(p) })
		n := m.runs.Load()
		s.check(err == nil && n == 1 || err == pool.ErrCanceled && n == 0, "P25", "Submit and Wait return %v, and the function was run %d times", err, n)
	}},
	// A job is submitted that the only worker does not come to: it is refused, or taken
	// back all the same.
	{name: "shutdown_races_submit", rule: "P25", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		told := s.holds(p)
		s.Go("shutter", func() { s.shut(p) })
		if h, err := pool.Submit(p, noResult); err == nil {
			_, err := h.Wait(background)
			s.check(err == pool.ErrCanceled, "P25", "Wait for a job that cannot begin before it returns returned %v", err)
		}
		told.open()
	}},
}

// shut ends a pool with a context that has ended.
func (s *stage) shut(p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	err := p.Shutdown(ctx)
	s.check(err == nil || err == context.Canceled, "P25", "Shutdown returned %v", err)
}

func noResult(*pool.Worker) int { return 0 }
