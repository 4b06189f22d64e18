package conformance

import (
	"context"
	"runtime"
	"sync"
	"weak"

	"github.com/rouse-go/rouse/pool"
)

var poolRetention = []poolCase{
	{"Forgotten/run", "P8", 2, forgetRun},
	{"Forgotten/fork", "P8", 2, forgetFork},
	{"Forgotten/stolen", "P8", 2, forgetStolen},
	{"Forgotten/submit", "P8", 2, forgetSubmit},
	{"Forgotten/spawn", "P8", 2, forgetSpawn},
	{"Forgotten/withdrawn", "P8", 2, forgetWithdrawn},
}

// A cargo is something large enough to have a block of its own, handed to the
// pool and back.
type cargo struct{ _ [128]byte }

// forget has use make cargo and hand it to the pool, and fails if any of it
// stays reachable once use has returned, by which time all was joined.
func forget(r *run, p *pool.Pool, what string, use func(load func() *cargo)) {
	r.t.Helper()
	var mu sync.Mutex
	var refs []weak.Pointer[cargo]
	func() {
		use(func() *cargo {
			mu.Lock()
			defer mu.Unlock()
			c := new(cargo)
			refs = append(refs, weak.Make(c))
			return c
		})
	}()
	left := 0
	// A worker may be on the last instructions of a job when its result is
	// there, so one look is not enough.
	for range 100 {
		runtime.GC()
		left = 0
		for _, ref := range refs {
			if ref.Value() != nil {
				left++
			}
		}
		if left == 0 {
			break
		}
		runtime.Gosched()
	}
	r.check(left == 0, "P8", "of %d things handed to the pool and back (%s), %d are still reachable", len(refs), what, left)
	runtime.KeepAlive(p)
}

func pass(_ *pool.Worker, c *cargo) *cargo { return c }

func forgetRun(r *run, p *pool.Pool) {
	forget(r, p, "arguments and results of Run", func(load func() *cargo) {
		for range 10 {
			pool.Run(background, p, pass, load())
			c := load()
			pool.Run(background, p, func(*pool.Worker, int) *cargo { return c }, 0)
		}
	})
}

func forgetFork(r *run, p *pool.Pool) {
	forget(r, p, "arguments and results of forks", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				f := pool.Fork(w, pass, load())
				g := pool.Fork(w, pass, load())
				c := load()
				h := pool.Fork(w, func(*pool.Worker, int) *cargo { return c }, 0)
				f.Join(w) // out of order
				h.Join(w)
				g.Join(w)
				pool.Fork(w, pass, load()) // and never
				caught(func() {
					pool.Join(w, func(*pool.Worker) int { panic(load()) }, func(*pool.Worker) *cargo { return c })
				})
				return 0
			})
		}
	})
}

func forgetStolen(r *run, p *pool.Pool) {
	forget(r, p, "what a stolen fork was given", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				c := load()
				apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { runtime.KeepAlive(c) })
				return 0
			})
		}
	})
}

func forgetSubmit(r *run, p *pool.Pool) {
	forget(r, p, "functions and results of submitted jobs", func(load func() *cargo) {
		for range 10 {
			c := load()
			await(r, submit(r, p, func(*pool.Worker) *cargo { return c }))
			d := load()
			submit(r, p, func(*pool.Worker) int { panic(d) }).Wait(background)
		}
	})
}

func forgetSpawn(r *run, p *pool.Pool) {
	forget(r, p, "functions of spawned jobs", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				w.Scope(func(s *pool.Scope) {
					for range 5 {
						c := load()
						s.Spawn(w, func(*pool.Worker) { runtime.KeepAlive(c) })
					}
				})
				return 0
			})
		}
	})
}

// forgetWithdrawn withdraws calls of Run that wait for a worker. Their places in
// the queue stay, for all workers are blocked.
func forgetWithdrawn(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	r.during("P1", "Run returns whose context has ended while it waited for a worker")
	forget(r, p, "functions and arguments of calls of Run that were withdrawn", func(load func() *cargo) {
		for range 5 {
			ctx, cancel := context.WithCancel(background)
			c, done := load(), make(chan struct{})
			queued := p.Stats().Injected
			go func() {
				defer close(done)
				pool.Run(ctx, p, func(_ *pool.Worker, d *cargo) *cargo { runtime.KeepAlive(c); return d }, load())
			}()
			r.until(func() bool { return p.Stats().Injected > queued })
			cancel()
			r.wait(done)
		}
	})
	free()
}

// closedUnderContext has use wait with a context, and closes the pool. The context
// lives on, and must not keep the pool.
func (s poolSuite) closedUnderContext(r *run, what string, use func(r *run, p *pool.Pool, ctx context.Context)) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	ref := func() weak.Pointer[pool.Pool] {
		p := s.start(r, 1)
		use(r, p, ctx)
		s.close(r, p)
		return weak.Make(p)
	}()
	for range 100 {
		if runtime.GC(); ref.Value() == nil {
			return
		}
		runtime.Gosched()
	}
	r.fail("P8", "a closed pool is still reachable, by the context of %s that has returned", what)
}

// runUnderContext has a Run wait for a worker.
func runUnderContext(r *run, p *pool.Pool, ctx context.Context) {
	free, done := blockWorkers(r, p, 1), make(chan struct{})
	queued := p.Stats().Injected
	go func() {
		defer close(done)
		pool.Run(ctx, p, fib, 5)
	}()
	r.during("P11", "Run returns that has waited for a worker")
	r.until(func() bool { return p.Stats().Injected > queued })
	free()
	r.wait(done)
}

// waitUnderContext has a job wait for another one, which has not begun.
func waitUnderContext(r *run, p *pool.Pool, ctx context.Context) {
	r.during("P4", "Wait returns in a job of the only worker")
	enter(r, p, func(*pool.Worker) int {
		for _, h := range submitInside(r, p, 1, func() int { return 7 }) {
			h.Wait(ctx)
		}
		return 0
	})
}
