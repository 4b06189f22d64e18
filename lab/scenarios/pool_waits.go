package scenarios

import (
	"errors"
	"runtime"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// Jobs that wait, as far as the language of programs has no words for it: several
// pools, Goexit, and what the pool keeps of a worker.
var poolWaits = []poolCase{
	{name: "wait_in_job", rule: waits, bound: complete, workers: 1, body: func(s *stage, p *pool.Pool) {
		inside(s, p, func(*pool.Worker) {
			s.is(7, await(s, submit(s, p, func(*pool.Worker) int { return 7 })), "P1")
		})
	}},
	// A job of p holds the lock while it runs one of q, whose only seat is that of a
	// job which waits for p. Those that want the lock are in the way at p.
	{name: "lock_over_two_pools", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		var lock prim.Mutex
		s.Go("caller", func() {
			enter(s, q, func(*pool.Worker) int {
				return enter(s, p, noResult)
			})
		})
		s.Go("other", func() { inside(s, p, func(*pool.Worker) { through(&lock) }) })
		enter(s, p, func(*pool.Worker) int {
			lock.Lock()
			defer lock.Unlock()
			return enter(s, q, noResult)
		})
		s.Wait()
		s.whole(p, q)
	}},
	// A job of q is in Block, on top of one of p, and waits for a goroutine that
	// needs p's only seat.
	{name: "block_over_two_pools", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		done := newGate()
		s.Go("caller", func() {
			await(s, submit(s, p, noResult))
			done.open()
		})
		enter(s, p, func(*pool.Worker) int {
			return enter(s, q, func(w *pool.Worker) int { w.Block(done.pass); return 0 })
		})
		s.Wait()
		s.whole(p, q)
	}},
	// The same after a Run that has got that seat back for the job beneath.
	{name: "block_over_two_pools_again", rule: waits, bound: complete, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		begin, done := newGate(), newGate()
		s.asks(p, begin, done)
		enter(s, p, func(*pool.Worker) int {
			return enter(s, q, func(w *pool.Worker) int {
				w.Block(func() {
					_ = loops.Run(p, jobHere(func(*pool.Worker) {}))
					begin.open()
					done.pass()
				})
				return 0
			})
		})
		s.Wait()
		s.whole(p, q)
	}},
	// A job of p calls Run of q, and that goes on as the first one, by package loops: it blocks for what needs
	// q's only worker.
	{name: "run_here_beneath", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		begin, done := newGate(), newGate()
		s.asks(q, begin, done)
		enter(s, p, func(*pool.Worker) int {
			return enter(s, q, func(*pool.Worker) int {
				_ = loops.Run(p, jobHere(func(w *pool.Worker) {
					begin.open()
					w.Block(done.pass)
				}))
				return 0
			})
		})
		s.Wait()
		s.whole(p, q)
	}},
	// A job of p closes q, of which a job waits for what needs p's only worker.
	{name: "close_of_other_pool", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		begun, done := newGate(), newGate()
		s.asks(p, begun, done)
		h := submit(s, q, func(*pool.Worker) int { done.pass(); return 7 })
		inside(s, p, func(*pool.Worker) { begun.open(); s.close(q) })
		s.is(7, await(s, h), "P6")
		s.whole(p)
	}},
	// The job waits for one of the other pool, whose end must not hand it that
	// pool's seat. Its own pool's is taken.
	{name: "handle_of_other_pool", rule: waits, bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		p, q := s.twoPools(1, 1)
		here, held, free, joined, visited := newGate(), newGate(), newGate(), newGate(), newGate()
		s.Go("holder", func() {
			here.pass()
			inside(s, p, func(*pool.Worker) { held.open(); free.pass() })
		})
		s.Go("visitor", func() {
			joined.pass()
			enter(s, q, noResult)
			visited.open()
		})
		inside(s, p, func(w *pool.Worker) {
			here.open()
			got, err := submit(s, q, func(*pool.Worker) int {
				held.pass()
				return 7
			}).Join(w)
			s.check(got == 7 && err == nil, "P1", "the result of the submitted job is %d, %v, want 7", got, err)
			joined.open()
			visited.pass()
			free.open()
		})
		s.Wait()
		s.whole(p, q)
	}},
	// Of those that wait for the job, all go on, and the seat is not lost.
	{name: "goexit_while_others_wait", rule: "P3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		enter(s, p, func(w *pool.Worker) int {
			h := submit(s, p, func(w *pool.Worker) int {
				pool.Fork(w, noop, 0).Join(w)
				runtime.Goexit()
				return 0
			})
			join := func(w *pool.Worker, n int) int {
				_, err := h.Join(w)
				s.check(errors.Is(err, pool.ErrGoexit), "P3", "Join returns %v, want ErrGoexit", err)
				return n
			}
			f := pool.Fork(w, join, 1)
			join(w, 0)
			return f.Join(w)
		})
		s.Settle(func() { s.fullWidth(p) })
	}},
	// A job of a scope exits, and was to go on with one that it has spawned.
	{name: "goexit_before_spawned", rule: "P3", bound: 1, deep: 2, workers: 2, body: exitsInScope},
	// A job of a scope spawns another while the owner looks for such, and goes on
	// with one that wants the owner's lock. So does the owner's seat.
	{name: "spawned_while_owner_looks", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		var m mark
		wants := func(_ *pool.Worker, n int) int { through(&lock); return n }
		enter(s, p, func(w *pool.Worker) int {
			var f fork
			w.Scope(func(w *pool.Worker, outer *pool.Scope) {
				lock.Lock()
				w.Scope(func(w *pool.Worker, inner *pool.Scope) {
					free := newGate()
					inner.Spawn(w, func(w *pool.Worker) {
						free.pass()
						inner.Spawn(w, func(w *pool.Worker) { m.job(w, 0) })
						outer.Spawn(w, func(w *pool.Worker) { wants(w, 0) })
					})
					s.Settle(func() {}) // that job has begun
					free.open()
					f = pool.Fork(w, wants, 0)
				})
				s.Settle(lock.Unlock)
			})
			return f.Join(w)
		})
		s.once(&m, "the job that was spawned while the owner looked")
	}},
	// A fork of a job that holds a lock spawns one that wants it, and ends when the other seat has
	// a job that wants it, too: it leaves its own to the one that waits for it.
	{name: "heir_before_spawned", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
			free := newGate()
			lock.Lock()
			f := forkTaken(w, func(w *pool.Worker, n int) int {
				free.pass()
				scope.Spawn(w, func(*pool.Worker) { through(&lock) })
				return n
			}, 0)
			submit(s, p, func(*pool.Worker) int { free.open(); through(&lock); return 0 })
			f.Join(w)
			lock.Unlock()
		})
	}},
	// The same with a job of a scope that ends, and has spawned another one of it before: the
	// owner of the scope waits for that.
	{name: "spawned_while_owner_waits", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		wants := func(*pool.Worker) { through(&lock) }
		inScope(s, p, func(w *pool.Worker, outer *pool.Scope) {
			lock.Lock()
			w.Scope(func(w *pool.Worker, inner *pool.Scope) {
				begun, free := newGate(), newGate()
				inner.Spawn(w, func(w *pool.Worker) {
					begun.open()
					free.pass()
					inner.Spawn(w, func(*pool.Worker) {})
					outer.Spawn(w, wants)
				})
				begun.pass()
				submit(s, p, func(*pool.Worker) int { free.open(); through(&lock); return 0 })
			})
			lock.Unlock()
		})
	}},
	// The same with one that exits.
	{name: "exited_while_owner_waits", rule: "P3", bound: 0, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		var m mark
		h := submit(s, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, outer *pool.Scope) {
				lock.Lock()
				defer lock.Unlock()
				w.Scope(func(w *pool.Worker, inner *pool.Scope) {
					begun, free := newGate(), newGate()
					inner.Spawn(w, func(w *pool.Worker) {
						begun.open()
						free.pass()
						inner.Spawn(w, func(w *pool.Worker) { m.job(w, 0) })
						outer.Spawn(w, func(*pool.Worker) { through(&lock) })
						runtime.Goexit()
					})
					begun.pass()
					submit(s, p, func(*pool.Worker) int { free.open(); through(&lock); return 0 })
				})
			})
			return 0
		})
		_, err := h.Wait(background)
		s.check(errors.Is(err, pool.ErrGoexit), "P3", "Wait returns %v, want ErrGoexit", err)
		s.once(&m, "the job that was spawned by one that exited")
		s.Settle(func() { s.fullWidth(p) })
	}},
	// A job of a scope ends without a seat, while those that have the seats want the
	// lock that the scope's owner holds: no other worker can begin what it has spawned.
	{name: "spawned_without_seat", rule: waits, bound: 0, deep: 1, workers: 2, body: spawnsWithoutSeat(func() {}, nil)},
	{name: "goexit_before_spawned_without_seat", rule: "P3", bound: 0, deep: 1, workers: 2, body: spawnsWithoutSeat(runtime.Goexit, pool.ErrGoexit)},
	// The frames of a worker are kept for the next one of its seat. Between its
	// jobs the seat was another one's, which was asked for work in its place.
	{name: "wanted_of_kept_worker", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		here, begun, free, again := newGate(), newGate(), newGate(), newGate()
		s.Go("blocked", func() {
			here.pass() // so that the seat is the second one
			inside(s, p, func(*pool.Worker) { begun.open(); free.pass() })
		})
		inside(s, p, func(w *pool.Worker) {
			here.open()
			begun.pass()
			h := submit(s, p, func(w *pool.Worker) int { return pool.Fork(w, noop, 7).Join(w) })
			got, err := h.Join(w)
			s.check(got == 7 && err == nil, "P1", "the result of the submitted job is %d, %v, want 7", got, err)
			free.open()
			s.Settle(func() {}) // the other seat sleeps, and this one's flag is up
		})
		s.Settle(func() {})
		// The worker that had the seat last has it now, and leaves it to the other.
		done := newGate()
		s.Go("forks", func() {
			again.pass()
			enter(s, p, func(w *pool.Worker) int {
				f := forkTaken(w, noop, 0)
				g := forkTaken(w, noop, 0)
				return g.Join(w) + f.Join(w)
			})
			done.open()
		})
		inside(s, p, func(w *pool.Worker) {
			w.Block(func() { again.open(); done.pass() })
		})
	}},
	// The worker that waits looks for work, and finds a job that wants the lock of the one that waits.
	{name: "stranger_wants_lock", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		free := newGate()
		inside(s, p, func(w *pool.Worker) {
			f := forkTaken(w, func(_ *pool.Worker, n int) int { free.pass(); return n }, 0)
			lock.Lock()
			s.queue(p, func(*pool.Worker) { through(&lock) })
			s.Go("opener", free.open)
			f.Join(w)
			lock.Unlock()
		})
	}},
	// The worker that waits looks for work, and finds none, while the fork ends.
	{name: "waiter_and_its_seat", rule: waits, bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		enter(s, p, func(w *pool.Worker) int { return forkTaken(w, noop, 0).Join(w) })
		s.Settle(func() { s.fullWidth(p) })
	}},
	// The worker that ends the fork has another job, so the waiter gets a seat that sleeps, and
	// no other.
	{name: "waiter_and_a_sleeper", rule: waits, bound: 2, deep: 2, workers: 3, body: func(s *stage, p *pool.Pool) {
		inScope(s, p, func(w *pool.Worker, scope *pool.Scope) {
			pool.Fork(w, func(w *pool.Worker, _ int) int {
				scope.Spawn(w, func(*pool.Worker) {})
				return 0
			}, 0).Join(w)
		})
		s.Settle(func() { s.fullWidth(p) })
	}},
	// The worker that gives back the last of a scope's count leaves its seat to the owner, and
	// begins nothing else.
	{name: "heir_before_stranger", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		here, begun, free := newGate(), newGate(), newGate()
		for range 2 {
			s.Go("other", func() {
				here.pass()
				here.open()
				await(s, submit(s, p, func(*pool.Worker) int { free.open(); through(&lock); return 0 }))
			})
		}
		inside(s, p, func(w *pool.Worker) {
			lock.Lock()
			defer lock.Unlock()
			w.Scope(func(w *pool.Worker, scope *pool.Scope) {
				scope.Spawn(w, func(*pool.Worker) { begun.open(); free.pass() })
				begun.pass()
				here.open()
			})
		})
	}},
	// The owner of a scope finds a job of another one on top of its deque, and puts it
	// back. Meanwhile the other worker has looked there, and sleeps.
	{name: "stranger_put_back", rule: "P5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		begun, free, other := newGate(), newGate(), newGate()
		inside(s, p, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, outer *pool.Scope) {
				w.Scope(func(w *pool.Worker, inner *pool.Scope) {
					inner.Spawn(w, func(*pool.Worker) { begun.open(); free.pass() })
					begun.pass()
					outer.Spawn(w, func(*pool.Worker) { other.open() })
					free.open()
				})
				other.pass()
			})
		})
	}},
	// The scope's list is pruned while jobs wait in it. Their pointers lie between
	// those of jobs that want the owner's lock, in the only deque.
	{name: "scope_of_many", rule: waits, bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		wants := func(*pool.Worker) { through(&lock) }
		begun, free := newGate(), newGate()
		var first, second mark
		inside(s, p, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, outer *pool.Scope) {
				lock.Lock()
				w.Scope(func(w *pool.Worker, inner *pool.Scope) {
					inner.Spawn(w, func(*pool.Worker) {})
					inner.Spawn(w, func(*pool.Worker) { begun.open(); free.pass() })
					outer.Spawn(w, wants)
					inner.Spawn(w, func(w *pool.Worker) { first.job(w, 0) })
					begun.pass()
					inner.Spawn(w, func(w *pool.Worker) { second.job(w, 0) })
					outer.Spawn(w, wants)
					free.open()
				})
				lock.Unlock()
			})
		})
		s.once(&first, "the first job of the scope")
		s.once(&second, "the second job of the scope")
	}},
}

// exitsInScope has a job of a scope spawn another and exit, while its owner holds a
// lock that others want.
func exitsInScope(s *stage, p *pool.Pool) {
	var lock prim.Mutex
	var m mark
	s.Go("other", func() { inside(s, p, func(*pool.Worker) { through(&lock) }) })
	h := submit(s, p, func(w *pool.Worker) int {
		lock.Lock()
		defer lock.Unlock()
		w.Scope(func(w *pool.Worker, scope *pool.Scope) {
			scope.Spawn(w, func(w *pool.Worker) {
				scope.Spawn(w, func(w *pool.Worker) { m.job(w, 0) })
				runtime.Goexit()
			})
		})
		return 0
	})
	_, err := h.Wait(background)
	s.check(errors.Is(err, pool.ErrGoexit), "P3", "Wait returns %v, want ErrGoexit", err)
	s.once(&m, "the job that was spawned by one that exits")
	s.Wait()
	s.Settle(func() { s.fullWidth(p) })
}

// spawnsWithoutSeat has a job of a scope spawn another when both seats have jobs
// that want the lock of the scope's owner, and end.
func spawnsWithoutSeat(end func(), want error) func(s *stage, p *pool.Pool) {
	return func(s *stage, p *pool.Pool) {
		var lock prim.Mutex
		var m mark
		free, taken := newGate(), [2]gate{newGate(), newGate()}
		for _, g := range taken {
			s.Go("other", func() {
				free.pass()
				free.open()
				inside(s, p, func(*pool.Worker) { g.open(); through(&lock) })
			})
		}
		h := submit(s, p, func(w *pool.Worker) int {
			lock.Lock()
			defer lock.Unlock()
			w.Scope(func(w *pool.Worker, scope *pool.Scope) {
				begun := newGate()
				scope.Spawn(w, func(w *pool.Worker) {
					begun.open()
					w.Block(func() {
						free.open()
						taken[0].pass()
						taken[1].pass()
					})
					scope.Spawn(w, func(w *pool.Worker) { m.job(w, 0) })
					end()
				})
				begun.pass()
			})
			return 0
		})
		_, err := h.Wait(background)
		s.check(errors.Is(err, want), "P3", "Wait returns %v, want %v", err, want)
		s.once(&m, "the job that was spawned without a seat")
		s.Wait()
		s.Settle(func() { s.fullWidth(p) })
	}
}

// through waits for the lock, and lets it go.
func through(lock *prim.Mutex) {
	lock.Lock()
	defer lock.Unlock()
}

// whole checks that the pools have lost no seat, and closes them.
func (s *stage) whole(pools ...*pool.Pool) {
	s.Settle(func() {
		for _, p := range pools {
			s.fullWidth(p)
			s.close(p)
		}
	})
}

// A jobHere is a job of package loops.
type jobHere func(w *pool.Worker)

func (f jobHere) Run(w *pool.Worker) { f(w) }
