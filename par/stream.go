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
//   - A helper claims it, or the feeder owns it, and does it.
//   - The one that hands on finds it at the head, drains it, and gives its result.
//
// As long as nobody helps, the feeder does each element by itself, and hands it on at once. Of
// the elements in the ring it does at most the one at the head: a Goexit of one further up
// could not be held back until its turn comes.
type stream[T, R any] struct {
	config
	f func(context.Context, T) (R, error)
	line[T, R]
	crew[T, R]
	handover[R]

	// What follows is the feeder's alone.

	solo    solo
	unknown bool // whether the first element is short, which has not come
	// fan measures the elements in a measured job, which the feeder does alone then; else it is nil.
	fan    *loops.Fan
	shared bool // helpers may come; otherwise each element is done and handed on at once
	// hopeless is how often helpers had been asked for when none came in time.
	hopeless int32
	feeder   bell // where it waits
}

// start does the first steps.
func (s *stream[T, R]) start() {
	s.failed.Store(math.MaxInt64)
	if s.tell = s.report; s.tell != nil {
		s.told = prim.Now()
	}
	if s.out == nil {
		s.out, s.isFed = fed[T, R]{s}, true
	}
	if s.pool == nil {
		s.pool = pool.Default()
	}
	s.most, s.set = min(s.limit, mostHelpers), s.window
	s.atWork = s.most
	if s.limit == 0 {
		s.atWork = s.pool.Workers()
	}
}

// begin has the feeder do all alone at first, if elements of the function tend to be short: of
// these somebody else would only wake up for nothing.
func (s *stream[T, R]) begin() {
	switch {
	case s.limit > 0:
		s.shared = true
	case s.window == 1:
		s.solo.skip = math.MaxInt
	case loops.Brief(s.pool, s.key()):
		s.solo.seen = credit
	default:
		s.unknown = !loops.Brief(s.pool, s.firstKey())
	}
}

// key is that of the notes on whether the elements of a function are cheap.
func (s *stream[T, R]) key() uint64 { return uint64(s.code)*31 + 1 }

// firstKey is that of the notes on whether the first element of a use takes less than shareTime.
func (s *stream[T, R]) firstKey() uint64 { return uint64(s.code)*31 + 2 }

// take does an element, or puts it into the ring. It reports whether to go on.
func (s *stream[T, R]) take(x T) bool {
	switch {
	case s.shared:
		return s.push(x)
	case s.solo.skip > 0:
		s.solo.skip--
		return s.alone(x)
	case s.fan != nil:
		return s.measured(x)
	case s.unknown:
		s.unknown = false
		return s.meet(x)
	}
	begun := prim.Now()
	r, ok := s.call(x)
	ended := prim.Now()
	if s.solo.elements == 0 && s.tail == 0 {
		loops.Note(s.pool, s.firstKey(), ended-begun < shareTime)
	}
	if cost, share := s.solo.note(begun, ended); share && s.window != 1 {
		s.share(max(1, cost))
	}
	return ok && s.give(r)
}

// alone does an element, and hands on its result. It is call and give as one function, since a
// call takes as long as many an element.
func (s *stream[T, R]) alone(x T) bool {
	err := s.ctx.Err()
	if err != nil {
		_, ok := s.fail(endOf(s.ctx))
		return ok
	}
	r, err := s.f(s.ctx, x)
	if err != nil {
		_, ok := s.fail(err)
		return ok
	}
	if s.report != nil {
		return s.give(r)
	}
	return s.yield(r, nil)
}

// call calls f on the feeder's goroutine. It hands on an error itself.
func (s *stream[T, R]) call(x T) (R, bool) {
	if s.ctx.Err() != nil {
		return s.fail(endOf(s.ctx))
	}
	r, err := s.f(s.ctx, x)
	if err != nil {
		return s.fail(err)
	}
	return r, true
}

// share lets helpers come, if that can be of use for elements that take so long.
func (s *stream[T, R]) share(cost time.Duration) {
	s.cost.Store(int64(cost))
	s.poor.Store(0)
	s.refused.Store(false)
	s.shared = s.worthwhile()
}

// wanted is how many helpers there may be. Short elements leave the feeder little time to do
// anything else than them: it is a worker then, too.
func (s *stream[T, R]) wanted() int {
	if s.apiece() < shareTime && s.limit == 0 {
		return s.atWork - 1
	}
	return s.atWork
}

// worthwhile reports whether it is of use that helpers come.
func (s *stream[T, R]) worthwhile() bool {
	return s.limit > 0 || !s.refused.Load() && s.poor.Load() < 4 && s.wanted() > 0 && s.apiece() >= worth/2
}

// push puts an element into the ring, has results handed on, and makes room for one more.
func (s *stream[T, R]) push(x T) bool {
	s.put(x)
	if !s.worthwhile() {
		s.shared = false
		s.solo.again()
		return s.settle(true)
	}
	s.ask(false)
	return s.settle(false)
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
		s.out.ended(i)
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
	if n := s.solo.elements + int(s.tail); n > 0 && s.window != 1 && s.limit == 0 {
		work := s.solo.total + time.Duration(s.worked.Load())
		loops.Note(s.pool, s.key(), work < brief || work/time.Duration(n) < worth)
	}
	if s.tail == 0 {
		return
	}
	s.endAbove(-1)
	s.active.Or(closed)
	s.recall()
	for s.active.Load() != closed {
		s.feeder.set(1, false)
		if s.helping() > 0 {
			s.block(s.feeder.wait)
		}
		s.feeder.at.Store(0)
	}
	if s.limit > 0 { // some may not have begun
		s.block(s.helpers.Wait)
	}
	for _, c := range *s.cells.Load() {
		if ctx := c.context.Load(); ctx != nil {
			ctx.end()
		}
	}
}
