package conformance

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// poolResults run with one, two and four workers, and on one processor.
var poolResults = []poolCase{
	{"Fib", "P1", runFib},
	{"DeepForks", "P9", runDeepForks},
	{"CollectWhileAsleep", "P10", runCollect},
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

func runFib(r *run, p *pool.Pool) {
	for n := range 20 {
		got, err := pool.Run(background, p, fib, n)
		r.Check(err == nil && got == plainFib(n), "P1", "fib(%d) is %d, %v, want %d", n, got, err, plainFib(n))
	}
}

func deep(w *pool.Worker, n int) int {
	if n == 0 {
		return 0
	}
	f := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
	return deep(w, n-1) + f.Join(w)
}

// runDeepForks has each fork pending below the next call, as many as make stacks and deques
// grow many times.
func runDeepForks(r *run, p *pool.Pool) {
	n := 1 << 17
	if testing.Short() || r.Brief() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	if p.Workers() > 1 {
		n /= 4 // others take the oldest fork, so a deeper stack shows nothing more
	}
	got, err := pool.Run(background, p, deep, n)
	r.Check(err == nil && got == n, "P9", "%d nested forks give %d, %v", n, got, err)
}

// runCollect collects garbage while the workers have nothing to do.
func runCollect(r *run, p *pool.Pool) {
	for range 5 {
		runtime.GC()
		got, err := pool.Run(background, p, fib, 10)
		r.Check(err == nil && got == 55, "P10", "fib(10) after a garbage collection is %d, %v", got, err)
	}
}
