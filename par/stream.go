package par

import (
	"context"
	"math"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A stream has a function called for elements that come one after the other, and hands on the
// results in their order. It is one use of a sequence of MapSeq, or a Pipe.
//
// The feeder is the goroutine that has the elements. Helpers, which are jobs of the pool, do the
// elements that they find in the line. With a limit they are as many goroutines, and the feeder
// does no element. The head is the first element whose result was not handed on. So this is the
// way of an element:
//
//   - The feeder takes it from its source, and puts it into the ring of the line.
//   - A helper claims it, or the feeder does when it is at the head, and does it.
//   - The one that hands on finds it at the head, drains it, and gives its result.
//
// If elements are cheap, nobody is asked to help: the feeder does each one as soon as it has put it
// into the ring, and hands it on. That is the same way; only the time to wake somebody is spared.
//
// The feeder does the element at the head only: a Goexit of one further up could not be held back
// until its turn comes. It does no long one while a helper is at work or about to come, unless the
// source has ended: there would be no more elements meanwhile.
type stream[T, R any] struct {
	config
	f func(context.Context, T) (R, error)
	line[T, R]
	crew[T, R]
	handover[R]

	// What follows is the feeder's alone.

	batch  batch // of a live source it is the consumer's
	shared bool  // elements may be left to helpers; otherwise each is done and handed on at once
	// fan measures the elements in a measured job, which the feeder does alone then; else it is nil.
	fan    *loops.Fan
	feeder bell // where it waits
}

// start does the first steps.
func (s *stream[T, R]) start() {
	s.failed.Store(math.MaxInt64)
	s.cost.Store(int64(shareTime))
	s.cells.Store(new(ring[T, R]))
	if s.report != nil {
		s.told = prim.Now()
	}
	if s.deliver == nil {
		s.deliver, s.broke, s.isFed = s.drain, endAs, true
		s.hasEnded = func(i int64) { s.feeder.ringFor(i + 1) }
	}
	if s.pool == nil {
		s.pool = pool.Default()
	}
	s.set, s.atWork = s.window, min(s.limit, mostHelpers)
	if s.limit == 0 {
		s.atWork = s.pool.Workers()
		if loops.Brief(s.pool, s.key()) {
			s.batch.seen = credit
			return
		}
	}
	s.shared = s.worthwhile()
}

// key is that of the notes on whether uses of a function are short.
func (s *stream[T, R]) key() uint64 { return uint64(s.code)*31 + 1 }

// take puts an element into the ring, has results handed on, and makes room for one more. It
// reports whether to go on.
func (s *stream[T, R]) take(x T) bool {
	c := s.put(x)
	switch {
	case s.fan != nil:
		s.measured(c)
	case s.shared && s.worthwhile():
		s.ask(false)
	case s.shared:
		s.shared = false
		s.batch.again()
	}
	return s.settle(!s.shared)
}

// worthwhile reports whether it is of use that helpers come. That the first elements are cheap does not
// say that all are: long ones may be under way.
func (s *stream[T, R]) worthwhile() bool {
	return s.limit > 0 || s.window != 1 && s.fan == nil && s.poor.Load() < tooPoor &&
		(s.apiece() >= worth/2 || s.learned.Load() < horizon)
}

// settle waits until there is room for one more element, or all have been handed on. For that
// it does the element at the head, if nobody else does. It reports whether to go on.
func (s *stream[T, R]) settle(all bool) bool {
	for s.deliver() {
		head := s.head.Load()
		c, state := s.first(head)
		room := !all && s.failed.Load() == math.MaxInt64 && s.room(head)
		switch {
		case state == cellReady && s.mine(all, room):
			s.own(c)
		case state == cellEmpty || room:
			return true
		default:
			s.wait(c, head, all)
		}
	}
	return false
}

// mine reports whether the feeder does the element at the head, which nobody has begun. A long one it
// leaves to helpers: there would be no more elements meanwhile, and they would have nothing to do. One that
// was asked for is given time to begin: if there is room, as much as an element takes.
func (s *stream[T, R]) mine(all, room bool) bool {
	switch {
	case s.limit > 0:
		return false
	case all, s.engaged.Load() == 0, !room && s.apiece() < shareTime:
		return true
	case room:
		return s.active.Load() == 0 && s.late(max(shareTime, s.apiece()))
	}
	for looks := 0; s.active.Load() == 0; looks++ {
		if looks == comeLooks || s.late(comeTime) {
			return true
		}
		prim.Yield()
	}
	return false
}

// If there is no room, the feeder looks whether a helper comes for about as long as it takes to wake one,
// or so often if the clock stands still.
const (
	comeTime  = 100 * time.Microsecond
	comeLooks = 1000
)

// late reports whether the last helper was asked for longer ago than that.
func (s *stream[T, R]) late(by time.Duration) bool {
	return prim.Now()-time.Duration(s.asked.Load()) > by
}

// own does the element at the head, unless somebody has begun it.
func (s *stream[T, R]) own(c *cell[T, R]) {
	if !c.state.CompareAndSwap(cellReady, cellOwned) {
		return
	}
	s.counts()
	if s.batch.skip > 0 {
		s.batch.skip--
		s.do(s.ctx, c)
		return
	}
	begun := prim.Now()
	s.do(s.ctx, c)
	n := s.batch.every + 1
	took := time.Duration(n) * (prim.Now() - begun)
	s.learn(took, n)
	if s.batch.note(took, s.apiece()) && !s.shared {
		s.poor.Store(0)
		s.shared = s.worthwhile()
	}
}

// wait waits until the element at the head has been done, or handed on if others do that, or,
// of a feeder that may go on with more elements, until few wait to be begun.
//
// It does not wait for an element that nobody will begin: if one is ready and not for the feeder, there are
// helpers that are to come, with a limit, or are at work. These look for it before they leave, but for one
// that its element ends: that is counted out, then rings.
func (s *stream[T, R]) wait(c *cell[T, R], head int64, all bool) {
	if prim.Processors() > 1 {
		for i := 0; i < spins && c.state.Load() == cellOwned; i++ {
			prim.Spin(spinSteps)
		}
	}
	s.ask(true)
	s.feeder.wait(head+1, !all && s.set == 0, func() bool {
		state := c.state.Load()
		return s.isFed && state >= cellDone || state == cellReady && s.active.Load() == 0 && s.limit == 0 ||
			s.head.Load() > head || s.failed.Load() < 0 || !all && s.stretches(head)
	}, s.block)
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

// do does the element of a cell that the caller has begun, with a context that ends with the
// stream's. A panic is kept until the element's turn has come: the pool would report one
// that left a helper, if it closed before.
func (s *stream[T, R]) do(ctx context.Context, c *cell[T, R]) {
	x, i, state := c.x, c.index, int32(cellExited)
	c.x = *new(T)
	if i > s.failed.Load() {
		return // nobody comes to it any more
	}
	defer func() {
		if state == cellExited {
			if c.value = loops.Caught(recover()); c.value != nil {
				state = cellPanicked
			}
		}
		if state != cellDone || c.err != nil {
			s.lower(i)
			s.endAbove(i)
		}
		c.state.Store(state)
		s.hasEnded(i)
	}()
	if s.ctx.Err() != nil {
		c.err = endOf(s.ctx)
	} else {
		c.r, c.err = s.f(ctx, x)
	}
	state = cellDone
}

// contextOf returns the context for the element of a cell that a helper has begun. A cell keeps
// it for the next element, which lies above: so an end for one is right for all that follow. The
// feeder does elements at the head only: none below them can fail.
func (s *stream[T, R]) contextOf(c *cell[T, R]) context.Context {
	if c.context.Load() == nil {
		c.context.Store(newPieceContext(s.ctx, 0))
	}
	return c.context.Load()
}

// end ends the stream: no helper begins an element any more, and none is left.
func (s *stream[T, R]) end() {
	s.failed.Store(-1)
	if s.tail == 0 {
		return
	}
	if s.window != 1 && s.limit == 0 {
		work := time.Duration(s.worked.Load())
		loops.Note(s.pool, s.key(), work < brief || work < worth*time.Duration(s.learned.Load()))
	}
	s.endAbove(-1)
	s.dismiss()
	if s.limit > 0 || s.active.Load() > 0 {
		s.block(s.running.Wait)
	}
	for _, c := range *s.cells.Load() {
		if ctx := c.context.Load(); ctx != nil {
			ctx.end()
		}
	}
}
