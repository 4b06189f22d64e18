// Package fixed shows what the suggested fixes make of bad programs.
package fixed

import "github.com/rouse-go/rouse/pool"

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Both(w,
		func(w *pool.Worker) int { return fib(w, n-1) },
		func(*pool.Worker) int { return fib(w, n-2) }) // want `w is a worker from outside`
	return a + b
}

func unnamed(w *pool.Worker) {
	pool.Fork(w, func(*pool.Worker, int) int { return fib(w, 10) + fib(w, 11) }, 0).Join(w)   // want `w is a worker from outside`
	pool.Fork(w, func(_ *pool.Worker, n int) int { return fib(w, n) }, 10).Join(w)            // want `w is a worker from outside`
	pool.Fork(w, func(v *pool.Worker, n int) int { return fib(w, n) + fib(v, n) }, 7).Join(w) // want `use its parameter v`
	pool.Fork(w, func(*pool.Worker, int) int {                                                // a fix would make the comparison another one
		if w == nil {
			return 0
		}
		return fib(w, 10) // want `w is a worker from outside`
	}, 0).Join(w)
}
