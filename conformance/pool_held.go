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
var poolHeld = slices.Concat(heldLocks(), []poolCase{
	{name: "Held/two_in_order", rule: "P14", run: twoInOrder},
	{name: "Held/spawned_from_beneath", rule: "P14", run: spawnedFromBeneath},
	{name: "Held/deadlines", rule: "P14", run: deadlines},
})

// heldLocks has a case for each way to wait under a mutex, and for each other lock.
func heldLocks() (cases []poolCase) {
	add := func(name string, newLock func() within, wait shape) {
		cases = append(cases, poolCase{name: "Held/lock=" + name, rule: "P14", run: held(newLock, wait)})
	}
	add("mutex/over=any", mutex, anyWait)
	for _, v := range waits {
		add("mutex/over="+v.name, mutex, v.wait)
	}
	add("rwmutex", rwMutex, anyWait)
	add("once", once, anyWait)
	add("semaphore", semaphore, anyWait)
	add("cond", cond, anyWait)
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

// waits are the ways in which a job can wait for others.
var waits = []struct {
	name string
	wait shape
}{
	{"invoke", inTree},
	{"join", byBoth},
	{"newest_fork", newestFirst},
	{"oldest_fork", oldestFirst},
	{"scope", inScopeFromBeneath},
	{"handle_join", byHandles},
	{"handle_wait", byWaitOfHandles},
	{"nested_run", inNestedRun},
}

// anyWait waits in any of these ways.
func anyWait(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	waits[rand.IntN(len(waits))].wait(r, w, leaf, lengths)
}

// waitFor has a job wait, in the given way, for a few small ones.
func waitFor(r *run, w *pool.Worker, wait shape) {
	wait(r, w, func(*pool.Worker, int) int { small(); return 0 }, make([]int, 3))
}

// small is a job that others wait for. It wants no lock.
func small() {
	for range rand.IntN(4) {
		runtime.Gosched()
	}
}

// held has forks and submitted jobs take one lock, and wait for others while they
// hold it.
func held(newLock func() within, wait shape) func(*run, *pool.Pool) {
	return func(r *run, p *pool.Pool) {
		r.During("P14", "jobs that wait for others while they hold a lock which more jobs want, on %d workers", p.Workers())
		r.Rounds(30, func(int) {
			lock := newLock()
			manyJobs(r, p, 8, func(w *pool.Worker) { lock(func() { waitFor(r, w, wait) }) })
		})
	}
}

// manyJobs runs the job n times in each of three ways: as forks of two callers of
// Run, and submitted.
func manyJobs(r *run, p *pool.Pool, n int, job func(w *pool.Worker)) {
	r.T.Helper()
	leaf := func(w *pool.Worker, _ int) int { job(w); return 0 }
	caller := func() {
		runOn(r, background, p, func(w *pool.Worker) { newestFirst(r, w, leaf, make([]int, n)) })
	}
	r.Together(caller, caller, func() { submitAndWait(r, p, leaf, make([]int, n)) })
}

// twoInOrder takes two locks, always the same one first, and waits under each.
func twoInOrder(r *run, p *pool.Pool) {
	r.During("P14", "jobs that take two locks in one order, and wait for others under each, on %d workers", p.Workers())
	r.Rounds(30, func(int) {
		first, second := mutex(), mutex()
		manyJobs(r, p, 8, func(w *pool.Worker) {
			inner := func() { second(func() { waitFor(r, w, anyWait) }) }
			if rand.IntN(3) == 0 {
				inner()
				return
			}
			first(func() { waitFor(r, w, anyWait); inner() })
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
			runOn(r, background, p, func(w *pool.Worker) {
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
			})
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
			wanting := submitLeaves(r, w.Pool(), func(*pool.Worker, int) int { lock(small); return 0 }, make([]int, 2))
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
