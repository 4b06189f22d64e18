package loops

import (
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// A SweepShape says which elements of a loop have how much of its work.
type SweepShape string

const (
	SweepEven  SweepShape = "even"  // all have the same
	SweepFirst SweepShape = "first" // the first has half of all
	SweepPower SweepShape = "power" // the k-th longest has a k-th of what the longest has
)

// SweepShapes returns all shapes.
func SweepShapes() []SweepShape { return []SweepShape{SweepEven, SweepFirst, SweepPower} }

// SweepSteps returns how many steps each of n elements has, each about as many as given on
// average. n is a power of ten.
func SweepSteps(n, average int, shape SweepShape) []uint32 {
	all := make([]uint32, n)
	switch total := float64(n) * float64(average); shape {
	case SweepEven:
		for i := range all {
			all[i] = uint32(average)
		}
	case SweepFirst:
		for i := range all {
			all[i] = uint32(total / 2 / float64(max(1, n-1)))
		}
		all[0] = uint32(total / 2)
	case SweepPower:
		var sum float64
		for k := range n {
			sum += 1 / float64(k+1)
		}
		for i := range all {
			// A prime has no factor in common with n, so that each rank is there once.
			rank := uint64(i) * 7919 % uint64(n)
			all[i] = uint32(total / sum / float64(rank+1))
		}
	default:
		panic(fmt.Sprintf("work: no shape %q", shape))
	}
	return all
}

// Sweep takes as many steps for each of n elements as the shape says.
func Sweep(n, average int, shape SweepShape) *work.Program {
	steps := SweepSteps(n, average, shape)
	return into(n, func(out []uint64) func(int) {
		return func(i int) { out[i] = mixed(uint64(i)+1, steps[i]) }
	})
}

// mixed takes steps that nothing makes faster: a compiler may take several of a linear
// generator at once.
func mixed(x uint64, steps uint32) uint64 {
	for ; steps > 0; steps-- {
		x = (x ^ x>>32) * work.Multiplier
	}
	return x
}
