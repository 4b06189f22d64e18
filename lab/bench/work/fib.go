package work

import (
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// Fib computes the n-th Fibonacci number with a fork at every call, the usual
// measure of what a fork costs.
func Fib(n int) *Program {
	h := halving[int, uint64]{
		halves: func(n int) (int, int, bool) { return n - 2, n - 1, n >= 2 },
		plain:  fib,
		join:   func(_ int, x, y uint64) uint64 { return x + y },
	}
	return h.program(n, number, forkFib)
}

// How long the plain code of some programs takes for each unit, for the simulator: what lab
// scale has measured on the machine whose file is the first in the folder scale/measure.
const (
	FibCall       = 1400 * simulate.Picosecond
	UTSChild      = 100 * simulate.Nanosecond
	QueensPlace   = 6000 * simulate.Picosecond
	IntegrateCall = 3700 * simulate.Picosecond
)

// FibForks is the number of forks of Fib(n).
func FibForks(n int) int { return int(FibNumber(n+1)) - 1 }

// FibNumber is the n-th Fibonacci number, by addition.
func FibNumber(n int) uint64 {
	var a, b uint64 = 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}

func fib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fib(n-1) + fib(n-2)
}

func forkFib(w *pool.Worker, n int) uint64 {
	user.Own(FibCall)
	if n < 2 {
		return uint64(n)
	}
	x, y := pool.Invoke(w, forkFib, n-1, forkFib, n-2)
	return x + y
}
