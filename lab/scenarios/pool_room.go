package scenarios

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// Queues with a limit.
var poolRoom = []poolCase{
	// A caller waits for room while a job begins and leaves some.
	{name: "room_left_or_waited_for", rule: "P23", bound: 3, deep: 3, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		gone := s.holds(p)
		submit(s, p, noResult)
		gone.open()
		h, err := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
		s.check(err == nil, "P23", "SubmitErr returns %v", err)
		s.is(7, await(s, h), "P1")
		s.Wait()
		s.roomIs(p, 1)
	}},
	// The first of two callers gives up while a job is canceled, and leaves room.
	{name: "room_given_up", rule: "P23", bound: 0, deep: 3, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		gone := s.holds(p)
		h := submit(s, p, noResult)
		ctx, cancel := context.WithCancel(background)
		var m, last mark
		var gaveUp, err error
		s.Go("gives up", func() { gaveUp = waitForRoom(ctx, p, &m) })
		s.Settle(func() {})
		s.Go("waits", func() { err = waitForRoom(background, p, &last) })
		s.Settle(func() {})
		s.canceler(cancel)
		s.check(h.Cancel(), "P20", "Cancel of a job that waits for a worker returns false")
		gone.open()
		s.Wait()
		n := m.runs.Load()
		s.check(gaveUp == nil && n == 1 || gaveUp == context.Canceled && n == 0, "P23", "a SubmitErr that waits for room returns %v, and the function was run %d times", gaveUp, n)
		s.check(err == nil && last.runs.Load() == 1, "P23", "a SubmitErr that waits for room behind one that gives up returns %v", err)
		s.roomIs(p, 1)
	}},
	// Both callers wait, in a known order, when there is room for one after the other.
	{name: "room_in_order", rule: "P23", bound: 1, deep: 2, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		gone := s.holds(p)
		submit(s, p, noResult)
		var last prim.Int32
		for i := range int32(2) {
			s.Go("waits", func() {
				_, err := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) {
					before := last.Swap(i + 1)
					s.check(before == i, "P23", "caller %d for room has it after caller %d, with one worker", i+1, before)
					return 0, nil
				})
				s.check(err == nil, "P23", "SubmitErr returns %v", err)
			})
			s.Settle(func() {})
		}
		gone.open()
		s.Wait()
		s.roomIs(p, 1)
	}},
	// The pool closes while a caller waits for room, or is about to.
	{name: "room_closes", rule: "P23", bound: 2, deep: 3, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		gone := s.holds(p)
		submit(s, p, noResult)
		var m mark
		s.Go("closer", func() { s.close(p) })
		_, err := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return m.job(nil, 0), nil })
		s.check(errors.Is(err, pool.ErrClosed) && m.runs.Load() == 0, "P23", "the queue is full while the pool closes: SubmitErr returns %v", err)
		gone.open()
	}},
	// A job leaves its only worker to those that have the room that it waits for.
	{name: "room_for_job", rule: "P23", bound: 1, deep: 2, workers: 1, opts: limitOne, body: func(s *stage, p *pool.Pool) {
		var m mark
		inside(s, p, func(*pool.Worker) {
			for range 2 {
				_, err := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return m.job(nil, 0), nil })
				s.check(err == nil, "P23", "SubmitErr in a job returns %v", err)
			}
		})
		s.Settle(func() {})
		s.counts(&m.runs, 2, "P23", "of two jobs that a job has submitted %d have run")
	}},
}

// waitForRoom submits a job, and waits for its end.
func waitForRoom(ctx context.Context, p *pool.Pool, m *mark) error {
	h, err := pool.SubmitErr(ctx, p, func(_ context.Context, w *pool.Worker) (int, error) { return m.job(w, 0), nil })
	if err == nil {
		_, err = h.Wait(background)
	}
	return err
}

var limitOne = []pool.Option{pool.WithQueueLimit(1)}

// holds has a worker of the pool, until the gate opens.
func (s *stage) holds(p *pool.Pool) (gone gate) {
	gone = newGate()
	s.Go("holder", func() { inside(s, p, func(*pool.Worker) { gone.pass() }) }) // which slept
	s.Settle(func() {})
	return gone
}

// canceler starts a thread that ends a context.
func (s *stage) canceler(cancel func()) {
	now := new(prim.Bool) // a step to take before
	s.Go("canceler", func() { now.Store(true); cancel() })
}

// unended is a job that must not begin when its context has ended.
func (s *stage) unended(m *mark) func(ctx context.Context, w *pool.Worker) (int, error) {
	return func(ctx context.Context, w *pool.Worker) (int, error) {
		s.check(ctx.Err() == nil, "P20", "a job began whose context had ended")
		return m.job(w, 0), nil
	}
}

// roomIs checks how much room is left in the queue of a pool with one worker, at rest.
func (s *stage) roomIs(p *pool.Pool, want int) {
	s.Settle(func() {
		inside(s, p, func(*pool.Worker) {
			n := 0
			for ; n <= want; n++ {
				if _, err := pool.Submit(p, noResult); err != nil {
					s.check(err == pool.ErrFull, "P23", "Submit returns %v", err)
					break
				}
			}
			s.check(n == want, "P23", "in the end there is room for %d jobs, or more, want %d", n, want)
		})
	})
}
