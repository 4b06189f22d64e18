package latch

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A state of a latch. README "States" has the table of transitions.
type state uint32

const (
	// unset: no worker waits, or the waiter is awake and searches for work.
	unset state = iota
	// sleepy: the waiter has announced that it will sleep, and looks once more.
	sleepy
	// sleeping: the waiter may be blocked; the setter of the latch wakes it.
	sleeping
	// set: the wait is over. Final until the owner's Reset.
	set
)

func (s state) String() string {
	switch s {
	case unset:
		return "unset"
	case sleepy:
		return "sleepy"
	case sleeping:
		return "sleeping"
	case set:
		return "set"
	}
	return fmt.Sprintf("invalid state %d", uint32(s))
}

// A Core is a latch for one waiter. The zero Core is not set. Do not copy it after
// first use.
type Core struct {
	// state is a state.
	//
	// Writers: the waiter (unset, sleepy, sleeping); the setter (set).
	// Readers: both.
	// Pairs:   Set's swap with the waiter's CAS in FallAsleep: one of the
	//          two meets what the other wrote, README "Proof sketch".
	state prim.Uint32
}

var _ api.Latch = (*Core)(nil)

// move makes a transition of the waiter. It fails only if the state is not from.
func (c *Core) move(from, to state) bool {
	return c.state.CompareAndSwap(uint32(from), uint32(to))
}

// Probe implements [api.Latch]. It costs one atomic load.
func (c *Core) Probe() bool { return state(c.state.Load()) == set }

// GetSleepy implements [api.Latch]. It costs one atomic write.
func (c *Core) GetSleepy() bool {
	return c.move(unset, sleepy) || c.refused("GetSleepy", unset)
}

// FallAsleep implements [api.Latch]. It costs one atomic write.
func (c *Core) FallAsleep() bool {
	return c.move(sleepy, sleeping) || c.refused("FallAsleep", sleepy)
}

// WakeUp implements [api.Latch]. It does nothing if the latch is unset.
func (c *Core) WakeUp() {
	switch s := state(c.state.Load()); s {
	case sleepy, sleeping:
		if !c.move(s, unset) {
			c.refused("WakeUp", s)
		}
	}
}

// refused returns false if the latch is set: that is why a waiter's transition may
// fail. Any other reason is a second waiter, and panics (L4).
func (c *Core) refused(op string, want state) bool {
	if s := state(c.state.Load()); s != set {
		panic(fmt.Sprintf("latch: %s in state %v, must be %v: a latch has one waiter", op, s, want))
	}
	return false
}

// Set implements [api.Latch]. It costs one atomic write, which is its only access
// (L3: the waiter may reuse the memory at once).
func (c *Core) Set() (wasSleeping bool) {
	return state(c.state.Swap(uint32(set))) == sleeping
}

// Reset makes the latch unset again. Call it only when no other goroutine has access:
// no waiter waits, and the last Set was seen. It costs a plain write, so the race
// detector reports a caller that is wrong.
func (c *Core) Reset() { *c = Core{} }
