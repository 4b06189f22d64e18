package futex

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A word blocks one sleeper without a lock.
type word struct {
	// released is 1 from a Release to the return of the Block that it is for.
	//
	// Writers: whoever releases (to 1); the sleeper (to 0).
	// Pairs:   the store of 1, then the wake, with the CAS, then the wait: the
	// system compares the word with 0 again before it blocks.
	released prim.Uint32
	// parker is nil where the sleeper blocks in the kernel.
	parker   *prim.Parker
	syscalls *prim.Uint64
	_        [64]byte // neighbours are woken by others
}

func newWord(thread bool, syscalls *prim.Uint64) jec.Blocker {
	w := &word{syscalls: syscalls}
	if !thread {
		w.parker = prim.NewParker()
	}
	prim.Declare(w)
	return w
}

// Block waits until the word is 1. Whatever makes a wait return early, a signal, a
// change before the wait or a stale permit, is not a release: only the word says.
func (w *word) Block() (released bool) {
	for !w.released.CompareAndSwap(1, 0) {
		if w.parker != nil {
			w.parker.Park()
		} else {
			w.syscalls.Add(1)
			futexWait(&w.released, 0)
		}
	}
	return true
}

func (w *word) Release() {
	w.released.Store(1)
	if w.parker != nil {
		w.parker.Unpark()
	} else {
		w.syscalls.Add(1)
		futexWake(&w.released)
	}
}
