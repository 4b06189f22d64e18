//go:build explore

package explore

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// An effect says what a step does to its cells. Two steps on one cell depend on each other,
// so that their order matters, if their effects conflict.
//
// Effects are as narrow as the oracle in oracle_internal_test.go allows: of a step that turned
// out to change nothing, the effect is a lesser one than that of its operation.
type effect uint8

const (
	effectNone    effect = iota // follows what has released it, and changes nothing
	effectRead                  // also a CompareAndSwap that fails, a FutexWait that returns at once
	effectWrite                 // of a value
	effectLock                  // of a mutex, also by TryLock
	effectUnlock                //
	effectBusy                  // a TryLock that fails
	effectArrive                // becomes one of those that wait on a condition or a futex
	effectWake                  // ends the wait of one or all of them
	effectAlone                 // would do so, but nobody waits
	effectVain                  // a wait returns for no reason
	effectAdd                   // to a wait group
	effectDone                  // the same, a negative number
	effectWait                  // for a wait group
	effectPark                  // takes a permit
	effectUnpark                // leaves one
	effectSpare                 // would leave one, but there is one
	effectStep                  // of a twin, on a cell at which others may wait
	effectShare                 // takes a lock for reading, or comes to wait behind a writer
	effectUnshare               // gives it up, by the thread that has it
	effectPut                   // sends to a channel, or comes to it in order to send
	effectTake                  // receives what was put there
	effectAny                   // depends on every step of every other thread
	effectCount
)

// conflicts has a bit for each effect that conflicts. Arrivals do not conflict with each other:
// any of the threads that wait may be released, whichever came first. Steps that disable the same wait
// must conflict with each other, or the search would not put the wait before both (two Adds).
var conflicts = [effectCount]uint32{
	effectRead:   1<<effectWrite | 1<<effectStep | 1<<effectShare | 1<<effectUnshare | 1<<effectPut | 1<<effectTake,
	effectWrite:  1<<effectRead | 1<<effectWrite | 1<<effectArrive | 1<<effectStep,
	effectStep:   1<<effectRead | 1<<effectWrite | 1<<effectLock | 1<<effectUnlock | 1<<effectBusy | 1<<effectStep | 1<<effectShare | 1<<effectUnshare | 1<<effectPut | 1<<effectTake,
	effectLock:   1<<effectLock | 1<<effectUnlock | 1<<effectBusy | 1<<effectStep,
	effectUnlock: 1<<effectLock | 1<<effectUnlock | 1<<effectBusy | 1<<effectStep,
	effectBusy:   1<<effectLock | 1<<effectUnlock | 1<<effectStep, // also of a RWMutex
	effectArrive: 1<<effectWrite | 1<<effectWake | 1<<effectAlone,
	effectWake:   1<<effectArrive | 1<<effectWake | 1<<effectAlone | 1<<effectVain,
	effectAlone:  1<<effectArrive | 1<<effectWake | 1<<effectVain,
	effectVain:   1<<effectWake | 1<<effectAlone | 1<<effectVain,
	effectAdd:    1<<effectAdd | 1<<effectDone | 1<<effectWait,
	effectDone:   1<<effectAdd | 1<<effectWait,
	effectWait:   1<<effectAdd | 1<<effectDone,
	effectPark:   1<<effectPark | 1<<effectUnpark | 1<<effectSpare,
	effectUnpark: 1<<effectPark | 1<<effectUnpark | 1<<effectSpare,
	effectSpare:  1<<effectPark | 1<<effectUnpark,

	// Readers do not conflict with each other. A writer is one step that comes to the lock, which
	// readers do not disable, and one that waits for those that are there.
	effectShare:   1<<effectRead | 1<<effectStep,
	effectUnshare: 1<<effectRead | 1<<effectStep,

	// What is put first is taken first, so that one comes before the other only where it has to wait for it.
	effectPut:  1<<effectRead | 1<<effectStep | 1<<effectPut,
	effectTake: 1<<effectRead | 1<<effectStep | 1<<effectTake,
}

//go:norace
func (a effect) conflicts(b effect) bool { return conflicts[a]>>b&1 != 0 }

// effects are some of them, a bit each.
type effects uint32

//go:norace
func (s effects) conflict(b effect) bool { return conflicts[b]&uint32(s) != 0 }

// effectOf returns what the operation that t is about to perform does, if it does not turn out
// to do less.
//
//go:norace
func (t *thread) effectOf() effect {
	if t.ctx != nil && canEnd(t.ctx) {
		return effectAny // it is no step that ends a context
	}
	if t.patient {
		return effectAny // it comes when all others are blocked, so each of their steps may matter
	}
	if t.op >= ofTwin {
		return t.effectOfTwin(drive.Op(t.op - ofTwin))
	}
	switch t.op {
	case prim.OpLoad:
		return effectRead
	case prim.OpLock, prim.OpTryLock:
		return effectLock
	case prim.OpUnlock:
		return effectUnlock
	case prim.OpCondWait, prim.OpFutexWait:
		return effectArrive
	case prim.OpCondReturn, prim.OpFutexReturn, prim.OpJoin, prim.OpYield, prim.OpSpin:
		return effectNone
	case prim.OpSignal, prim.OpBroadcast, prim.OpFutexWake:
		return effectWake
	case prim.OpGroupAdd:
		return effectAdd
	case prim.OpGroupWait:
		return effectWait
	case prim.OpPark, prim.OpAfterFunc, prim.OpStop:
		return effectPark
	case prim.OpUnpark:
		return effectUnpark
	}
	return effectWrite
}

// canEnd reports whether the context is one that can end, in a way that orders nothing.
//
//go:norace
func canEnd(ctx context.Context) bool {
	hide()
	done := ctx.Done()
	unhide()
	return done != nil
}
