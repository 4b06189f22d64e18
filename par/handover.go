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
	// The feeder calls deliver. It hands on the results that are ready at the head, unless
	// somebody else does, and reports whether the stream goes on.
	deliver func() bool
	// The one that has ended the element with that number, from 0 on, calls hasEnded.
	hasEnded func(number int64)
	// broke is called in place of yield, at an element that has panicked, or called Goexit if
	// there is no panic.
	broke func(*pool.PanicError)
	isFed bool // the feeder hands on the results

	// What follows belongs to the one that hands on.

	given int           // results that are done with, for a report
	told  time.Duration // when the last report was
}

// finish reports that all results are done with.
func (s *stream[T, R]) finish() {
	if s.report != nil {
		s.report(s.given, s.given)
	}
}

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
		switch {
		case state < cellDone:
			return true
		case state != cellDone:
			s.broke(c.value)
			return false
		}
		r, err := c.r, c.err
		c.r, c.err = *new(R), nil
		if !s.yield(r, err) || err != nil {
			return false
		}
		if s.given++; s.report != nil && prim.Now()-s.told >= reportEvery {
			s.told = prim.Now()
			s.report(s.given, -1)
		}
		s.head.Store(head + 1)
		s.feeder.ringFor(head + 1)
	}
}
