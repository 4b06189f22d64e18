package jec

import "github.com/rouse-go/rouse/api/prim"

// WithoutGoroutines lets workers sleep without a goroutine, if the pool calls StartBy
// (see [api.Starter]). The goroutine of a worker that sleeps ends, and the goroutine that
// wakes the worker starts another one. So a pool at rest has no goroutine. A wake costs
// about the same, but a new goroutine starts with a small stack.
//
// It replaces [WithBlocker], unless StartBy is never called.
func WithoutGoroutines() Option { return func(c *config) { c.leaves = true } }

// StartBy implements [api.Starter]. Without [WithoutGoroutines] it does nothing and
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

// A leaving is a Blocker that does not block. Of Block and Release, the first to come
// leaves the worker to the second: to Block, which returns at once, or to Release, which
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

// isSecond reports whether the other of the two came first, and then clears met.
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
