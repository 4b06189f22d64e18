// Package work holds the jobs that [bench] measures. Each is a [Program]: the
// same leaf code in the shapes in which different implementations can run it.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package work

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// A Program is one job in several shapes, which give the same result. A shape
// that makes no sense for the job is nil. A program runs once at a time.
type Program struct {
	// Prepare comes before each run and is not timed. It may be nil.
	Prepare func()
	// Digest comes after each run of a shape that leaves its result in memory,
	// and is not timed. If it is not nil, what the shapes return means
	// nothing.
	Digest func() uint64

	// Sequential is plain code.
	Sequential func() uint64
	// Nested starts a function for each fork, and waits for it inside the one
	// that forked, with no cut-off.
	Nested func(Groups) uint64
	// Flat cuts the job into about as many pieces beforehand, starts them all
	// from outside, and combines what comes of them. That is what is left to
	// pools whose tasks must not wait for each other.
	Flat func(groups Groups, pieces int) uint64
	// Pool forks and joins on a pool of this repository.
	Pool func(*pool.Pool) (uint64, error)
	// Par is by module par, on a pool of this repository.
	Par func(*pool.Pool) uint64
	// Library is by libraries that have loops, with so many workers. The keys
	// are the names of implementations.
	Library map[string]func(workers int) uint64
	// Asleep says that all workers of a pool must sleep before each run. It is
	// waited for, and not timed.
	Asleep bool
	// Posts hands a function over again and again, and times itself.
	Posts func(Poster) (uint64, time.Duration)
	// Sleeps drives a sleep backend with one worker, without a pool.
	Sleeps func(api.Sleep) SleepRun
}

// A Poster takes a job, and returns what hands it over once.
type Poster func(job func()) (post func())

// A SleepRun is a worker that does nothing but sleep and be woken.
type SleepRun struct {
	Run  func() (uint64, time.Duration)
	Stop func()
}

// A Group starts functions, each perhaps on a goroutine of its own, and waits
// until all have returned.
type Group interface {
	Go(f func())
	Wait()
}

// Groups makes a new group.
type Groups func() Group

// onPool is the shape Pool of a function that forks.
func onPool[A any](fn func(*pool.Worker, A) uint64, arg A) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) {
		return pool.Run(context.Background(), p, fn, arg)
	}
}

// sumOf adds up what f gives for each number below n, all at the same time.
func sumOf(groups Groups, n int, f func(i int) uint64) uint64 {
	results := make([]uint64, n)
	g := groups()
	for i := range results {
		g.Go(func() { results[i] = f(i) })
	}
	g.Wait()
	return total(results)
}

func total(all []uint64) (sum uint64) {
	for _, x := range all {
		sum += x
	}
	return sum
}
