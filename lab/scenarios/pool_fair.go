package scenarios

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// What is queued begins although all workers have jobs, if those fork, join or spawn.
var poolFair = []poolCase{
	// The bit is raised when the job lies in the queue, and lowered before the look there.
	{name: "queued_beside_forks", rule: "P32", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		begun, started := calledFor(s, p)
		keep(s, p, begun, started)
	}},
	// Two are queued, at about the same time: the second one may find the call of the first.
	// When both have begun, the third one is called for anew.
	{name: "two_queued_beside_forks", rule: "P32", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		var begun [3]prim.Bool
		started := newGate()
		queue := func(i int) { s.queue(p, func(*pool.Worker) { begun[i].Store(true) }) }
		s.Go("caller", func() { started.pass(); queue(0) })
		inside(s, p, func(w *pool.Worker) {
			started.open()
			queue(1)
			forkUntil(w, &begun[0])
			forkUntil(w, &begun[1])
			queue(2)
			forkUntil(w, &begun[2])
		})
	}},
	// As the first, where the worker spawns and ends jobs of a scope.
	{name: "queued_beside_scope", rule: "P32", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		begun, started := calledFor(s, p)
		inside(s, p, func(w *pool.Worker) {
			started.open()
			w.Scope(func(w *pool.Worker, scope *pool.Scope) {
				var again func(w *pool.Worker)
				again = func(w *pool.Worker) {
					if !begun.Load() {
						scope.Spawn(w, again)
						prim.Yield()
					}
				}
				scope.Spawn(w, again)
			})
		})
	}},
	// The worker leaves its seat to the jobs that it joins, and gets it back.
	{name: "queued_beside_handles", rule: "P32", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		begun, started := calledFor(s, p)
		inside(s, p, func(w *pool.Worker) {
			for started.open(); !begun.Load(); prim.Yield() {
				for range 3 {
					_, err := submit(s, p, func(*pool.Worker) int { return 1 }).Join(w)
					s.check(err == nil, "P1", "Join returned the error %v", err)
				}
			}
		})
	}},
	// The only job that may run beside others blocks just when the worker finds that no more
	// may, and waits for the next one.
	{name: "bound_left", rule: "P32", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		var first, last prim.Bool
		blocks, over := newGate(), newGate()
		inside(s, p, func(w *pool.Worker) {
			s.queue(p, func(w *pool.Worker) {
				first.Store(true)
				blocks.pass()
				w.Block(over.pass)
			})
			forkUntil(w, &first)
			blocks.open()
			s.queue(p, func(*pool.Worker) { last.Store(true); over.open() })
			forkUntil(w, &last)
		})
	}},
	// The seat passes to a worker that had it before, and has looked since it was last called.
	{name: "called_while_seat_changes", rule: "P32", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var first, last prim.Bool
		queue := func(begun *prim.Bool) { s.queue(p, func(*pool.Worker) { begun.Store(true) }) }
		enter(s, p, func(w *pool.Worker) int {
			h := submit(s, p, func(w *pool.Worker) int {
				queue(&first)
				forkUntil(w, &first)
				return 0
			})
			w.Block(func() {
				await(s, h)
				s.Settle(func() {}) // the seat sleeps, so w has it next
			})
			f := pool.Fork(w, func(w *pool.Worker, _ int) int { forkUntil(w, &last); return 0 }, 0)
			queue(&last)
			w.Block(func() {}) // the other worker takes the fork, before it comes to the queue
			return f.Join(w)
		})
	}},
	// The pool closes meanwhile.
	{name: "close_beside_forks", rule: "P6", bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		var begun prim.Bool
		started := newGate()
		s.Go("closer", func() {
			started.pass()
			s.queue(p, func(*pool.Worker) { begun.Store(true) })
			s.close(p)
			s.check(begun.Load(), "P6", "Close has returned, and a job that was accepted has not begun")
		})
		keep(s, p, &begun, started)
	}},
}

// calledFor calls Run from outside once started is open, and notes when its job begins.
func calledFor(s *stage, p *pool.Pool) (begun *prim.Bool, started gate) {
	begun, started = new(prim.Bool), newGate()
	s.Go("caller", func() {
		started.pass()
		inside(s, p, func(*pool.Worker) { begun.Store(true) })
	})
	return begun, started
}

// queue hands a job to the pool, which accepts it.
func (s *stage) queue(p *pool.Pool, job func(w *pool.Worker)) {
	err := pool.Go(p, job)
	s.check(err == nil, "P7", "Go returned the error %v", err)
}

// keep keeps a worker until what is given holds.
func keep(s *stage, p *pool.Pool, until *prim.Bool, started gate) {
	inside(s, p, func(w *pool.Worker) { started.open(); forkUntil(w, until) })
}

// forkUntil forks and joins until what is given holds: as often as it takes for a worker to
// see that something is queued, and to have seen it for long enough, before others go on.
func forkUntil(w *pool.Worker, holds *prim.Bool) {
	for !holds.Load() {
		for range 3 {
			pool.Fork(w, noop, 0).Join(w)
		}
		prim.Yield()
	}
}
