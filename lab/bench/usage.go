package bench

import "time"

// Usage is what was counted for an instance, or between two moments of it. What
// is not known is -1.
type Usage struct {
	CPU time.Duration // of all processors
	// Slept is how often a thread gave up its processor by its own will, as in a system
	// call that waits.
	Slept int64
	// Allocs and Bytes are what was allocated on the heap.
	Allocs, Bytes int64
	// Steals and Wakes are what a pool of this repository has counted, and Forks what
	// programs outside Go have.
	Steals, Wakes, Forks int64
}

// Unknown is the usage of which nothing is known.
func Unknown() Usage {
	return Usage{-1, -1, -1, -1, -1, -1, -1}
}

// fields lists the counts, for what is done to all of them.
func (u *Usage) fields() []*int64 {
	return []*int64{(*int64)(&u.CPU), &u.Slept, &u.Allocs, &u.Bytes, &u.Steals, &u.Wakes, &u.Forks}
}

// since returns what was counted after the earlier moment.
func (u Usage) since(earlier Usage) Usage {
	mine, theirs := u.fields(), earlier.fields()
	for i, f := range mine {
		if *f >= 0 && *theirs[i] >= 0 {
			*f -= *theirs[i]
		} else {
			*f = -1
		}
	}
	return u
}

// plus returns the sum. A count that is unknown on one side is so in the sum.
func (u Usage) plus(more Usage) Usage {
	mine, theirs := u.fields(), more.fields()
	for i, f := range mine {
		if *f >= 0 && *theirs[i] >= 0 {
			*f += *theirs[i]
		} else {
			*f = -1
		}
	}
	return u
}
