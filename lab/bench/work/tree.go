package work

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Tree sums the values of a complete binary tree of 2^depth-1 nodes, with a
// fork at every inner node. Before each run it leaves the workers alone for
// the pause, so that they sleep.
func Tree(depth int, pause time.Duration) *Program {
	t := newTree(1, depth)
	h := halving[*tree, uint64]{
		halves: func(t *tree) (*tree, *tree, bool) { return t.right, t.left, t.left != nil },
		plain:  sum,
		join:   func(t *tree, right, left uint64) uint64 { return left + t.value + right },
	}
	p := h.program(t, number, forkSum)
	p.Prepare = func() { time.Sleep(pause) }
	return p
}

// TreeForks is the number of forks of [Tree], and of its inner nodes.
func TreeForks(depth int) int { return 1<<(depth-1) - 1 }

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

func sum(t *tree) uint64 {
	if t.left == nil {
		return t.value
	}
	return sum(t.left) + t.value + sum(t.right)
}

func forkSum(w *pool.Worker, t *tree) uint64 {
	if t.left == nil {
		return t.value
	}
	left, right := pool.Invoke(w, forkSum, t.left, forkSum, t.right)
	return left + t.value + right
}
