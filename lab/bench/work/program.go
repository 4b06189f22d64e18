// Package work holds the jobs that [bench] measures. Each is a [Program]: the same leaf code in the
// ways in which different implementations can run it.
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

// A Program is one job in several ways, which give the same result. A way that makes no sense for
// the job is nil. A program runs once at a time.
type Program struct {
	// Prepare comes before each run and is not timed. It may be nil.
	Prepare func()
	// Digest comes after each run of a way that leaves its result in memory, and is not timed. If
	// it is not nil, what the ways return means nothing.
	Digest func() uint64
	// Asleep says that all workers of a pool must sleep before each run. It is waited for, and not
	// timed.
	Asleep bool

	// Plain is sequential code.
	Plain func() uint64
	// Goroutines starts a goroutine for each fork, without a cut-off; a loop is cut by hand.
	Goroutines func(workers int) uint64
	// Pool is by packages pool and par.
	Pool func(*pool.Pool) (uint64, error)

	// The others time themselves. Calls times what callers see that are not jobs.
	Calls func(System) (uint64, []time.Duration)
	// Sleeps drives a sleep backend with one worker, without a pool, until it is stopped.
	Sleeps func(api.Sleep) (run func() time.Duration, stop func())
}

// A Way does a job. It says what it timed, such as each of the requests in it, or nothing.
type Way func() (result uint64, took []time.Duration, err error)

// Run is a way of a run: it prepares, does the job, times that if the way does not, and digests what it leaves
// in memory.
func (p *Program) Run(way Way) Way {
	return func() (uint64, []time.Duration, error) {
		if p.Prepare != nil {
			p.Prepare()
		}
		start := time.Now()
		result, took, err := way()
		if took == nil {
			took = []time.Duration{time.Since(start)}
		}
		if err == nil && p.Digest != nil {
			result = p.Digest()
		}
		return result, took, err
	}
}

// On is the way of Calls on a system.
func (p *Program) On(s System) Way {
	return func() (uint64, []time.Duration, error) {
		result, took := p.Calls(s)
		return result, took, nil
	}
}

// onPool is the way Pool of a function that forks.
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
func goSum(n int, f func(i int) uint64) (sum uint64) {
	results := make([]uint64, n)
	var running sync.WaitGroup
	for i := range results {
		running.Go(func() { results[i] = f(i) })
	}
	running.Wait()
	for _, x := range results {
		sum += x
	}
	return sum
}

// SplitMix64 is the i-th number of the generator of that name (Steele, Lea and Flood, 2014).
func SplitMix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// DigestOf is a number that depends on every element and its place.
func DigestOf[T any](s []T, number func(T) uint64) (sum uint64) {
	for i, x := range s {
		sum += uint64(i+1) * number(x)
	}
	return sum
}

// Digest is that of numbers.
func Digest[T ~int64 | ~uint64 | ~float64](s []T) uint64 {
	return DigestOf(s, func(x T) uint64 { return uint64(x) })
}
