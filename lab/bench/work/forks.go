package work

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Fib computes the n-th Fibonacci number with a fork at every call, the usual
// measure of what a fork costs.
func Fib(n int) *Program {
	return &Program{
		Plain:      func() uint64 { return fib(n) },
		Goroutines: func(int) uint64 { return goFib(n) },
		Pool:       onPool(forkFib, n),
	}
}

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

func goFib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	var x, y uint64
	goBoth(func() { x = goFib(n - 2) }, func() { y = goFib(n - 1) })
	return x + y
}

func forkFib(w *pool.Worker, n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	x, y := pool.Invoke(w, forkFib, n-1, forkFib, n-2)
	return x + y
}

// Tree sums the values of a complete binary tree of 2^depth-1 nodes, with a
// fork at every inner node. Before each run it leaves the workers alone for
// the pause, so that they sleep.
func Tree(depth int, pause time.Duration) *Program {
	t := newTree(1, depth)
	return &Program{
		Prepare:    func() { time.Sleep(pause) },
		Plain:      t.sum,
		Goroutines: func(int) uint64 { return t.goSum() },
		Pool:       onPool(forkSum, t),
	}
}

type tree struct {
	left, right *tree
	value       uint64
}

// newTree numbers the nodes as a heap does, from 1. It allocates parents before
// their children, left before right, so that the sum reads them in the order
// that they lie in.
func newTree(i uint64, depth int) *tree {
	if depth == 0 {
		return nil
	}
	t := &tree{value: i}
	t.left = newTree(2*i, depth-1)
	t.right = newTree(2*i+1, depth-1)
	return t
}

func (t *tree) sum() uint64 {
	if t.left == nil {
		return t.value
	}
	return t.left.sum() + t.value + t.right.sum()
}

func (t *tree) goSum() uint64 {
	if t.left == nil {
		return t.value
	}
	var left, right uint64
	goBoth(func() { right = t.right.goSum() }, func() { left = t.left.goSum() })
	return left + t.value + right
}

func forkSum(w *pool.Worker, t *tree) uint64 {
	if t.left == nil {
		return t.value
	}
	left, right := pool.Invoke(w, forkSum, t.left, forkSum, t.right)
	return left + t.value + right
}
