package scenarios

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
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
		var hs []*pool.Handle[int]
		if s.Choose(2) == 0 {
			if h, err := pool.Submit(p, noResult); err == nil {
				hs = append(hs, h)
			}
		} else {
			hs, _ = pool.SubmitAll(p, []func(*pool.Worker) int{noResult, noResult})
		}
		s.never(hs...)
		told.open()
	}},
	// A worker has taken a job along with one that does not end before it is known that
	// the other one has, or never begins. The other worker is busy.
	{name: "shutdown_beside_batch", rule: "P25", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		gone, told, done := newGate(), newGate(), newGate()
		s.Go("busy", func() { inside(s, p, func(*pool.Worker) { done.pass() }) })
		s.Go("holder", func() { inside(s, p, func(*pool.Worker) { gone.pass() }) })
		s.Settle(func() {})
		submit(s, p, func(*pool.Worker) int { told.pass(); return 0 })
		hs := []*pool.Handle[int]{submit(s, p, noResult), submit(s, p, noResult)}
		gone.open()
		s.Go("shutter", func() { s.shut(p) })
		s.endsOrNever(hs...)
		told.open()
		done.open()
	}},
	// The fork of a job without a seat is queued before submitted jobs, and does not end
	// before it is known that these never begin. A worker takes one of them with it. The
	// other worker is busy.
	{name: "shutdown_beside_fork_in_batch", rule: "P25", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		left, held, gone, told, done := newGate(), newGate(), newGate(), newGate(), newGate()
		s.Go("busy", func() { inside(s, p, func(*pool.Worker) { done.pass() }) })
		s.Go("seatless", func() {
			enter(s, p, func(w *pool.Worker) int {
				w.Block(func() { left.open(); held.pass() })
				return forkTaken(w, func(_ *pool.Worker, n int) int { told.pass(); return n }, 0).Join(w)
			})
		})
		s.Go("holder", func() {
			left.pass()
			inside(s, p, func(*pool.Worker) { held.open(); gone.pass() })
		})
		s.Settle(func() {})
		hs := []*pool.Handle[int]{submit(s, p, noResult), submit(s, p, noResult), submit(s, p, noResult)}
		gone.open()
		s.Go("shutter", func() { s.shut(p) })
		s.never(hs...)
		// How they end is explored in shutdown_beside_batch.
		s.Settle(func() { told.open(); done.open() })
	}},
	// The fork of a job without a seat is queued between submitted jobs. One worker has
	// taken it with some of these, and the other one takes it from there, with one of
	// them. It does not end before it is known that this one never begins.
	{name: "shutdown_beside_thief", rule: "P25", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		left, held, begun, first, told := newGate(), newGate(), newGate(), newGate(), newGate()
		gone := []gate{newGate(), newGate()}
		s.Go("seatless", func() {
			enter(s, p, func(w *pool.Worker) int {
				w.Block(func() { left.open(); held.pass() })
				f := pool.Fork(w, func(_ *pool.Worker, n int) int { begun.open(); told.pass(); return n }, 0)
				pool.LoopsOf(w).Publish()
				begun.pass()
				return f.Join(w)
			})
		})
		left.pass()
		for _, g := range gone {
			s.Go("holder", func() { inside(s, p, func(*pool.Worker) { g.pass() }) })
		}
		s.Settle(func() {})
		submit(s, p, func(*pool.Worker) int { first.pass(); return 0 })
		submit(s, p, noResult)
		h := submit(s, p, noResult)
		held.open()
		s.Settle(func() {})
		for range 4 { // half of what is queued is taken
			submit(s, p, noResult)
		}
		gone[0].open()
		s.Settle(func() {})
		gone[1].open()
		s.Go("shutter", func() { s.shut(p) })
		s.endsOrNever(h)
		// How they end is explored in shutdown_beside_batch.
		s.Settle(func() { first.open(); told.open() })
	}},
	// A thief has taken a job along with one that is refused, and leaves its seat to a job that has
	// waited for that. This one does not end before it is known that the other job never begins.
	// The other worker is busy.
	{name: "shutdown_beside_thief_and_heir", rule: "P25", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		left, held, queued, first, told := newGate(), newGate(), newGate(), newGate(), newGate()
		gone := []gate{newGate(), newGate()}
		var refused *pool.Handle[int]
		s.Go("waiter", func() {
			inside(s, p, func(w *pool.Worker) {
				w.Block(func() { left.open(); held.pass() })
				queued.pass()
				_, _ = refused.Join(w)
				told.pass()
			})
		})
		left.pass()
		for _, g := range gone {
			s.Go("holder", func() { inside(s, p, func(*pool.Worker) { g.pass() }) })
		}
		s.Settle(func() {})
		held.open()
		submit(s, p, func(*pool.Worker) int { first.pass(); return 0 })
		submit(s, p, noResult)
		h := submit(s, p, noResult)
		refused = submit(s, p, noResult)
		for range 3 { // half of what is queued is taken
			submit(s, p, noResult)
		}
		gone[0].open()
		s.Settle(func() {})
		gone[1].open()
		queued.open()
		s.Go("shutter", func() { s.shut(p) })
		s.endsOrNever(h)
		s.Settle(func() { first.open(); told.open() })
	}},
	// The same with a job that was taken out of the queue, with one behind it.
	{name: "shutdown_beside_batch_and_heir", rule: "P25", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		left, held, queued, joins, gone, told, done := newGate(), newGate(), newGate(), newGate(), newGate(), newGate(), newGate()
		var refused *pool.Handle[int]
		s.Go("busy", func() { inside(s, p, func(*pool.Worker) { done.pass() }) })
		s.Go("waiter", func() {
			inside(s, p, func(w *pool.Worker) {
				w.Block(func() { left.open(); held.pass() })
				queued.pass()
				joins.open()
				_, _ = refused.Join(w)
				told.pass()
			})
		})
		left.pass()
		s.Go("holder", func() { inside(s, p, func(*pool.Worker) { gone.pass() }) })
		s.Settle(func() {})
		var h *pool.Handle[int]
		s.Settle(func() {
			held.open()
			refused, h = submit(s, p, noResult), submit(s, p, noResult)
			submit(s, p, noResult) // half of what is queued is taken
			submit(s, p, noResult)
		})
		gone.open()
		queued.open()
		joins.pass()
		s.shut(p)
		s.endsOrNever(h)
		s.Settle(func() { told.open(); done.open() })
	}},
	// A fork lies where Shutdown looks, and its job waits for another worker to begin it.
	{name: "shutdown_beside_fork", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		s.Go("caller", func() {
			pool.Run(background, p, func(w *pool.Worker, n int) int { return forkTaken(w, noop, n).Join(w) }, 0)
		})
		s.shut(p)
		s.Wait()
	}},
	// The pool ends when its last job has, whether Shutdown or Close waits for that.
	{name: "shutdown_or_close", rule: "P25", bound: 0, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var ended prim.Bool
		s.Go("caller", func() {
			_, err := pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0)
			s.check(err == nil || err == pool.ErrClosed || err == pool.ErrCanceled, "P7", "Run returned %v", err)
			ended.Store(true)
		})
		ctx, cancel := context.WithCancel(background)
		s.canceler(cancel)
		s.Go("closer", func() { s.close(p) })
		err := p.Shutdown(ctx)
		s.check(err == nil || err == context.Canceled, "P25", "Shutdown returned %v", err)
	}},
	// A caller waits for room, or is about to, and then for its job.
	{name: "shutdown_and_room", rule: "P25", bound: 1, deep: 2, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		told := s.holds(p)
		h := submit(s, p, noResult)
		s.Go("shutter", func() { s.shut(p) })
		_, err := pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0)
		s.check(err == pool.ErrClosed || err == pool.ErrCanceled, "P25", "a Run that cannot begin before it returns returned %v", err)
		s.never(h)
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

// never waits for jobs that cannot begin before they are known never to begin.
func (s *stage) never(handles ...*pool.Handle[int]) {
	for _, h := range handles {
		_, err := h.Wait(background)
		s.check(err == pool.ErrCanceled, "P25", "Wait for a job that cannot begin before it returns returned %v", err)
	}
}

// endsOrNever waits for jobs that end, or are known never to begin.
func (s *stage) endsOrNever(handles ...*pool.Handle[int]) {
	for _, h := range handles {
		_, err := h.Wait(background)
		s.check(err == nil || err == pool.ErrCanceled, "P25", "Wait returned %v", err)
	}
}

func noResult(*pool.Worker) int { return 0 }
