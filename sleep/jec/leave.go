package jec

import "github.com/rouse-go/rouse/api/prim"

// WithoutGoroutines has workers sleep without a goroutine, if the pool can go on with
// one that has none (see [api.Starter]): the goroutine ends, and the one that wakes the
// worker starts another. So a pool at rest has no goroutine at all. A wake costs about
// what it costs otherwise, but a new goroutine begins with a small stack.
//
// It takes the place of [WithBlocker], unless StartBy is never called.
func WithoutGoroutines() Option { return func(c *config) { c.leaves = true } }

// StartBy implements [api.Starter]. Without [WithoutGoroutines] it does nothing, and
// returns false.
func (s *Sleep) StartBy(start func(worker int)) (leaves bool) {
	if !s.leaves {
		return false
	}
	for i := range s.seats {
		b := &leaving{start: start, worker: i}
		prim.Declare(b)
		s.seats[i].Blocker = b
	}
	return true
}

// A leaving is a Blocker that does not block. Of Block and Release one comes first, and
// leaves the worker to the other: to Block, which returns at once, or to Release, which
// starts a goroutine.
type leaving struct {
	// met is 1 while one of the two has come and the other has not.
	//
	// Writers: both.
	// Pairs:   the swap of the first with that of the second, which has then all
	// that the first one has done.
	met    prim.Uint32
	start  func(worker int)
	worker int
	_      [64]byte // neighbours are woken by others
}

// isSecond reports whether the other one has come before. Then both are cleared again.
func (l *leaving) isSecond() bool {
	if l.met.Swap(1) == 0 {
		return false
	}
	l.met.Store(0)
	return true
}

func (l *leaving) Block() (released bool) { return l.isSecond() }

func (l *leaving) Release() {
	if l.isSecond() {
		l.start(l.worker)
	}
}
