package mutants

import (
	"runtime"
	"sync/atomic"
)

// A LatchFault is what is wrong with a [Latch].
type LatchFault int

const (
	LatchSound LatchFault = iota
	ReadAfterSet
	WakeAlways
	WakeNever
	SecondWaiterAllowed
	SetCanBeUndone
)

// A Latch is the one of four states.
type Latch struct {
	fault LatchFault
	state atomic.Int32
}

const (
	unset int32 = iota
	sleepy
	sleeping
	set
)

// NewLatch returns a latch with the fault.
func NewLatch(fault LatchFault) *Latch { return &Latch{fault: fault} }

// Probe implements [api.Latch].
func (l *Latch) Probe() bool { return l.state.Load() == set }

// GetSleepy implements [api.Latch].
func (l *Latch) GetSleepy() bool { return l.move(unset, sleepy) }

// FallAsleep implements [api.Latch].
func (l *Latch) FallAsleep() bool {
	return l.move(sleepy, sleeping)
}

func (l *Latch) move(from, to int32) bool {
	if l.state.CompareAndSwap(from, to) {
		return true
	}
	if l.state.Load() != set && l.fault != SecondWaiterAllowed {
		panic("latch: a second waiter")
	}
	return false
}

// WakeUp implements [api.Latch].
func (l *Latch) WakeUp() {
	if l.fault == SetCanBeUndone {
		l.state.Store(unset)
		return
	}
	for _, from := range []int32{sleepy, sleeping} {
		l.state.CompareAndSwap(from, unset)
	}
}

// Set implements [api.Latch].
func (l *Latch) Set() bool {
	fault := l.fault
	was := l.state.Swap(set)
	switch fault {
	case ReadAfterSet:
		runtime.Gosched() // as if preempted, while the waiter reuses the latch
		return was == sleeping && l.state.Load() == set
	case WakeAlways:
		return was == sleepy || was == sleeping
	case WakeNever:
		return false
	}
	return was == sleeping
}
