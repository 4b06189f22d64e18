package conformance

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Many jobs that take the same lock, each of which waits for other jobs while it
// holds it. It is rayon#592, for each kind of lock and each way to wait.
var poolHeld = slices.Concat(heldMutexes(), []poolCase{
	{name: "Held/lock=rwmutex", rule: "P14", run: held(rwMutex, anyWait)},
	{name: "Held/lock=once", rule: "P14", run: held(once, anyWait)},
	{name: "Held/lock=semaphore", rule: "P14", run: held(semaphore, anyWait)},
	{name: "Held/lock=cond", rule: "P14", run: held(cond, anyWait)},
	{name: "Held/two_in_order", rule: "P14", run: twoInOrder},
	{name: "Held/spawned_from_beneath", rule: "P14", run: spawnedFromBeneath},
	{name: "Held/deadlines", rule: "P14", run: deadlines},
})

// heldMutexes has a case for each way to wait.
func heldMutexes() []poolCase {
	cases := []poolCase{{name: "Held/lock=mutex/over=any", rule: "P14", run: held(mutex, anyWait)}}
	for _, v := range waits {
		cases = append(cases, poolCase{name: "Held/lock=mutex/over=" + v.name, rule: "P14", run: held(mutex, v.wait)})
	}
	return cases
}

// A within calls a function while it holds a lock.
type within func(critical func())

func mutex() within {
	var l sync.Mutex
	return func(critical func()) {
		l.Lock()
		defer l.Unlock()
		critical()
	}
}

// rwMutex is held by readers and writers.
func rwMutex() within {
	var l sync.RWMutex
	return func(critical func()) {
		if rand.IntN(3) > 0 {
			l.RLock()
			defer l.RUnlock()
		} else {
			l.Lock()
			defer l.Unlock()
		}
		critical()
	}
}

// once is held by the first caller, and not again.
func once() within {
	var o sync.Once
	return func(critical func()) { o.Do(critical) }
}

// semaphore may be held by two at once.
func semaphore() within {
	s := make(chan struct{}, 2)
	return func(critical func()) {
		s <- struct{}{}
		defer func() { <-s }()
		critical()
	}
}

// cond is a lock that is made of a condition variable.
func cond() within {
	var busy bool
	c := sync.NewCond(new(sync.Mutex))
	return func(critical func()) {
		c.L.Lock()
		for busy {
			c.Wait()
		}
		busy = true
		c.L.Unlock()
		defer func() {
			c.L.Lock()
			busy = false
			c.L.Unlock()
			c.Signal()
		}()
		critical()
	}
}

// waits are the ways in which a job can wait for others. Each has some jobs call
// small, and returns when they have.
var waits = []struct {
	name string
	wait func(r *run, w *pool.Worker, small func())
}{
	{"invoke", func(_ *run, w *pool.Worker, small func()) {
		job := func(*pool.Worker, int) int { small(); return 0 }
		pool.Invoke(w, job, 0, job, 0)
	}},
	{"join", func(_ *run, w *pool.Worker, small func()) {
		job := func(*pool.Worker) int { small(); return 0 }
		pool.Both(w, job, job)
	}},
	{"newest_fork", func(_ *run, w *pool.Worker, small func()) {
		forks := forkSmall(w, small)
		for _, f := range slices.Backward(forks[:]) {
			f.Join(w)
		}
	}},
	{"oldest_fork", func(_ *run, w *pool.Worker, small func()) {
		for _, f := range forkSmall(w, small) {
			f.Join(w)
		}
	}},
	{"scope", func(_ *run, w *pool.Worker, small func()) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			s.Spawn(w, func(w *pool.Worker) {
				small()
				s.Spawn(w, func(*pool.Worker) { small() })
			})
			s.Spawn(w, func(*pool.Worker) { small() })
		})
	}},
	{"handle_join", func(r *run, w *pool.Worker, small func()) {
		for _, h := range submitInside(r, w.Pool(), 2, func() int { small(); return 0 }) {
			if _, err := h.Join(w); err != nil {
				r.Report("P1", "Join of a handle returned the error %v", err)
			}
		}
	}},
	{"handle_wait", func(r *run, w *pool.Worker, small func()) {
		for _, h := range submitInside(r, w.Pool(), 2, func() int { small(); return 0 }) {
			if _, err := h.Wait(background); err != nil {
				r.Report("P1", "Wait in a job returned the error %v", err)
			}
		}
	}},
	{"nested_run", func(r *run, w *pool.Worker, small func()) {
		runSmall(r, pool.NewContext(background, w), w, small)
	}},
}

// forkSmall forks three jobs.
func forkSmall(w *pool.Worker, small func()) (forks [3]pool.Forked[int, int]) {
	for i := range forks {
		forks[i] = pool.Fork(w, func(*pool.Worker, int) int { small(); return 0 }, 0)
	}
	return forks
}

// runSmall forks two jobs in a Run of the same pool, which is no admission: it
// goes on as the job that calls it.
func runSmall(r *run, ctx context.Context, w *pool.Worker, small func()) {
	_, err := pool.Run(ctx, w.Pool(), func(w *pool.Worker, _ int) int {
		job := func(*pool.Worker, int) int { small(); return 0 }
		pool.Invoke(w, job, 0, job, 0)
		return 0
	}, 0)
	if err != nil {
		r.Report("P4", "a nested Run returned the error %v", err)
	}
}

// anyWait waits in any of these ways.
func anyWait(r *run, w *pool.Worker, small func()) {
	waits[rand.IntN(len(waits))].wait(r, w, small)
}

// small is a job that others wait for. It wants no lock.
func small() {
	for range rand.IntN(4) {
		runtime.Gosched()
	}
}

// held has forks and submitted jobs take one lock, and wait for others while they
// hold it.
func held(newLock func() within, wait func(*run, *pool.Worker, func())) func(*run, *pool.Pool) {
	return func(r *run, p *pool.Pool) {
		r.During("P14", "jobs that wait for others while they hold a lock which more jobs want, on %d workers", p.Workers())
		r.Rounds(30, func(int) {
			lock := newLock()
			manyJobs(r, p, 8, func(w *pool.Worker) { lock(func() { wait(r, w, small) }) })
		})
	}
}

// manyJobs runs the job n times in each of three ways: as forks of two callers of
// Run, and submitted.
func manyJobs(r *run, p *pool.Pool, n int, job func(w *pool.Worker)) {
	r.T.Helper()
	caller := func() {
		_, err := pool.Run(background, p, func(w *pool.Worker, n int) int {
			var forks []pool.Forked[int, int]
			for range n {
				forks = append(forks, pool.Fork(w, func(w *pool.Worker, _ int) int { job(w); return 0 }, 0))
			}
			for _, f := range slices.Backward(forks) {
				f.Join(w)
			}
			return 0
		}, n)
		if err != nil {
			r.Report("P1", "Run returned the error %v", err)
		}
	}
	r.Together(caller, caller, func() {
		var handles []*pool.Handle[int]
		for range n {
			h, err := pool.Submit(p, func(w *pool.Worker) int { job(w); return 0 })
			if err != nil {
				r.Report("P1", "Submit returned the error %v", err)
				return
			}
			handles = append(handles, h)
		}
		for _, h := range handles {
			if _, err := h.Wait(background); err != nil {
				r.Report("P1", "Wait returned the error %v", err)
			}
		}
	})
}

// twoInOrder takes two locks, always the same one first, and waits under each.
func twoInOrder(r *run, p *pool.Pool) {
	r.During("P14", "jobs that take two locks in one order, and wait for others under each, on %d workers", p.Workers())
	r.Rounds(30, func(int) {
		first, second := mutex(), mutex()
		manyJobs(r, p, 8, func(w *pool.Worker) {
			inner := func() { second(func() { anyWait(r, w, small) }) }
			if rand.IntN(3) == 0 {
				inner()
				return
			}
			first(func() { anyWait(r, w, small); inner() })
		})
	})
}

// spawnedFromBeneath has jobs under a lock spawn more jobs that want it, into a
// scope for which no holder of the lock waits.
func spawnedFromBeneath(r *run, p *pool.Pool) {
	r.During("P14", "jobs that were spawned into an outer scope from beneath the lock that they want, on %d workers", p.Workers())
	r.Rounds(60, func(int) {
		lock := mutex()
		var ran atomic.Int32
		r.Together(func() {
			pool.Run(background, p, func(w *pool.Worker, _ int) int {
				w.Scope(func(w *pool.Worker, outer *pool.Scope) {
					var job func(depth int) func(w *pool.Worker)
					job = func(depth int) func(w *pool.Worker) {
						return func(w *pool.Worker) {
							ran.Add(1)
							lock(func() { spawnTwice(w, outer, depth, job) })
						}
					}
					outer.Spawn(w, job(4))
				})
				return 0
			}, 0)
		})
		r.Check(ran.Load() == 31, "P1", "%d of 31 jobs ran that were spawned into an outer scope", ran.Load())
	})
}

// spawnTwice waits for two jobs, by forks or by a scope. Each of them spawns one
// into the outer scope, unless the depth is zero.
func spawnTwice(w *pool.Worker, outer *pool.Scope, depth int, job func(depth int) func(w *pool.Worker)) {
	child := func(w *pool.Worker) int {
		small()
		if depth > 0 {
			outer.Spawn(w, job(depth-1))
		}
		return 0
	}
	if rand.IntN(2) == 0 {
		pool.Both(w, child, child)
		return
	}
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range 2 {
			s.Spawn(w, func(w *pool.Worker) { child(w) })
		}
	})
}

// deadlines has jobs wait, under a lock and until a context ends, for submitted
// ones that want the lock, some of which wait for each other without it.
func deadlines(r *run, p *pool.Pool) {
	r.During("P14", "jobs that wait under a lock, until a context ends, for others that want it, on %d workers", p.Workers())
	r.Rounds(30, func(int) {
		lock := mutex()
		manyJobs(r, p, 4, func(w *pool.Worker) {
			wanting := submitInside(r, w.Pool(), 2, func() int { lock(small); return 0 })
			ctx, cancel := context.WithCancel(background)
			go func() { small(); cancel() }()
			lock(func() {
				for _, h := range wanting {
					if _, err := h.Wait(ctx); err != nil && err != context.Canceled {
						r.Report("P1", "Wait in a job returned %v, want a result or the context's error", err)
					}
				}
			})
			for _, h := range wanting {
				if _, err := h.Join(w); err != nil {
					r.Report("P1", "Join of a handle returned the error %v", err)
				}
			}
		})
	})
}
