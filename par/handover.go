package par

import (
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A handover hands on the results of a stream, in order.
type handover[R any] struct {
	// yield is called with each result, in order, by one goroutine at a time; with an error
	// at last. It reports whether to go on.
	yield func(R, error) bool
	out   outlet
	isFed bool // the feeder hands on the results

	// What follows belongs to the one that hands on.

	tell  func(done, total int) // nil if there is to be no report
	given int                   // results that are done with, for a report
	told  time.Duration         // when the last report was
}

// give hands on a result.
func (h *handover[R]) give(r R) bool {
	if !h.yield(r, nil) {
		return false
	}
	if h.tell != nil {
		h.given++
		if now := prim.Now(); now-h.told >= reportEvery {
			h.told = now
			h.tell(h.given, -1)
		}
	}
	return true
}

// finish reports that all results are done with.
func (h *handover[R]) finish() {
	if h.tell != nil {
		h.tell(h.given, h.given)
	}
}

// fail hands on the error that ends the stream.
func (h *handover[R]) fail(err error) (none R, ok bool) {
	h.yield(none, err)
	return none, false
}

// An outlet hands on the results of a stream.
type outlet interface {
	// The feeder calls deliver. It hands on the results that are ready at the head, unless
	// somebody else does, and reports whether the stream goes on.
	deliver() bool
	// The one that has ended the element with that number, from 0 on, calls ended.
	ended(number int64)
	// broke is called in place of yield, at an element that has panicked, or called Goexit if
	// there is no panic.
	broke(*pool.PanicError)
}

// fed is the outlet of a stream whose feeder hands on the results.
type fed[T, R any] struct{ *stream[T, R] }

func (o fed[T, R]) deliver() bool            { return o.drain() }
func (o fed[T, R]) ended(i int64)            { o.feeder.ringFor(i + 1) }
func (o fed[T, R]) broke(e *pool.PanicError) { endAs(e) }

// endAs ends the caller with a panic, or by Goexit.
func endAs(e *pool.PanicError) {
	if e != nil {
		loops.Raise(e)
	}
	runtime.Goexit()
}

// drain hands on the results that are ready at the head. It reports whether to go on.
func (s *stream[T, R]) drain() bool {
	for {
		head := s.head.Load()
		c, state := s.first(head)
		if state < cellDone {
			return true
		}
		if c.state.Load() != cellDone {
			s.out.broke(c.value)
			return false
		}
		r, err := c.r, c.err
		c.r, c.err = *new(R), nil
		if err != nil {
			_, ok := s.fail(err)
			return ok
		}
		if !s.give(r) {
			return false
		}
		s.head.Store(head + 1)
		if !s.isFed {
			s.feeder.ringUpTo(head + 1)
		}
	}
}
