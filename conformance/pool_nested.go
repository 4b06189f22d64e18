package conformance

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A Run in a job of the same pool, on a seat of its own, spawns into the scope of
// that job, which then waits outside the pool. What was spawned lies in the deque
// of a seat that has no job any more.
func spawnedInNestedRun(r *run, p *pool.Pool) {
	for range 20 {
		r.During("P5", "a job runs that was spawned by a Run in another, which has ended, while the other is blocked and a worker is free")
		begun := make(chan struct{})
		enter(r, p, func(w *pool.Worker) int {
			w.Scope(func(_ *pool.Worker, s *pool.Scope) {
				_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
					s.Spawn(w, func(*pool.Worker) { close(begun) })
					return 0
				}, 0)
				if err != nil {
					r.Report("P4", "a nested Run returned the error %v", err)
				}
				r.Wait(begun)
			})
			return 0
		})
	}
	fullWidth(r, p)
}

// seatsBeneath has a goroutine take a seat of p, one of q and another one of p, if
// there is one. On each of these levels it waits for jobs that need all workers of
// both pools: on the way in, and once more on the way back.
func (s poolSuite) seatsBeneath(r *run, workers int) {
	p, q := s.start(r, workers), s.start(r, 1)
	pools := []*pool.Pool{p, q, p}
	for _, k := range waitKinds {
		r.During("P4", "a goroutine whose jobs of two pools, of %d workers and one, lie above each other waits on each level, by %s, for jobs that need all workers", workers, k.name)
		var level func(w *pool.Worker, n int) int
		level = func(w *pool.Worker, n int) int {
			if n+1 < len(pools) {
				if _, err := pool.Run(background, pools[n+1], level, n+1); err != nil {
					r.Report("P4", "a nested Run returned the error %v", err)
				}
			}
			k.wait(w, allMeet(r, p, q))
			return 0
		}
		for range 5 {
			enter(r, p, func(w *pool.Worker) int { return level(w, 0) })
		}
	}
	fullWidth(r, p)
	fullWidth(r, q)
	s.close(r, p)
	s.close(r, q)
}

// waitKinds are the ways in which a job can wait for submitted ones.
var waitKinds = []struct {
	name string
	wait func(w *pool.Worker, handles []*pool.Handle[int])
}{
	{"Join", func(w *pool.Worker, handles []*pool.Handle[int]) {
		for _, h := range handles {
			h.Join(w)
		}
	}},
	{"Wait", func(_ *pool.Worker, handles []*pool.Handle[int]) {
		for _, h := range handles {
			h.Wait(background)
		}
	}},
	{"Wait in Block", func(w *pool.Worker, handles []*pool.Handle[int]) {
		w.Block(func() {
			for _, h := range handles {
				h.Wait(background)
			}
		})
	}},
}

// allMeet submits, from a job, as many jobs as the pools have workers, which end
// when all have begun.
func allMeet(r *run, pools ...*pool.Pool) (handles []*pool.Handle[int]) {
	all, missing := make(chan struct{}), new(atomic.Int32)
	for _, p := range pools {
		missing.Add(int32(p.Workers()))
	}
	for _, p := range pools {
		submitted := submitInside(r, p, p.Workers(), func() int {
			if missing.Add(-1) == 0 {
				close(all)
			}
			r.Receive(all)
			return 0
		})
		if len(submitted) < p.Workers() {
			return nil
		}
		handles = append(handles, submitted...)
	}
	return handles
}

// waitForAnotherPool has a job of p wait for one of q, while others take the worker of
// p that it leaves. When the other job has ended, q's only worker is q's.
func (s poolSuite) waitForAnotherPool(r *run) {
	p, q := s.start(r, 1), s.start(r, 1)
	for range 5 {
		held, free, visited := make(chan struct{}), make(chan struct{}), make(chan struct{})
		enter(r, p, func(w *pool.Worker) int {
			aside := p.Stats().SetAside
			h := submit(r, q, func(*pool.Worker) int {
				r.Receive(held)
				r.Until(func() bool { return p.Stats().SetAside > aside })
				return 7
			})
			holder := submit(r, p, func(*pool.Worker) int { close(held); r.Receive(free); return 0 })
			r.During("P1", "a job waits for one of another pool")
			if n, err := h.Join(w); n != 7 || err != nil {
				r.Report("P1", "a job that waits for one of another pool got %d, %v, want 7", n, err)
			}
			go func() { enter(r, q, func(*pool.Worker) int { close(visited); return 0 }) }()
			r.During("P5", "a pool of one worker, which has no job, begins a Run while a job of another pool is blocked that has waited for one of it")
			r.Wait(visited)
			close(free)
			holder.Join(w)
			return 0
		})
		r.Wait(visited)
	}
	fullWidth(r, p)
	fullWidth(r, q)
	s.close(r, p)
	s.close(r, q)
}
