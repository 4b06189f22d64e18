package latch

import (
	"fmt"
	"math"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A Count is a latch with a count. Init sets it, Add raises it, Set and Sub lower
// it; at zero the latch is set. It must be made with Init, and must not be copied
// after that. The largest count is math.MaxInt.
//
// The waiter waits on the embedded Core. Its own Set opens the latch whatever
// the count is, and is not meant to be called.
type Count struct {
	Core
	// pending is how many are still to be taken away.
	//
	// Writers: everybody, each on behalf of a count that is pending.
	// Readers: reports, through Pending; the waiter looks at the Core.
	// Pairs:   the decrement to zero comes after every other one, so the
	//          Core's swap that follows publishes what all of them did.
	pending prim.Int64
}

var _ api.Latch = (*Count)(nil)

// Init makes the latch anew, with n pending. It is for an owner that knows that
// no other goroutine has access, as for [Core.Reset]. With n = 0 the latch is set at
// once. It panics if n is negative.
func (c *Count) Init(n int) {
	if n < 0 {
		panic(fmt.Sprintf("latch: count of %d", n))
	}
	*c = Count{}
	if n == 0 {
		c.Core.Set()
		return
	}
	c.pending.Store(int64(n))
}

// Reset makes the latch as it was before Init.
func (c *Count) Reset() { *c = Count{} }

// Add adds n to the count. Its caller must know that the count is not zero until
// it returns, else the latch may be set, and gone, in between. It panics if the
// count is zero, if n is not positive, and if the count overflows. It costs one
// atomic write.
func (c *Count) Add(n int) {
	if n <= 0 {
		panic(fmt.Sprintf("latch: Add(%d)", n))
	}
	// An overflow of 64 bits comes out negative, one of a 32-bit int does not.
	if sum := c.pending.Add(int64(n)); sum <= int64(n) || sum > math.MaxInt {
		c.pending.Add(-int64(n))
		panic(fmt.Sprintf("latch: count %d + %d", sum-int64(n), n))
	}
}

// Set is Sub(1).
func (c *Count) Set() (wasSleeping bool) { return c.Sub(1) }

// Sub takes n away. At zero it sets the latch, and returns true if the waiter was
// sleeping then: the caller must wake it. It panics if less was pending, or n is
// not positive. It costs one atomic write, and a second one at zero.
//
// A call that was not the last touches nothing after its subtraction: the last
// one may set the latch at once, and the waiter reuse the memory (L3).
func (c *Count) Sub(n int) (wasSleeping bool) {
	if n <= 0 {
		panic(fmt.Sprintf("latch: Sub(%d)", n))
	}
	left := c.pending.Add(-int64(n))
	if left > 0 {
		return false
	}
	if left < 0 {
		c.pending.Add(int64(n))
		panic(fmt.Sprintf("latch: count %d - %d", left+int64(n), n))
	}
	return c.Core.Set()
}

// Pending returns how many are still to be taken away, a moment ago if others are
// at work. It is for reports.
func (c *Count) Pending() int64 { return c.pending.Load() }
