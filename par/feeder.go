package par

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// The feeder of a stream does the following when it has put an element into the ring.

// meet has a helper do the first element, if one begins at once: so an element that takes long
// keeps no other one waiting. If it is short, its result is handed on before the source is asked
// for more, and the feeder goes on alone.
func (s *stream[T, R]) meet(x T) bool {
	s.put(x)
	c := (*s.cells.Load()).at(0)
	if h := s.engage(); h != nil && h.begin(c) && lasts(c) {
		loops.Note(s.pool, s.firstKey(), false)
		s.share(shareTime) // so long at least
		return s.settle(false)
	}
	s.hopeless = s.asks.Load()
	if !s.settle(true) {
		return false
	}
	cost := time.Duration(s.cost.Load())
	loops.Note(s.pool, s.firstKey(), cost < shareTime)
	if cost >= shareTime {
		s.share(cost)
	}
	return true
}

// lasts reports whether the element of a cell, which has begun, takes shareTime; or so many looks, if
// the clock stands still.
func lasts[T, R any](c *cell[T, R]) bool {
	begun := prim.Now()
	for looks := 0; c.state.Load() == cellOwned; looks++ {
		if looks == comeLooks || prim.Now()-begun > shareTime {
			return true
		}
		prim.Yield()
	}
	return false
}

// settle waits until there is room for one more element, or all have been handed on. For that
// it does the element at the head, if nobody else does. It reports whether to go on.
func (s *stream[T, R]) settle(all bool) bool {
	for s.out.deliver() {
		head := s.head.Load()
		if head == s.tail {
			return true
		}
		c := (*s.cells.Load()).at(head)
		state := c.state.Load()
		room := !all && s.failed.Load() == math.MaxInt64 && s.room(head)
		switch {
		case room && (state != cellReady || !s.deserted()):
			return true
		case state == cellReady && (room || s.mine()):
			s.own(c)
		case !all && s.stretch(head):
			return true
		default:
			s.wait(c, head, all)
		}
	}
	return false
}

// own does the element at the head, unless somebody has begun it. If elements are short, it times
// one in ownTimed.
func (s *stream[T, R]) own(c *cell[T, R]) {
	if !c.state.CompareAndSwap(cellReady, cellOwned) {
		return
	}
	n := 1
	if begun := s.counts(); s.apiece() < shareTime {
		if n = ownTimed; begun%ownTimed != 0 {
			s.do(s.ctx, c)
			return
		}
	}
	begun := prim.Now()
	s.do(s.ctx, c)
	s.learn(time.Duration(n)*(prim.Now()-begun), n)
}

const ownTimed = 8

// deserted reports whether no helper is at work, or about to be. One that was asked for is
// given as much time to begin as an element takes: so none waits for much longer than that,
// and the feeder does not do all long ones before the first helper comes.
func (s *stream[T, R]) deserted() bool {
	switch {
	case s.active.Load() > 0 || s.limit > 0:
		return false
	case s.engaged.Load() == 0:
		return true
	}
	return prim.Now()-time.Duration(s.asked.Load()) > max(shareTime, s.apiece())
}

// mine reports whether the feeder is to do the element at the head, which nobody has begun,
// and without which it has nothing to do. If it takes long, helpers should: there would be no
// more elements meanwhile.
func (s *stream[T, R]) mine() bool {
	switch {
	case s.limit > 0:
		return false
	case s.apiece() < shareTime || s.engaged.Load() == 0:
		return true
	}
	asks, begun := s.asks.Load(), prim.Now()
	for range comeLooks {
		switch {
		case s.active.Load() > 0:
			return false
		case s.hopeless == asks || prim.Now()-begun > comeTime:
			s.hopeless = asks
			return true
		}
		prim.Yield()
	}
	s.hopeless = asks
	return true
}

// How long the feeder looks whether a helper comes that it has asked for, before it does an
// element that may be long by itself: about as long as it takes to wake one, or so often if the
// clock stands still.
const (
	comeTime  = 100 * time.Microsecond
	comeLooks = 1000
)

// wait waits until the element at the head has been done, or handed on if others do that, or,
// of a feeder that may go on with more elements, until all have been begun.
func (s *stream[T, R]) wait(c *cell[T, R], head int64, all bool) {
	if prim.Processors() > 1 {
		for range spins {
			if c.state.Load() != cellOwned {
				break
			}
			prim.Spin(spinSteps)
		}
	}
	s.ask(true)
	number, hungry := head+1, !all && s.window == 0
	if all && !s.isFed {
		number = s.tail
	}
	s.feeder.set(number, hungry)
	state := c.state.Load()
	switch {
	case s.isFed && state >= cellDone, s.head.Load() >= number, !s.isFed && s.failed.Load() < 0:
	case state == cellReady && s.nobody(): // it has left by Goexit: then it looks at nothing
	case hungry && s.stretches(head):
	default:
		s.block(s.feeder.wait)
	}
	s.feeder.at.Store(0)
}

// The feeder looks for about 2 µs whether a helper is done, before it waits.
const (
	spins     = 32
	spinSteps = 64
)

// block has the goroutine of the caller wait. A job gives up its seat.
func (s *stream[T, R]) block(wait func()) {
	if s.worker != nil {
		s.worker.Block(wait)
	} else {
		pool.BlockHere(wait)
	}
}
