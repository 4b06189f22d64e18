package conformance

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Jobs that block until others run. If a worker sleeps beside a job, if a thief passes one
// by, or if a worker was lost, they have no end.
var poolBlocked = []poolCase{
	{"BlockedJobs", "P5", runBlocked},
	{"FullWidth", "P5", func(r *run, p *pool.Pool) {
		for round := 0; r.More(round, 10); round++ {
			fullWidth(r, p)
		}
	}},
	{"EveryVictim", "P5", everyVictim},
	{"SpawnedByGuest", "P5", spawnedByGuest},
}

// runBlocked blocks some workers, and all: then a Run still ends.
func runBlocked(r *run, p *pool.Pool) {
	for n := range p.Workers() + 1 {
		free := blockWorkers(r, p, n)
		for i := range 10 {
			if n < p.Workers() {
				r.During("P5", "jobs run while %d of %d workers are blocked in others", n, p.Workers())
				got := await(r, submit(r, p, func(w *pool.Worker) int { return fib(w, i) }))
				r.Check(got == plainFib(i), "P1", "fib(%d) is %d", i, got)
			}
			r.During("P11", "a Run goes on at once while %d of %d workers are blocked in jobs", n, p.Workers())
			got := enter(r, p, func(w *pool.Worker) int { return fib(w, i) })
			r.Check(got == plainFib(i), "P1", "fib(%d) is %d", i, got)
		}
		free()
	}
}

// blockWorkers makes n workers block in jobs until free is called.
func blockWorkers(r *run, p *pool.Pool, n int) (free func()) {
	r.T.Helper()
	gate := make(chan struct{})
	var handles []*pool.Handle[bool]
	for range n {
		begun := make(chan struct{})
		handles = append(handles, submit(r, p, func(*pool.Worker) bool {
			close(begun)
			r.Receive(gate)
			return true
		}))
		r.During("P5", "a job begins on a pool that has an idle worker")
		r.Wait(begun)
	}
	return func() {
		close(gate)
		for _, h := range handles {
			await(r, h)
		}
	}
}

// fullWidth submits as many jobs as there are workers, each of which blocks until all have
// begun.
func fullWidth(r *run, p *pool.Pool) {
	r.T.Helper()
	n := p.Workers()
	r.During("P5", "%d jobs, each of which blocks until all have begun, run on %d workers", n, n)
	var begun atomic.Int32
	all := make(chan struct{})
	var handles []*pool.Handle[int]
	for i := range n {
		handles = append(handles, submit(r, p, func(*pool.Worker) int {
			if int(begun.Add(1)) == n {
				close(all)
			}
			r.Receive(all)
			return i
		}))
	}
	for i, h := range handles {
		r.Check(await(r, h) == i, "P1", "of jobs that run at once, number %d gave a wrong result", i)
	}
}

// everyVictim has a job stolen from a job that was stolen, and so on until all workers are
// at it: a thief must come to every worker that has something, and to a guest. The first job
// is submitted, or it is a Run, also one that begins and forks while all workers are blocked.
func everyVictim(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 21); round++ {
		var begun atomic.Int32
		all := make(chan struct{})
		var steal func(w *pool.Worker, left int)
		steal = func(w *pool.Worker, left int) {
			begun.Add(1)
			if left == 0 {
				close(all)
				return
			}
			apart(r, w, func(*pool.Worker) { r.Receive(all) }, func(w *pool.Worker) { steal(w, left-1) })
		}
		r.During("P5", "a fork of the only job that forks is stolen by the only idle one of %d workers", p.Workers())
		first := func(w *pool.Worker) int { steal(w, p.Workers()-1); return 0 }
		switch round % 3 {
		case 0:
			await(r, submit(r, p, first))
		case 1:
			enter(r, p, first)
		default:
			free := blockWorkers(r, p, p.Workers())
			enter(r, p, func(w *pool.Worker) int { return fib(w, 5) }) // the next guest takes the same seat
			r.During("P5", "a fork of a guest, of which it has one before, is stolen by one of %d workers", p.Workers())
			enter(r, p, func(w *pool.Worker) int {
				oldest := pool.Fork(w, fib, 1)
				freed := r.Go(free)
				first(w)
				r.Wait(freed)
				return oldest.Join(w)
			})
		}
		n := int(begun.Load())
		r.Check(n == p.Workers(), "P5", "%d jobs were in a chain of stolen ones, of which each lasts as long as the chain; want one for each of %d workers", n, p.Workers())
	}
}

// spawnedByGuest has a guest spawn jobs into a scope around, and end before they have begun. The
// scope's job blocks until they have, and by then the workers are free.
func spawnedByGuest(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	r.During("P5", "jobs run on %d workers that a guest has spawned, which has ended", p.Workers())
	enter(r, p, func(w *pool.Worker) int {
		var begun sync.WaitGroup
		w.Scope(func(_ *pool.Worker, s *pool.Scope) {
			runOn(r, background, p, func(w *pool.Worker) {
				for range 2 {
					begun.Add(1)
					s.Spawn(w, func(*pool.Worker) { begun.Done() })
				}
			})
			free()
			r.Wait(r.Go(begun.Wait))
		})
		return 0
	})
}

// lockedRuns has callers that each call Run under one lock. In the Run of each pool they call that of
// the next one, and last that of the first one again, and all of them fork. Meanwhile jobs have
// all workers, and wait for the same lock.
func lockedRuns(r *run, pools ...*pool.Pool) {
	r.T.Helper()
	var mu sync.Mutex
	var nest func(depth int)
	nest = func(depth int) {
		runOn(r, background, pools[depth%len(pools)], func(w *pool.Worker) {
			f := pool.Fork(w, fib, 8)
			if depth < len(pools) {
				nest(depth + 1)
			}
			n := f.Join(w) + fib(w, 8)
			r.Check(n == 2*plainFib(8), "P1", "two times fib(8) is %d", n)
		})
	}
	mu.Lock()
	var handles []*pool.Handle[int]
	for _, p := range pools {
		for range p.Workers() {
			begun := make(chan struct{})
			handles = append(handles, submit(r, p, func(w *pool.Worker) int {
				close(begun)
				mu.Lock()
				defer mu.Unlock()
				return fib(w, 8)
			}))
			r.During("P5", "a job begins on a pool that has an idle worker")
			r.Wait(begun)
		}
	}
	r.During("P14", "Runs through %d pools and back end under a lock that jobs of all workers wait for", len(pools))
	locked := func() {
		mu.Lock()
		defer mu.Unlock()
		nest(0)
	}
	r.Together(append(slices.Repeat([]func(){locked}, 8), func() {
		defer mu.Unlock()
		nest(0)
	})...)
	for _, h := range handles {
		await(r, h)
	}
}
