// Package work holds the jobs that [bench] measures. Each is a [Program]: the
// same leaf code in the shapes in which different implementations can run it.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package work

import (
	"context"
	"sync"
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
	// and is not timed. If it is not nil, what the shapes return means nothing.
	Digest func() uint64

	// Sequential is plain code.
	Sequential func() uint64
	// Goroutines starts a goroutine for each fork, without a cut-off.
	Goroutines func() uint64
	// Cutoff cuts the job into so many pieces beforehand, and starts a goroutine
	// for each: what one writes by hand.
	Cutoff func(pieces int) uint64
	// Stream is by the stream of conc, with so many goroutines.
	Stream func(workers int) uint64
	// Pool is by packages pool and par.
	Pool func(*pool.Pool) (uint64, error)
	// Asleep says that all workers of a pool must sleep before each run. It is
	// waited for, and not timed.
	Asleep bool
	// Posts hands a function over again and again, and times itself.
	Posts func(Poster) (uint64, time.Duration)
	// Sleeps drives a sleep backend with one worker, without a pool.
	Sleeps func(api.Sleep) SleepRun
	// Waits has callers that wait for jobs of others, and times what they see,
	// in nanoseconds.
	Waits func(System) (uint64, []float64)
	// AtRest returns the processor time that the process uses in a while in which
	// nothing is asked of it. The pool is made for a piece of the measurement, so that
	// it is the only one.
	AtRest func() (time.Duration, error)
}

// A Poster takes a job, and returns what hands it over once.
type Poster func(job func()) (post func())

// A SleepRun is a worker that does nothing but sleep and be woken.
type SleepRun struct {
	Run  func() (uint64, time.Duration)
	Stop func()
}

// onPool is the shape Pool of a function that forks.
func onPool[A any](fn func(*pool.Worker, A) uint64, arg A) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) {
		return pool.Run(context.Background(), p, fn, arg)
	}
}

// goBoth calls f on a new goroutine and g on this one, and waits for both.
func goBoth(f, g func()) {
	var running sync.WaitGroup
	running.Go(f)
	g()
	running.Wait()
}

// goSum adds up what f gives for each number below n, each on a goroutine of its own.
func goSum(n int, f func(i int) uint64) uint64 {
	results := make([]uint64, n)
	var running sync.WaitGroup
	for i := range results {
		running.Go(func() { results[i] = f(i) })
	}
	running.Wait()
	return total(results)
}

func total(all []uint64) (sum uint64) {
	for _, x := range all {
		sum += x
	}
	return sum
}

// SplitMix64 is the i-th number of the generator of that name (Steele, Lea and
// Flood, 2014).
func SplitMix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Multiplier and Increment are the constants of a linear congruential generator (Knuth, MMIX).
const Multiplier, Increment = 6364136223846793005, 1442695040888963407
