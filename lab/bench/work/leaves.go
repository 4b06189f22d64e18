package work

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Leaves runs leaves of the given numbers of steps, a step being a nanosecond
// or two. On a pool the range of leaves is halved down to single ones. Before
// each run the caller works for the pause, on its own.
func Leaves(steps []int, pause time.Duration) *Program {
	l := leaves(steps)
	whole := span{0, len(steps)}
	return &Program{
		Prepare: func() { keepBusy(pause) },
		Sequential: func() (total uint64) {
			for i := range l {
				total += l.leaf(i)
			}
			return total
		},
		Nested: l.group,
		Flat:   func(groups Groups, _ int) uint64 { return l.group(groups) },
		Pool:   onPool(l.fork, whole),
	}
}

type leaves []int

func (l leaves) leaf(i int) uint64 { return advance(uint64(i), l[i]) }

// Multiplier and Increment are the constants of a linear congruential generator (Knuth, MMIX).
const Multiplier, Increment = 6364136223846793005, 1442695040888963407

// advance takes steps of the generator one by one, each of which needs the one
// before: nothing makes it faster.
func advance(x uint64, steps int) uint64 {
	for range steps {
		x = x*Multiplier + Increment
	}
	return x
}

// LeavesSum is the result of Leaves, for which it takes all steps of a leaf at
// once, by squaring.
func LeavesSum(steps []int) (total uint64) {
	for i, n := range steps {
		a, c := uint64(1), uint64(0) // x becomes a*x + c
		for a2, c2 := uint64(Multiplier), uint64(Increment); n > 0; n >>= 1 {
			if n&1 == 1 {
				a, c = a*a2, c*a2+c2
			}
			a2, c2 = a2*a2, c2*a2+c2
		}
		total += uint64(i)*a + c
	}
	return total
}

func (l leaves) group(groups Groups) uint64 { return sumOf(groups, len(l), l.leaf) }

// A span is a part of the leaves.
type span struct{ from, to int }

func (s span) halves() (span, span) {
	middle := s.from + (s.to-s.from)/2
	return span{s.from, middle}, span{middle, s.to}
}

func (l leaves) fork(w *pool.Worker, p span) uint64 {
	if p.to-p.from == 1 {
		return l.leaf(p.from)
	}
	first, second := p.halves()
	x, y := pool.Invoke(w, l.fork, first, l.fork, second)
	return x + y
}
