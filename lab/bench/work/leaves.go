package work

import "github.com/rouse-go/rouse/pool"

// Leaves runs leaves of the given numbers of steps, a step being a nanosecond
// or two. On a pool the range of leaves is halved down to single ones.
func Leaves(steps []int) *Program {
	l := leaves(steps)
	return &Program{
		Sequential: func() (sum uint64) {
			for i := range l {
				sum += l.leaf(i)
			}
			return sum
		},
		Goroutines: func() uint64 { return goSum(len(l), l.leaf) },
		Pool:       onPool(l.fork, span{0, len(l)}),
	}
}

type leaves []int

// leaf takes steps of a generator one by one, each of which needs the one
// before: nothing makes it faster.
func (l leaves) leaf(i int) uint64 {
	x := uint64(i)
	for range l[i] {
		x = x*Multiplier + Increment
	}
	return x
}

// A span is a part of the leaves.
type span struct{ from, to int }

func (l leaves) fork(w *pool.Worker, p span) uint64 {
	if p.to-p.from == 1 {
		return l.leaf(p.from)
	}
	middle := p.from + (p.to-p.from)/2
	x, y := pool.Invoke(w, l.fork, span{p.from, middle}, l.fork, span{middle, p.to})
	return x + y
}
