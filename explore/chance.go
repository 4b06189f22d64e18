//go:build explore

package explore

import (
	"math/bits"
	"slices"
)

// random returns the next number of SplitMix64.
//
//go:norace
func (e *engine) random() uint64 {
	e.rng += 0x9e3779b97f4a7c15
	return mix(e.rng)
}

// prepare draws the random numbers that an execution by chance needs.
func (e *engine) prepare() {
	e.changes = e.changes[:0]
	e.longest = max(e.longest, e.steps, 10)
	for range e.config.depth - 1 {
		e.changes = append(e.changes, 1+int(e.random()%uint64(e.longest)))
	}
	slices.Sort(e.changes)
}

// nth returns a random outcome.
//
//go:norace
func (e *engine) nth(candidates, vain uint64) int {
	n := bits.OnesCount64(candidates)
	k := int(e.random() % uint64(n+bits.OnesCount64(vain)))
	set, first := candidates, 0
	if k >= n {
		set, first, k = vain, maxThreads, k-n
	}
	for ; k > 0; k-- {
		set &= set - 1
	}
	return first + bits.TrailingZeros64(set)
}

// highest returns the candidate of the highest priority. A thread that has
// reached a change point gets a priority below all that were not changed. Waits
// return for no reason once in a while.
//
//go:norace
func (e *engine) highest(candidates, vain uint64) int {
	for i, step := range e.changes {
		if step > 0 && e.steps >= step {
			e.changes[i] = 0
			e.current.priority = int64(len(e.changes) - i)
		}
	}
	if vain != 0 && e.random()%8 == 0 {
		return maxThreads + bits.TrailingZeros64(vain)
	}
	best := -1
	for s := candidates; s != 0; s &= s - 1 {
		i := bits.TrailingZeros64(s)
		if best < 0 || e.threads[i].priority > e.threads[best].priority {
			best = i
		}
	}
	return best
}
