package latch

import (
	"fmt"
	"math"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A Count is a latch that is set when its count reaches zero. Init sets the count, Add
// raises it, Set and Sub lower it. Make it with Init, and do not copy it after that.
// The largest count is math.MaxInt.
//
// The waiter waits on the embedded Core. Do not call Core.Set: it sets the latch
// whatever the count is.
type Count struct {
	Core
	// pending is the count.
	//
	// Writers: any goroutine, each on behalf of a count that is pending.
	// Readers: reports, through Pending; the waiter looks at the Core.
	// Pairs:   the decrement to zero comes after every other one, so the
	//          Core's swap that follows publishes what all of them did.
	pending prim.Int64
}

var _ api.Latch = (*Count)(nil)

// Init makes the latch anew, with the count n. Call it only when no other goroutine
// has access, like [Core.Reset]. With n = 0 the latch is set at once. It panics if n
// is negative.
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

// Reset makes the latch as it was before Init. Call it only when no other goroutine
// has access.
func (c *Count) Reset() { *c = Count{} }

// Add adds n to the count. It costs one atomic write. The caller must know that the
// count does not reach zero before Add returns: otherwise the latch may be set, and its
// memory reused, in between. It panics if the count is zero, if n is not positive, or
// if the count overflows.
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

// Sub subtracts n from the count. At zero it sets the latch, and returns true if the
// waiter was sleeping: then the caller must wake it. It costs one atomic write, and a
// second one at zero. It panics if the count is below n, or if n is not positive.
//
// A call that does not reach zero touches nothing after its subtraction: the waiter may
// reuse the memory at once (L3).
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

// Pending returns the count at some moment during the call. It is for reports.
func (c *Count) Pending() int64 { return c.pending.Load() }
