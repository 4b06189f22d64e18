package futex

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A word blocks one sleeper without a lock.
type word struct {
	// state says whether the sleeper waits, and where, or was released.
	//
	// Writers: the sleeper (from idle to where it waits, and at last to idle); its
	// waker (to released).
	// Pairs:   the swap to released with the CAS of the sleeper. One of the two comes
	// second: the CAS fails, or the swap finds where the sleeper waits, and the wake
	// follows. The system compares the word again before it blocks.
	state prim.Uint32
	// parker is nil where the sleeper always waits in the kernel.
	parker *prim.Parker
	// threads counts those that sleepers hold in the kernel, at most limit; it is nil if
	// there is no limit. limit is 0 if the sleeper never waits in the kernel.
	threads  *threads
	limit    int32
	syscalls *prim.Uint64
	_        [64]byte // neighbours are woken by others
}

// The states of a word.
const (
	idle      uint32 = iota // the sleeper does not wait
	released                // a Release has come, and its Block has not returned
	inKernel                // the sleeper waits in the kernel, or is about to
	inRuntime               // the sleeper waits at the parker, or is about to
)

func newWord(t *threads, limit int32, syscalls *prim.Uint64) jec.Blocker {
	w := &word{threads: t, limit: limit, syscalls: syscalls}
	if t != nil {
		w.parker = prim.NewParker()
	}
	prim.Declare(w)
	return w
}

// Block waits until the word is released. A wait may return early for other reasons: a
// signal, a change before the wait, a stale permit. Only the word tells a release.
func (w *word) Block() (released bool) {
	switch {
	case w.threads == nil:
		w.block(inKernel)
	case w.limit > 0 && w.threads.take(w.limit):
		w.block(inKernel)
		w.threads.leave()
	default:
		w.block(inRuntime)
	}
	return true
}

func (w *word) block(where uint32) {
	if w.state.CompareAndSwap(idle, where) {
		for w.state.Load() == where {
			if where == inRuntime {
				w.parker.Park()
			} else {
				w.syscalls.Add(1)
				futexWait(&w.state, inKernel)
			}
		}
	}
	w.state.Store(idle)
}

func (w *word) Release() {
	switch w.state.Swap(released) {
	case inRuntime:
		w.parker.Unpark()
	case inKernel:
		w.syscalls.Add(1)
		futexWake(&w.state)
	}
}
