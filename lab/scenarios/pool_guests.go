package scenarios

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
)

// Guests: jobs that run although no worker sleeps.
var poolGuests = []poolCase{
	// A guest leaves while another one spawns a job: on another seat, or on the one that was
	// left. The worker looks meanwhile, and is to begin the job.
	{name: "shown_while_other_leaves", rule: "P5", bound: 2, deep: 3, workers: 1, body: func(s *stage, p *pool.Pool) {
		gone, leaves := s.holds(p), newGate()
		s.Go("leaver", func() {
			inside(s, p, func(w *pool.Worker) { pool.Fork(w, noop, 0).Join(w); leaves.open() })
		})
		leaves.pass()
		inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
			begun := newGate()
			scope.Spawn(w, func(*pool.Worker) { begun.open() })
			gone.open()
			begun.pass() // or the pool hangs
		})
	}},
	// The guest before has left its flag down, and is hidden: so nobody asks the next one, on the same
	// seat, for forks.
	{name: "wanted_of_next_guest", rule: "P5", bound: 0, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		gone := [2]gate{s.holds(p), s.holds(p)}
		enter(s, p, func(w *pool.Worker) int { return pool.Fork(w, noop, 0).Join(w) })
		enter(s, p, func(w *pool.Worker) int {
			s.Settle(func() { gone[0].open(); gone[1].open() }) // the workers look, and sleep
			return forkTaken(w, noop, 0).Join(w)
		})
	}},
	// The job of p holds the lock while it waits for one of q, whose only worker wants the lock.
	{name: "queued_in_other_pool", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		var lock prim.Mutex
		inside(s, p, func(w *pool.Worker) {
			lock.Lock()
			s.Settle(func() { s.queue(q, func(*pool.Worker) { through(&lock) }) })
			got, err := submit(s, q, func(*pool.Worker) int { return 7 }).Join(w)
			s.check(got == 7 && err == nil, "P1", "the result of the submitted job is %d, %v, want 7", got, err)
			lock.Unlock()
		})
		s.whole(p, q)
	}},
	// A job of q is in Block, on top of one of p, and waits for a fork of that which is private.
	{name: "private_fork_beneath", rule: "P19", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		begun := newGate()
		enter(s, p, func(w *pool.Worker) int {
			// This one becomes public at once, and the flag goes down.
			f := pool.Fork(w, noop, 0)
			g := pool.Fork(w, func(_ *pool.Worker, n int) int { begun.open(); return n }, 0)
			inside(s, q, func(w *pool.Worker) { w.Block(begun.pass) })
			return g.Join(w) + f.Join(w)
		})
		s.whole(p, q)
	}},
	// A job that has begun as a guest, because another one joins it, leaves while the pool closes.
	{name: "close_while_guest_leaves", rule: "P8", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		ended := false
		var p *pool.Pool
		s.Settle(func() {
			p = s.pool(pool.WithWorkers(1), pool.WithDeque(func() api.Deque[pool.Job] { return watched{deque.NewChaseLev[pool.Job](), s, &ended} }))
		})
		gone := s.holds(p)
		inside(s, p, func(w *pool.Worker) {
			_, err := submit(s, p, noResult).Join(w)
			s.check(err == nil, "P1", "Join returned the error %v", err)
		})
		gone.open()
		s.Wait()
		s.close(p)
		ended = true
	}},
}

// A watched deque is not to be used when its pool has ended.
type watched struct {
	api.Deque[pool.Job]
	*stage
	ended *bool
}

func (d watched) Pop() *pool.Job {
	d.check(!*d.ended, "P8", "Close has returned, and a guest leaves its seat")
	return d.Deque.Pop()
}
