package conformance

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// In virtual time a job sleeps in leaves, each of some units of time. A shape is a way to run
// leaves of the given lengths in a job.
type (
	leaf  = func(w *pool.Worker, length int) int
	shape = func(r *run, w *pool.Worker, leaf leaf, lengths []int)
)

func forkLeaves(w *pool.Worker, leaf leaf, lengths []int) []pool.Forked[int, int] {
	forks := make([]pool.Forked[int, int], len(lengths))
	for i, n := range lengths {
		forks[i] = pool.Fork(w, leaf, n)
	}
	return forks
}

func newestFirst(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, f := range slices.Backward(forkLeaves(w, leaf, lengths)) {
		f.Join(w)
	}
}

func oldestFirst(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, f := range forkLeaves(w, leaf, lengths) {
		f.Join(w)
	}
}

// inTree forks leaves by halves.
func inTree(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	var node func(w *pool.Worker, lengths []int) int
	node = func(w *pool.Worker, lengths []int) int {
		n := len(lengths)
		if n == 1 {
			return leaf(w, lengths[0])
		}
		a, b := pool.Invoke(w, node, lengths[:n/2], node, lengths[n/2:])
		return a + b
	}
	node(w, lengths)
}

// inSpine walks a list and forks a leaf for each element.
func inSpine(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	var walk func(w *pool.Worker, lengths []int) int
	walk = func(w *pool.Worker, lengths []int) int {
		if len(lengths) == 0 {
			return 0
		}
		a, b := pool.Invoke(w, walk, lengths[1:], leaf, lengths[0])
		return a + b
	}
	walk(w, lengths)
}

func inScope(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for _, n := range lengths {
			s.Spawn(w, func(w *pool.Worker) { leaf(w, n) })
		}
	})
}
