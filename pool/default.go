package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// Default returns the pool for code that has none of its own: the built-in one, or the
// one that main, or a test, has put in its place with [SetDefault]. Ask again for each
// use, and do not keep it.
//
// The built-in pool begins when Default first returns it, with as many workers as there
// are processors (GOMAXPROCS) then. It follows that number when nobody uses it: if Default is
// called while no job of the pool runs, waits or is queued, all workers sleep or look for work,
// and the number has changed, Default makes a new built-in pool, and returns that from then on.
// So after a rest it has the right number: a test that go test -cpu 1,2,4 runs three times finds
// one, two and four workers. Jobs that run keep their pool, and so do you if you have kept it:
// it still works, but is no longer what others use. The counts of [Stats] begin anew with a new
// pool.
//
// At rest the built-in pool has no goroutine: the goroutine of a worker that finds nothing ends,
// and what wakes the worker starts another one. So a program that has used it passes a search
// for leaked goroutines, once its jobs have ended. It is never closed: Close and Shutdown return
// [ErrDefault].
//
// In a bubble of [testing/synctest] the built-in pool can be used if it is at rest as the
// bubble begins, and nobody outside uses it meanwhile. Where you cannot know that, make a
// pool in the bubble, and set it there:
//
//	synctest.Test(t, func(t *testing.T) {
//		p, err := pool.New()
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer p.Close()
//		defer pool.SetDefault(pool.SetDefault(p))
//		…
//	})
//
// Default may be called by any goroutine at any time. It costs three atomic loads. While no worker
// has a job it also reads GOMAXPROCS, under the lock of the Go scheduler: that takes 13 ns. If
// that is another number, it adds a load for each worker, at every call as long as some job
// waits, is in [Worker.Block] or is queued. The first call, and one that makes a new pool, cost
// as much as [New].
func Default() *Pool {
	p := LastDefault()
	if p.builtIn && p.isUnfit() {
		return renewBuiltIn()
	}
	return p
}

// LastDefault returns what [Default] would return if GOMAXPROCS had not changed. It is for
// code that may need no worker at all, as a short loop of package par: it asks this pool whether
// its last calls were short ([Pool.Brief]), and calls Default when it wants workers. If nobody
// has called Default yet, it does. It costs two atomic loads.
func LastDefault() *Pool {
	if p := front.set.Load(); p != nil {
		return p
	}
	if p := front.builtIn.Load(); p != nil {
		return p
	}
	return renewBuiltIn()
}

// SetDefault makes p what [Default] returns from now on, and returns what it has
// returned so far, or nil if that was the built-in pool and nobody has used it. Nil puts
// the built-in pool back. Calls of Default that have returned are not affected, nor are
// jobs of the pool that was the default.
//
// It is for the program's main function, which knows what the machine, or the container,
// gives the program; and for tests, which put back what was there:
//
//	defer pool.SetDefault(pool.SetDefault(p))
//
// A pool that you have made stays yours to close. But while it is the default, Close and
// Shutdown do nothing and return [ErrDefault], since all that Default
// returned it to would be refused from then on: call SetDefault(nil) first.
//
// SetDefault may be called by any goroutine at any time, before Default and after it.
func SetDefault(p *Pool) (old *Pool) {
	if p != nil && p.builtIn {
		p = nil
	}
	if old = front.set.Swap(p); old == nil {
		old = front.builtIn.Load()
	}
	return old
}

// front is the door to the default pool.
var front struct {
	// set is what SetDefault was given. It is nil for the built-in pool.
	set prim.Pointer[Pool]
	// builtIn is nil until it is used.
	//
	// Writers: renewBuiltIn, holding mu.
	// Pairs:   none but mu. A caller that still has the one before may go on with that.
	builtIn prim.Pointer[Pool]
	mu      prim.Mutex
}

// renewBuiltIn returns the built-in pool. It makes one if there is none, or if that is unfit.
//
// The one before is not closed: somebody may have got it from Default, and be about to use it.
// It has no goroutine at rest, so it is garbage when nobody has it any more.
func renewBuiltIn() *Pool {
	front.mu.Lock()
	defer front.mu.Unlock()
	p := front.builtIn.Load()
	if p == nil || p.isUnfit() {
		var err error
		if p, err = New(WithWorkers(builtInWorkers()), WithSleep(builtInSleep)); err != nil {
			panic(err) // nothing in these options can be wrong
		}
		p.builtIn = true
		front.builtIn.Store(p)
	}
	return p
}

func builtInWorkers() int { return min(prim.Processors(), MaxWorkers) }

// isUnfit reports whether the built-in pool has another number of workers than there are
// processors now, and nobody uses it.
//
// The first look is for many callers at once: the lock of the Go scheduler would be in the way of
// all goroutines. A job that runs without a seat, or is in Block, has not left.
func (p *Pool) isUnfit() bool {
	if inactive, _ := p.sleep.Counts(); inactive < len(p.seats) {
		return false
	}
	if len(p.seats) == builtInWorkers() {
		return false
	}
	p.addUp()
	return p.allLeft()
}

// mayEnd returns the error with which Close and Shutdown refuse to end the pool, or nil.
func (p *Pool) mayEnd() error {
	if p.builtIn || p == front.set.Load() {
		return ErrDefault
	}
	return nil
}

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.
//
// With few workers the sleep backend is jec, because a wake costs the waker least
// where goroutines park: a system call to release a thread takes it more time than
// most jobs that are worth a fork, though the thread then starts sooner than a
// goroutine that must be fetched (workloads post-asleep, tree-small, the bursts and
// wake of the bench). It holds no thread, and is the same on every platform.
//
// With many workers, and a processor for each, it is futex. The Go runtime starts
// threads for goroutines one after the other, and the system starts those that wait
// for a futex side by side. Predicted, not measured, for 64 workers: all are at work
// after 0.1 ms in place of 0.5 (lab predict --workers 64, column ramp). What would
// refute it is lab scale on a machine with 16 processors or more: rows that gain
// more with --sleep jec, or a program whose other goroutines wait for processors
// right after the pool has gone to sleep.

func defaultDeque() api.Deque[Job] { return deque.NewChaseLev[Job]() }

func defaultSleep(workers int) (api.Sleep, error) {
	if workers >= manyWorkers && workers <= prim.Processors() {
		return futex.New(workers)
	}
	return jec.New(workers)
}

// builtInSleep makes the backend of the built-in default pool, whose workers sleep
// without a goroutine.
func builtInSleep(workers int) (api.Sleep, error) {
	return jec.New(workers, jec.WithoutGoroutines())
}

// manyWorkers is from how many workers on their starts, one after the other, would
// take longer than 0.1 ms.
const manyWorkers = 16

func newInjector() api.Injector[Job] { return deque.NewInjector[Job]() }
