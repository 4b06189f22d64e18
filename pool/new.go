package pool

import (
	"errors"
	"fmt"
	"math"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// New makes a pool and starts its workers. It returns an error if an option is nil, or one that
// names the option if that is out of range or a backend cannot be made; nothing is then left
// behind. It costs about a microsecond for each worker.
//
// A pool has a goroutine for each worker until [Pool.Close] ends it. If you forget to
// close it they stay, and keep it in memory. A search for leaked goroutines then shows
// some in (*seat).awaitJob of this package. So does the profile goroutineleak, which Go 1.26
// has with GOEXPERIMENT=goroutineleakprofile, if nothing refers to the pool any more. A
// pool whose workers sleep without a goroutine, as those of [Default] do, is collected
// when it is at rest and nothing refers to it:
//
//	pool.New(pool.WithSleep(func(n int) (api.Sleep, error) {
//		return jec.New(n, jec.WithoutGoroutines())
//	}))
//
// In a bubble of [testing/synctest] make a pool for the bubble, and close it there. The
// goroutines of a pool that was made outside are not the bubble's. When one of them
// takes a job of the bubble, the bubble may find all its goroutines blocked, or the
// program may end with a fatal error: it depends on the schedule.
func New(opts ...Option) (*Pool, error) {
	c := config{workers: prim.Processors(), deque: defaultDeque, sleep: defaultSleep, queueLimit: math.MaxInt}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("pool: New: a nil option: leave it out")
		}
		o(&c)
	}
	switch {
	case c.workers < 1 || c.workers > MaxWorkers:
		return nil, fmt.Errorf("pool: WithWorkers(%d): must be 1 to %d", c.workers, MaxWorkers)
	case c.deque == nil:
		return nil, fmt.Errorf("pool: WithDeque(nil): must make a deque")
	case c.sleep == nil:
		return nil, fmt.Errorf("pool: WithSleep(nil): must make a sleep backend")
	case c.queueLimit < 1:
		return nil, fmt.Errorf("pool: WithQueueLimit(%d): must be at least 1", c.queueLimit)
	}
	s, err := c.sleep(c.workers)
	if err != nil {
		return nil, fmt.Errorf("pool: WithSleep, %d workers: %w", c.workers, err)
	}
	if s == nil {
		return nil, fmt.Errorf("pool: WithSleep: the function returned no backend")
	}
	p := &Pool{eager: c.eager, random: c.random}
	prim.Declare(p)
	p.unhandled.handler, p.unhandled.panics = c.handler, make(map[*failure]bool)
	p.sleep.Sleep, p.sleep.hasWork = s, p.hasWork
	p.sleep.lender, _ = s.(api.Lender)
	p.inbox.direct, p.inbox.queued = ticket{pool: p}, ticket{pool: p, queued: true}
	p.inbox.samples.Store(mostSamples)
	p.inbox.queue = endless{newInjector()}
	if c.queueLimit < math.MaxInt {
		p.inbox.queue = newRoom(c.queueLimit, func() int { inactive, _ := s.Counts(); return inactive })
	}
	switch n := prim.Processors(); {
	case n == 1: // to look would keep those that it waits for from running
	case c.workers <= n:
		p.looks.spins = maxSpins
		p.looks.lingers = c.workers > 1
	default:
		p.looks.spins = api.DefaultRounds(c.workers).Spin / 2
	}
	p.guests.blocks.Store(new([]*block))
	p.guests.newDeque, p.guests.nobody = c.deque, &Worker{pool: p}
	prim.Declare(p.guests.nobody)
	p.guests.nobody.wanted.Store(wantForks)
	for i := range c.workers {
		s := p.newSeat(i)
		if s == nil {
			return nil, errors.New(noDeque)
		}
		w := newWorker(p)
		s.spares.workers = append(s.spares.workers, w)
		s.occupant.Store(w)
		p.seats = append(p.seats, s)
	}
	if b, ok := s.(api.Starter); ok {
		p.sleep.leaves = b.StartBy(func(seat int) { p.seats[seat].wakeUp() })
	}
	p.shutdown.lives.Add(len(p.seats))
	p.unhandled.reports.Add(1) // for Close
	for _, s := range p.seats {
		// It counts as one that looks for work before its goroutine runs: so a job that
		// comes at once knows that a worker will have time for it.
		s.idle, s.looking = s.startLooking(), true
	}
	for _, s := range p.seats {
		s.start(nil)
	}
	return p, nil
}

// newSeat makes a seat of the pool, which is not in use yet, or returns nil if there is no deque for it.
func (p *Pool) newSeat(index int) *seat {
	d := p.guests.newDeque()
	if d == nil {
		return nil
	}
	s := &seat{pool: p, index: index, deque: d, thief: thief{random: uint64(index)*2 + 1}}
	prim.Declare(s)
	s.body = s.main
	s.spares.workers = s.spares.room[:0]
	return s
}

const noDeque = "pool: WithDeque: the function returned no deque"

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
// it still works, but others no longer use it. The counts of [Stats] begin anew with a new pool.
//
// At rest the built-in pool has no goroutine: the goroutine of a worker that finds nothing ends,
// and the one that wakes the worker starts another one. So a program that has used it passes a
// search for leaked goroutines, once its jobs have ended. It is never closed: Close and Shutdown
// return [ErrDefault].
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
	p := lastDefault()
	if p.builtIn && p.isUnfit() {
		return renewBuiltIn()
	}
	return p
}

// lastDefault returns what [Default] would return if GOMAXPROCS had not changed.
func lastDefault() *Pool {
	if p := defaults.set.Load(); p != nil {
		return p
	}
	if p := defaults.builtIn.Load(); p != nil {
		return p
	}
	return renewBuiltIn()
}

// SetDefault makes p the result of [Default] from now on. It returns the pool that was
// so before, or nil if that was the built-in pool and nobody has used it. Nil puts the
// built-in pool back. Calls of Default that have returned are not affected, nor are jobs
// of the pool that was the default.
//
// It is for the program's main function, which knows how many processors the program may
// use; and for tests, which put back the pool that was there:
//
//	defer pool.SetDefault(pool.SetDefault(p))
//
// A pool that you have made stays yours to close. But while it is the default, Close and
// Shutdown do nothing and return [ErrDefault], since every caller of Default that has it
// would be refused from then on: call SetDefault(nil) first.
//
// SetDefault may be called by any goroutine at any time, before Default and after it.
func SetDefault(p *Pool) (old *Pool) {
	if p != nil && p.builtIn {
		p = nil
	}
	if old = defaults.set.Swap(p); old == nil {
		old = defaults.builtIn.Load()
	}
	return old
}

// defaults are the default pool and the built-in one.
var defaults struct {
	// set is the argument of SetDefault. It is nil for the built-in pool.
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
	defaults.mu.Lock()
	defer defaults.mu.Unlock()
	p := defaults.builtIn.Load()
	if p == nil || p.isUnfit() {
		var err error
		if p, err = New(WithWorkers(builtInWorkers()), WithSleep(builtInSleep)); err != nil {
			panic(err) // nothing in these options can be wrong
		}
		p.builtIn = true
		defaults.builtIn.Store(p)
	}
	return p
}

func builtInWorkers() int { return min(prim.Processors(), MaxWorkers) }

// isUnfit reports whether the built-in pool has another number of workers than there are
// processors now, and nobody uses it.
//
// The first look is for many callers at once: the lock of the Go scheduler would be in the way of
// all goroutines. A job that runs as a guest, or is in Block, has not left.
func (p *Pool) isUnfit() bool {
	inactive, _ := p.sleep.Counts()
	return inactive >= len(p.seats) && len(p.seats) != builtInWorkers() && p.allLeft()
}

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.
//
// With few workers the sleep backend is jec, because a wake costs the waker least
// where goroutines park: a system call to release a thread takes it more time than
// most jobs that are worth a fork, though the thread then starts sooner than a
// goroutine that must be fetched (workloads post-asleep, tree-small and wake
// of the bench). It holds no thread, and is the same on every platform.
//
// With many workers, and a processor for each, it is futex. The Go runtime starts
// threads for goroutines one after the other, and the system starts those that wait
// for a futex side by side. Predicted, not measured, for 64 workers: all are at work
// after 0.1 ms in place of 0.5 (lab predict, column ramp). To refute it, run lab
// predict without the build tag, so that it measures, on a machine with 16 processors
// or more: look for rows that gain more with --sleep jec, or a program whose other
// goroutines wait for processors right after the pool has gone to sleep.

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

func newInjector() api.Injector[submission] { return deque.NewInjector[submission]() }
