package waits

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A system runs jobs.
type system interface {
	// enter runs a job, and returns its result.
	enter(job job) uint64
	// enqueue queues a job from outside. What it returns waits for the job.
	enqueue(job job) (wait func())
	// stranger sleeps as long as a long job of another caller takes.
	stranger()
	// recurse computes a branch on all workers, until that is over.
	recurse(b branch) reached
	// request has fn run, as a caller outside does that waits for it.
	request(fn func())
	close() error
}

// A place is where a job runs, and forks.
type place interface {
	// sumEach adds up what fn returns for the numbers below n, at least one. It
	// forks all of these calls but the last.
	sumEach(n int, fn func(p place, i int) uint64) uint64
}

type job = func(p place) uint64

// StrangerTime is how long a job of another caller sleeps.
const StrangerTime = 60 * time.Millisecond

type sleeps struct{}

func (sleeps) stranger() { time.Sleep(StrangerTime) }

// open returns the system of the given name, or an error if there is no such system.
func open(name string, workers int) (system, error) {
	switch {
	case workers == 0:
		return plain{}, nil
	case name == "rouse":
		p, err := pool.New(pool.WithWorkers(workers))
		return rouse{Pool: p}, err
	case name == "goroutine":
		return goroutines{workers: workers, before: runtime.GOMAXPROCS(workers)}, nil
	}
	return nil, fmt.Errorf("unknown implementation %q", name)
}

// plain runs the same code without forks. It can count what would be forks: then nothing is
// measured, and no job sleeps.
type plain struct{ forks *atomic.Int64 }

func (p plain) count(n int) {
	if p.forks != nil {
		p.forks.Add(int64(n))
	}
}

func (p plain) enter(job job) uint64     { return job(p) }
func (p plain) enqueue(job job) func()   { p.count(1); job(p); return func() {} }
func (p plain) recurse(b branch) reached { return grow(b) }
func (p plain) request(fn func())        { fn() }
func (p plain) close() error             { return nil }

func (p plain) stranger() {
	if p.forks == nil {
		sleeps{}.stranger()
	}
}

func (p plain) sumEach(n int, fn func(place, int) uint64) (sum uint64) {
	p.count(n - 1)
	for i := range n {
		sum += fn(p, i)
	}
	return sum
}

// rouse is the pool on its defaults.
type rouse struct {
	sleeps
	*pool.Pool
}

func (r rouse) enter(job job) uint64 {
	result, err := pool.Run(context.Background(), r.Pool, func(w *pool.Worker, job func(place) uint64) uint64 {
		return job(seat{w})
	}, job)
	return must(result, err)
}

func (r rouse) enqueue(job job) func() {
	h := must(pool.Submit(r.Pool, func(w *pool.Worker) uint64 { return job(seat{w}) }))
	return func() { must(h.Wait(context.Background())) }
}

func (r rouse) recurse(b branch) reached {
	return must(pool.Run(context.Background(), r.Pool, growForking, b))
}

// growForking is grow with a fork at each node.
func growForking(w *pool.Worker, b branch) reached {
	half, ok := b.halves()
	if !ok {
		return b.leaf()
	}
	one, other := pool.Invoke(w, growForking, half, growForking, half)
	return one.plus(other)
}

func (r rouse) request(fn func()) {
	must(pool.Run(context.Background(), r.Pool, func(*pool.Worker, struct{}) struct{} {
		fn()
		return struct{}{}
	}, struct{}{}))
}

func (r rouse) close() error { return r.Pool.Close() }

// must is for calls that fail only if the pool is closed.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

type seat struct{ w *pool.Worker }

func (s seat) sumEach(n int, fn func(place, int) uint64) uint64 {
	forks := make([]pool.Forked[int, uint64], n-1)
	for i := range forks {
		forks[i] = pool.Fork(s.w, func(w *pool.Worker, i int) uint64 { return fn(seat{w}, i) }, i)
	}
	sum := fn(s, n-1)
	for i := len(forks) - 1; i >= 0; i-- {
		sum += forks[i].Join(s.w)
	}
	return sum
}

// goroutines is a goroutine for each fork, on as many processors as a pool would
// have workers.
type goroutines struct {
	sleeps
	workers int
	before  int // what GOMAXPROCS was
}

func (g goroutines) enter(job job) uint64 { return job(g) }

func (g goroutines) close() error {
	runtime.GOMAXPROCS(g.before)
	return nil
}

// recurse has as many goroutines as there would be workers, and forks no further: with one for
// each node their number would have no bound. The caller has the processors that it would have
// beside a pool.
func (g goroutines) recurse(b branch) reached {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(g.before))
	return growBeside(g.workers, b)
}

func (goroutines) request(fn func()) {
	done := make(chan struct{})
	go func() {
		fn()
		close(done)
	}()
	<-done
}

func (g goroutines) enqueue(job job) func() {
	var running sync.WaitGroup
	running.Go(func() { job(g) })
	return running.Wait
}

func (g goroutines) sumEach(n int, fn func(place, int) uint64) uint64 {
	parts := make([]uint64, n-1)
	var running sync.WaitGroup
	for i := range parts {
		running.Go(func() { parts[i] = fn(g, i) })
	}
	sum := fn(g, n-1)
	running.Wait()
	for _, part := range parts {
		sum += part
	}
	return sum
}
