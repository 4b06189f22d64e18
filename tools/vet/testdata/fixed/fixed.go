// Package fixed shows what the suggested fixes make of bad programs.
package fixed

import "github.com/rouse-go/rouse/pool"

func use(w *pool.Worker, n int) int { w.Scope(nil); return n }

func unnamed(w *pool.Worker) {
	pool.Fork(w, func(*pool.Worker, int) int { return use(w, 10) + use(w, 11) }, 0).Join(w)   // want `w is a worker from outside`
	pool.Fork(w, func(_ *pool.Worker, n int) int { return use(w, n) }, 10).Join(w)            // want `w is a worker from outside`
	pool.Fork(w, func(v *pool.Worker, n int) int { return use(w, n) + use(v, n) }, 7).Join(w) // want `use its parameter v`
	pool.Fork(w, func(*pool.Worker, int) int {                                                // a fix would make the comparison another one
		if w == nil {
			return 0
		}
		return use(w, 10) // want `w is a worker from outside`
	}, 0).Join(w)
}
