package latch

import "math"

// MaxCount is the largest count that Init takes.
const MaxCount = math.MaxInt

// StateName returns the name of a state given by its number.
func StateName(n uint32) string { return state(n).String() }

// Waiters returns how many waiters are in the list.
func (o *Outside) Waiters() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.waiters.Len()
}
