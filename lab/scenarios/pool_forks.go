package scenarios

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// Forks, scopes, and how private forks become public.
var poolForks = []poolCase{
	{name: "fork_stolen", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		// The frame of the first round is that of the second: a thief that is
		// not done with it would spoil that.
		for round := 1; round <= 2; round++ {
			var m mark
			got := enter(s, p, func(w *pool.Worker) int {
				f := pool.Fork(w, m.job, round)
				return f.Join(w)
			})
			s.check(got == round, "P1", "the result of the fork is %d, want %d", got, round)
			s.once(&m, "the fork")
		}
	}},
	// If the frames are there, and the other worker wants only the second call of the
	// outer Invoke, that of the inner one is private until the first one forks.
	// A worker that takes it then wants more, and gets the next fork. So only the
	// frame tells the inner Invoke that it was taken. Each gives way where the other one
	// should come, or that would take three preemptions.
	{name: "invoke_stolen", rule: "P1", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		forks := func(w *pool.Worker, _ int) int {
			prim.Yield()
			f := pool.Fork(w, noop, 0)
			prim.Yield()
			return f.Join(w) + pool.Fork(w, noop, 0).Join(w)
		}
		inside(s, p, func(w *pool.Worker) {
			twice := func() {
				var outer, inner mark
				last := func(w *pool.Worker, n int) int { prim.Yield(); return inner.job(w, n) }
				x, y := pool.Invoke(w, func(w *pool.Worker, _ int) int {
					_, x := pool.Invoke(w, forks, 0, last, 1)
					return x
				}, 0, outer.job, 2)
				s.check(x == 1 && y == 2, "P1", "the results of the second calls are %d and %d, want 1 and 2", x, y)
				s.once(&inner, "the second call of the inner Invoke")
				s.once(&outer, "the second call of the outer Invoke")
			}
			s.Settle(twice) // makes the frames
			twice()
		})
	}},
	{name: "two_forks_out_of_order", rule: "P1", bound: 2, deep: 3, workers: 2, body: twoForks(func(w *pool.Worker, f, g fork) (int, int) {
		return f.Join(w), g.Join(w)
	})},
	{name: "eager", rule: "P1", bound: 2, deep: 3, workers: 2, opts: []pool.Option{pool.WithEagerPublish()},
		body: twoForks(func(w *pool.Worker, f, g fork) (int, int) {
			b := g.Join(w)
			return f.Join(w), b
		})},
	// The second fork finds the flag up only if it was raised again after the
	// first one was published, for the worker that still sleeps.
	{name: "wanted_by_two", rule: "P5", bound: 1, deep: 2, workers: 3, body: twoBlocked(func(*pool.Worker) {})},
	// The flag goes down while the first fork waits in the deque. The worker that takes
	// the fork from there raises the flag, before any other can know that it was taken.
	{name: "wanted_after_steal", rule: "P5", bound: 1, deep: 2, workers: 3, body: twoBlocked(func(w *pool.Worker) {
		pool.Fork(w, noop, 0).Join(w)
	})},
	// The only other worker has ended the first fork, found no more, and sleeps,
	// while the owner still publishes that fork.
	{name: "wanted_again", rule: "P5", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		enter(s, p, func(w *pool.Worker) int {
			f := forkTaken(w, noop, 0)
			g := forkTaken(w, noop, 0)
			return g.Join(w) + f.Join(w)
		})
	}},
	// The flag is up while a job is in the deque, and the owner lowers it just
	// when that is stolen.
	{name: "wanted_beside_spawned", rule: "P5", bound: 1, deep: 2, workers: 3, body: func(s *stage, p *pool.Pool) {
		begun, free := newGate(), newGate()
		inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
			scope.Spawn(w, func(*pool.Worker) { begun.open(); free.pass() })
			pool.Fork(w, noop, 0).Join(w)
			begun.pass()
			g := forkTaken(w, noop, 0)
			free.open()
			g.Join(w)
		})
	}},
	// The owner itself takes the first fork back. If the other
	// worker has had no job, it has been idle all the time.
	{name: "wanted_after_pop", rule: "P5", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var stolen prim.Bool
		begun := newGate()
		enter(s, p, func(w *pool.Worker) int {
			nothing := func(v *pool.Worker, _ int) int {
				if v != w {
					stolen.Store(true)
				}
				return 0
			}
			f := pool.Fork(w, nothing, 0)
			pool.Fork(w, nothing, 0).Join(w)
			f.Join(w)
			g := pool.Fork(w, func(*pool.Worker, int) int { begun.open(); return 0 }, 0)
			if !stolen.Load() {
				begun.pass() // or the pool hangs
			}
			return g.Join(w)
		})
	}},
	// A guest has taken its fork back while no worker was inactive, so its flag is down, when the
	// workers come to look for work.
	{name: "wanted_of_guest", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		free := [2]gate{s.occupies(p), s.occupies(p)}
		enter(s, p, func(w *pool.Worker) int {
			pool.Fork(w, noop, 0).Join(w)
			s.Settle(func() { free[0].open(); free[1].open() }) // the workers look, and sleep
			return forkTaken(w, noop, 0).Join(w)
		})
	}},
	// The worker has taken its fork back while no worker was inactive, so its flag is down. A
	// worker that looks for work then asks it for more.
	{name: "wanted_by_freed", rule: "P5", bound: 1, deep: 2, workers: 3, body: func(s *stage, p *pool.Pool) {
		free := [2]gate{s.occupies(p), s.occupies(p)}
		enter(s, p, func(w *pool.Worker) int {
			pool.Fork(w, noop, 0).Join(w)
			s.Settle(free[0].open) // the other worker looks, and sleeps
			return forkTaken(w, noop, 0).Join(w)
		})
		free[1].open()
	}},
	// The worker takes its fork back while no worker is inactive, so its flag stays down when
	// its job ends. The others look and sleep only after its seat has come to rest. The next
	// job has the same seat and worker.
	{name: "wanted_after_rest", rule: "P5", bound: 0, deep: 1, workers: 3, body: func(s *stage, p *pool.Pool) {
		var free [2]gate
		enter(s, p, func(w *pool.Worker) int {
			free = [2]gate{s.occupies(p), s.occupies(p)}
			return pool.Fork(w, noop, 0).Join(w)
		})
		s.Settle(func() {})
		s.Settle(func() { free[0].open(); free[1].open() })
		enter(s, p, func(w *pool.Worker) int { return forkTaken(w, noop, 0).Join(w) })
	}},
	{name: "scope_spawn_from_stolen", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var outer, inner mark
		inside(s, p, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, scope *pool.Scope) {
				scope.Spawn(w, func(w *pool.Worker) {
					scope.Spawn(w, func(w *pool.Worker) { inner.job(w, 0) })
					outer.job(w, 0)
				})
			})
			s.once(&outer, "when its scope is left, a job that was spawned")
			s.once(&inner, "when its scope is left, a job that was spawned by another")
		})
	}},
	// The join finds the spawned job above its own in the deque.
	{name: "spawned_above_fork", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var forked, spawned mark
		got := enter(s, p, func(w *pool.Worker) (got int) {
			w.Scope(func(w *pool.Worker, scope *pool.Scope) {
				f := pool.Fork(w, forked.job, 7)
				scope.Spawn(w, func(w *pool.Worker) { spawned.job(w, 0) })
				got = f.Join(w)
			})
			return got
		})
		s.check(got == 7, "P1", "the result of the fork is %d, want 7", got)
		s.once(&forked, "the fork")
		s.once(&spawned, "the job that was spawned")
	}},
	// A thief has the pointer to the fork when the join begins that, and finds it
	// claimed; then it finds the deque empty while the join has the spawned job in
	// hand, and falls asleep.
	{name: "pushed_back", rule: "P5", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
			begun := newGate()
			f := pool.Fork(w, noop, 0)
			scope.Spawn(w, func(*pool.Worker) { begun.open() })
			f.Join(w)
			begun.pass() // or the pool hangs
		})
	}},
	// The first of two forks is joined first, and its pointer stays in the deque. The
	// next fork has its frame: a thief that comes to the pointer while that one becomes
	// public runs it. What the owner still writes to the frame then is a data race, which
	// the race detector sees and nothing else.
	{name: "published_anew", rule: "P1", bound: 1, deep: 2, workers: 2, opts: []pool.Option{pool.WithEagerPublish()}, body: func(s *stage, p *pool.Pool) {
		inside(s, p, func(w *pool.Worker) {
			f, g := pool.Fork(w, noop, 1), pool.Fork(w, noop, 2)
			sum := f.Join(w)
			var m mark
			h := pool.Fork(w, m.job, 3)
			sum += h.Join(w) + g.Join(w)
			s.check(sum == 6, "P1", "the sum of three forks is %d, want 6", sum)
			s.once(&m, "the fork that has the frame of one that was joined out of order")
		})
	}},
	{name: "fork_not_joined", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var m mark
		//lint:ignore rouseworker left behind
		inside(s, p, func(w *pool.Worker) { pool.Fork(w, m.job, 0) })
		s.once(&m, "when its job has returned, a fork that was not joined")
	}},
	{name: "fork_not_joined_by_submitted", rule: "P1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		var m mark
		//lint:ignore rouseworker left behind
		await(s, submit(s, p, func(w *pool.Worker) int { pool.Fork(w, m.job, 0); return 0 }))
		s.once(&m, "when its job has returned, a fork that was not joined")
	}},
	// The owner of a stolen fork sleeps, or not yet, when the fork ends.
	{name: "join_sleeps", rule: "L1", bound: 1, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		free := newGate()
		s.Go("opener", free.open)
		got := enter(s, p, func(w *pool.Worker) int {
			return forkTaken(w, func(_ *pool.Worker, n int) int {
				free.pass()
				return n
			}, 7).Join(w)
		})
		s.check(got == 7, "P1", "the result of the fork is %d, want 7", got)
	}},
	// The job forks no more when the other worker turns idle, but unwinds: that hands over its oldest fork.
	{name: "join_hands_over", rule: "P5", bound: 1, deep: 2, workers: 2, body: unwinds(func(w *pool.Worker, forked func()) {
		f := pool.Fork(w, noop, 0)
		forked()
		f.Join(w)
	})},
	{name: "invoke_hands_over", rule: "P5", bound: 1, deep: 2, workers: 2, body: unwinds(func(w *pool.Worker, forked func()) {
		pool.Invoke(w, func(*pool.Worker, int) int { forked(); return 0 }, 0, noop, 0)
	})},
	// The fork is private: the first one has met what demand there was.
	{name: "published_before_leaf", rule: "P5", bound: 1, deep: 2, workers: 2, body: blocksBesideForks(loops.Publish)},
	{name: "eager_before_leaf", rule: "P5", bound: 1, deep: 2, workers: 2, opts: []pool.Option{pool.WithEagerPublish()},
		body: blocksBesideForks(func(*pool.Worker) {})},
	// A private fork must be made public before its worker waits: no other worker could run it,
	// and here the worker waits for it.
	{name: "private_while_waiting", rule: "P5", bound: complete, workers: 2, body: func(s *stage, p *pool.Pool) {
		free := newGate()
		enter(s, p, func(w *pool.Worker) int {
			f := forkTaken(w, func(_ *pool.Worker, n int) int { free.pass(); return n }, 1)
			// This one becomes public at once, and the flag goes down.
			h := pool.Fork(w, noop, 4)
			g := pool.Fork(w, func(_ *pool.Worker, n int) int { free.open(); return n }, 2)
			return f.Join(w) + g.Join(w) + h.Join(w)
		})
	}},
}

// occupies has a worker of the pool, which has begun a job, until the gate opens.
func (s *stage) occupies(p *pool.Pool) (free gate) {
	begun, free := newGate(), newGate()
	submit(s, p, func(*pool.Worker) int { begun.open(); free.pass(); return 0 })
	begun.pass()
	return free
}

// unwinds has a job wait until the oldest of its forks has begun, which is private when it unwinds.
func unwinds(unwind func(w *pool.Worker, forked func())) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		inside(s, p, func(w *pool.Worker) {
			free, begun := newGate(), newGate()
			other := forkTaken(w, func(_ *pool.Worker, n int) int { free.pass(); return n }, 0)
			oldest := func() fork {
				pool.Fork(w, noop, 0).Join(w) // the flag goes down
				return pool.Fork(w, func(_ *pool.Worker, n int) int { begun.open(); return n }, 0)
			}
			s.Settle(func() { // makes the frames
				f := oldest()
				unwind(w, func() {})
				f.Join(w)
				begun.pass()
			})
			f := oldest()
			unwind(w, func() { s.Settle(free.open) }) // the other worker looks, and sleeps
			begun.pass()                              // or the pool hangs
			f.Join(w)
			other.Join(w)
		})
	}
}

// blocksBesideForks has a job that blocks until two forks of it have begun.
func blocksBesideForks(publish func(w *pool.Worker)) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		enter(s, p, func(w *pool.Worker) int {
			opened := [2]gate{newGate(), newGate()}
			open := func(_ *pool.Worker, i int) int { opened[i].open(); return i }
			f, g := pool.Fork(w, open, 0), pool.Fork(w, open, 1)
			publish(w)
			for _, o := range opened {
				o.pass()
			}
			return g.Join(w) + f.Join(w)
		})
	}
}

type fork = pool.Forked[int, int]

// noop is the function of a fork. Only which worker runs it, and when, matters.
func noop(_ *pool.Worker, n int) int { return n }

// forkTaken forks fn, and returns when another worker has begun to run it. The
// worker waits for that, but not in a join: if no other worker takes the fork, it hangs.
func forkTaken(w *pool.Worker, fn func(w *pool.Worker, n int) int, n int) fork {
	begun := newGate()
	f := pool.Fork(w, func(w *pool.Worker, n int) int { begun.open(); return fn(w, n) }, n)
	begun.pass()
	return f
}

// twoBlocked forks two jobs that block, of which others must take both, and
// calls between when it has forked the first.
func twoBlocked(between func(w *pool.Worker)) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		begun, free := newGate(), [2]gate{newGate(), newGate()}
		blocks := func(_ *pool.Worker, i int) int {
			begun.open()
			free[i].pass()
			return i
		}
		enter(s, p, func(w *pool.Worker) int {
			f := pool.Fork(w, blocks, 0)
			between(w)
			begun.pass()
			g := pool.Fork(w, blocks, 1)
			begun.pass() // or the pool hangs
			free[0].open()
			free[1].open()
			return g.Join(w) + f.Join(w)
		})
	}
}

// twoForks forks two jobs and checks what is joined.
func twoForks(join func(w *pool.Worker, f, g fork) (int, int)) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		var first, second mark
		a, b := 0, 0
		inside(s, p, func(w *pool.Worker) {
			f := pool.Fork(w, first.job, 1)
			g := pool.Fork(w, second.job, 2)
			a, b = join(w, f, g)
		})
		s.check(a == 1 && b == 2, "P1", "the results of the forks are %d and %d, want 1 and 2", a, b)
		s.once(&first, "the first fork")
		s.once(&second, "the second fork")
	}
}
