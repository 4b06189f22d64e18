package par

import (
	"context"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// MapSeq returns a sequence of what f makes of the elements of in, in their order. Several
// calls of f may run at the same time, also while the source and the consumer, the loop
// over the sequence, do something else. They must not wait for each other.
//
// The source runs on the consumer's goroutine. It is ahead of the consumer by at most the
// window: so many elements have been taken from it whose results were not yielded, the one
// that the consumer is at included. [WithWindow] sets that. By default it is 4 elements
// for each worker of the pool if f takes longer than 20 µs, and up to 256 if f is shorter.
// Results do not depend on it. A result that is ready is yielded before the source is asked
// for more; one that gets ready while the source is busy is yielded after that, for a
// sequence cannot interrupt its source. What the source has handed over does not wait for
// the source: workers do it meanwhile. Where none is free, the consumer's goroutine does
// it, before or after.
//
// The first element, in the order of the input, for which f returns an error is yielded as
// that error, with the zero R, and is the last one. Calls for elements above that have not
// begun by then do not begin. The context that f is handed is ctx, which does not end at
// an error: all calls below return what they would without it. If ctx ends, the first
// element for which f has not begun is yielded as an error that is both ctx's error and
// its cause. A nil ctx panics.
//
// The consumer may break: calls that run are waited for then, and nothing of the sequence
// runs any more. That holds for each end of the loop, by a panic of the source or of the
// consumer, too. A panic of f leaves the loop over the sequence at the element's place in
// the order, with its value, and so does [runtime.Goexit]. It passes through the source.
// After a panic of the source, results that were not yielded are lost.
//
// The sequence may be used as often as the source. Each use begins alone: as long as f
// takes less than half a microsecond, or 20 µs in all, the consumer's goroutine does everything,
// and no element is taken ahead. Then workers help, if the pool has any that are free. So a
// use waits for no worker to become free, and a lock may be held over it. It waits, in a
// job of a pool without its seat, for calls of f that have begun.
//
// [WithProgress] counts the results that the consumer is done with. Nobody knows how many
// there will be, so total is -1, until the source has ended and all are yielded.
//
// An element costs some nanoseconds if the consumer's goroutine does it, and hundreds of
// nanoseconds if a worker does. A use allocates some words, and room for the window when
// workers come to help.
func MapSeq[T, R any](ctx context.Context, in iter.Seq[T], f func(context.Context, T) (R, error), opts ...Option) iter.Seq2[R, error] {
	refuse("MapSeq", 0, in == nil || f == nil)
	mustContext("MapSeq", ctx)
	c := within(ctx, opts)
	return func(yield func(R, error) bool) {
		if ctx.Err() != nil {
			var none R
			yield(none, endOf(ctx))
			return
		}
		s := &stream[T, R]{config: c, f: f, yield: yield}
		s.failed.Store(math.MaxInt64)
		if s.report != nil {
			s.told = prim.Now()
		}
		defer s.end()
		for x := range in {
			if !s.take(x) {
				return
			}
		}
		if s.settle(0) {
			s.finished(s.given)
		}
	}
}

// A stream is one use of a sequence of MapSeq. The consumer, which is the goroutine that
// ranges over the sequence, puts elements into a ring of cells. Helpers, which are jobs of
// the pool, do what they find there. The consumer yields what is done at the head, and
// does the element at the head itself if nobody has begun it.
//
// It never does one further up, since a Goexit of that could not be held back until its
// turn comes.
type stream[T, R any] struct {
	config
	f     func(context.Context, T) (R, error)
	yield func(R, error) bool

	// What follows is the consumer's alone.

	solo   solo
	shared bool // helpers may come; otherwise each element is done and yielded at once
	// head is how many elements have been yielded, or are about to be, since helpers
	// first could come; tail how many have been taken.
	head, tail int64
	own        int64 // elements of these that the consumer has begun
	ring       []cell[T, R]
	helpers    []*helper[T, R]
	workers    int           // of the pool
	asked      time.Duration // when a helper was last asked for
	given      int           // results that the consumer is done with, for a report
	told       time.Duration // when the last report was
	refused    bool          // the pool takes no jobs now
	followed   int32         // turns, when the consumer last looked

	// What follows is shared with helpers.

	// cells is the ring, for others. The cell of element i is at i modulo its length, a
	// power of two.
	//
	// Writers: the consumer, while no cell has an element.
	// Readers: helpers, after taken.
	cells prim.Pointer[[]cell[T, R]]
	// taken is tail, for others.
	//
	// Writers: the consumer, after the cell is ready; then it reads engaged.
	// Readers: helpers.
	// Pairs:   a helper that leaves is counted out, then looks for ready cells. So an
	// element is found by the helper, or the consumer asks for another one.
	taken prim.Int64
	// next is where a helper looks for elements first. The cells decide what is left.
	//
	// Writers: helpers, by CAS.
	// Readers: helpers.
	next prim.Int64
	// begun is how many elements helpers have begun.
	//
	// Writers: helpers.
	// Readers: the consumer, to see how many wait.
	// Pairs:   none. A consumer that reads an old value asks for one helper too many.
	begun prim.Int64
	// failed is the lowest element that is known to have failed, -1 when the stream ends,
	// or math.MaxInt64. What lies above is not begun any more.
	//
	// Writers: whoever fails and finds a higher one; the consumer, at the end.
	// Readers: everybody, before each element.
	// Pairs:   none. A reader of an old value does some more work.
	failed prim.Int64
	// engaged counts the helpers that were asked for and have not ended, active those
	// that have begun.
	//
	// Writers: the consumer, when it asks for one; helpers.
	// Readers: the consumer.
	// Pairs:   engaged: see taken. active: none, it is a hint.
	engaged, active prim.Int32
	// turns counts the jobs that have handed over to another one.
	//
	// Writers: helpers.
	// Readers: the consumer, which then looks which ones.
	// Pairs:   none. A consumer that reads an old value looks later.
	// Wraps:   only whether it has changed matters.
	turns prim.Int32
	// cost is how long f takes, in ns, roughly.
	//
	// Writers: helpers; the consumer, before there are any.
	// Readers: everybody. It is a hint.
	cost prim.Int64
	// poor is how many helpers in a row found too little to do.
	//
	// Writers: helpers; the consumer, before there are any.
	// Readers: the consumer. It is a hint.
	poor prim.Int32
}

// A cell is the place of an element in the ring, until its result is yielded.
type cell[T, R any] struct {
	// state is one of those below.
	//
	// Writers: the consumer, from anything but ready and owned to ready; whoever begins
	// the element, by CAS from ready; a helper that has ended it.
	// Readers: everybody.
	// Pairs:   what state says passes on the fields below: to whoever begins the element,
	// and back to the consumer.
	state prim.Int32
	index int64
	x     T
	r     R
	err   error
	value *pool.PanicError // what f has panicked with
}

// The states of a cell.
const (
	cellEmpty    = iota
	cellReady    // has an element that nobody has begun
	cellDone     // f has returned
	cellPanicked // f has panicked
	cellExited   // f has called Goexit
	cellConsumed // the consumer has begun the element
	cellOwned    // helper 0 has, and so on
)

// take does an element, or puts it into the ring. It reports whether to go on.
func (s *stream[T, R]) take(x T) bool {
	switch {
	case s.shared:
		return s.push(x)
	case s.solo.skip > 0:
		s.solo.skip--
		return s.here(x)
	}
	begun := prim.Now()
	r, ok := s.call(x)
	if cost, share := s.solo.note(begun, prim.Now()); share {
		s.share(cost)
	}
	return ok && s.give(r)
}

// give yields a result.
func (s *stream[T, R]) give(r R) bool {
	if !s.yield(r, nil) {
		return false
	}
	if s.report != nil {
		s.given++
		if now := prim.Now(); now-s.told >= reportEvery {
			s.told = now
			s.report(s.given, -1)
		}
	}
	return true
}

// here does an element, and yields its result.
func (s *stream[T, R]) here(x T) bool {
	r, ok := s.call(x)
	return ok && s.give(r)
}

// call calls f on the consumer's goroutine. It yields an error itself.
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

// fail yields the error that ends the sequence. Nothing begins any more meanwhile.
func (s *stream[T, R]) fail(err error) (none R, ok bool) {
	s.failed.Store(-1)
	s.yield(none, err)
	return none, false
}

// share lets helpers come, if that can be of use for elements that take so long.
func (s *stream[T, R]) share(cost time.Duration) {
	if s.window == 1 {
		return
	}
	if s.pool == nil {
		s.pool = pool.Default()
	}
	s.workers = s.pool.Workers()
	s.cost.Store(int64(cost))
	s.poor.Store(0)
	s.refused = false
	if s.shared = s.worthwhile(); s.shared && s.ring == nil {
		s.grow(min(s.limit(), firstRing))
	}
}

// firstRing is the length of the first ring, at most.
const firstRing = 1024

// grow makes a ring for n elements or more. The old one, if there is one, is empty.
func (s *stream[T, R]) grow(n int64) {
	s.ring = make([]cell[T, R], 1<<bits.Len64(uint64(n-1)))
	ring := s.ring
	s.cells.Store(&ring)
}

// limit is how large the window is.
func (s *stream[T, R]) limit() int64 {
	if s.window > 0 {
		return int64(s.window)
	}
	few := int64(4 * spell / max(1, time.Duration(s.cost.Load())))
	return min(max(few, 4), 256) * int64(s.workers)
}

// wanted is how many helpers there may be. Short elements leave the consumer little time
// to do anything else than them: it is a worker then, too.
func (s *stream[T, R]) wanted() int {
	if time.Duration(s.cost.Load()) < spell {
		return s.workers - 1
	}
	return s.workers
}

// push puts an element into the ring, yields what is done, and makes room for one more.
func (s *stream[T, R]) push(x T) bool {
	size, limit := int64(len(s.ring)), s.limit()
	if size < limit && s.tail-s.head == size-1 {
		if !s.settle(0) {
			return false
		}
		size *= 2
		s.grow(size)
	}
	c := s.at(s.tail)
	c.x, c.index = x, s.tail
	c.state.Store(cellReady)
	s.tail++
	s.taken.Store(s.tail)
	if !s.worthwhile() {
		s.shared = false
		s.solo.again()
		return s.settle(0)
	}
	s.ask(false)
	return s.settle(min(limit, size) - 1)
}

func (s *stream[T, R]) at(i int64) *cell[T, R] { return &s.ring[i&int64(len(s.ring)-1)] }

// worthwhile reports whether it is of use that helpers come.
func (s *stream[T, R]) worthwhile() bool {
	return !s.refused && s.poor.Load() < 4 && s.wanted() > 0 && time.Duration(s.cost.Load()) >= worth/2
}

// settle yields results, as far as they are ready, until at most so many elements are
// taken and not yielded. For that it does the element at the head, or waits for whoever
// does. It reports whether to go on.
func (s *stream[T, R]) settle(most int64) bool {
	for s.head < s.tail {
		c := s.at(s.head)
		state := c.state.Load()
		enough := s.tail-s.head <= most && s.failed.Load() == math.MaxInt64
		switch {
		case state == cellDone:
			if !s.pop(c) {
				return false
			}
		case state == cellPanicked:
			c.value.Raise()
		case state == cellExited:
			runtime.Goexit()
		case enough && (state >= cellOwned || !s.deserted()):
			return true
		case state >= cellOwned:
			s.await(c, state)
			s.ask(false)
		case c.state.CompareAndSwap(cellReady, cellConsumed):
			x := c.x
			c.x = *new(T)
			s.head++
			s.own++
			if !s.here(x) {
				return false
			}
		}
	}
	return true
}

// pop yields the result at the head.
func (s *stream[T, R]) pop(c *cell[T, R]) bool {
	r, err := c.r, c.err
	c.r, c.err = *new(R), nil
	s.head++
	if err != nil {
		_, ok := s.fail(err)
		return ok
	}
	return s.give(r)
}

// deserted reports whether no helper is at work, or about to be. One that was asked for is
// given as much time to begin as an element takes: so none waits for much longer than
// that, and the consumer does not do all long ones before the first helper comes.
func (s *stream[T, R]) deserted() bool {
	switch {
	case s.engaged.Load() == 0:
		return true
	case s.active.Load() > 0:
		return false
	}
	return prim.Now()-s.asked > max(spell, time.Duration(s.cost.Load()))
}

// ask asks for a helper, if there is enough to do for one more; or if the consumer is
// about to block, for as many as there are elements that wait, but not for more than
// there are workers: one that has claimed an element, and not yet counted it, may be held
// up for long, and those that come meanwhile find nothing and are gone again.
func (s *stream[T, R]) ask(blocks bool) {
	if turns := s.turns.Load(); turns != s.followed {
		s.followed = turns
		for _, h := range s.helpers {
			h.follow()
		}
	}
	for asked := 0; s.lacks(blocks) && s.engage(); {
		if asked++; !blocks || asked == s.workers {
			return
		}
	}
}

// lacks reports whether there should be one helper more. The first one comes for any
// element, the others if more elements wait than helpers that have not begun, and they
// take a spell.
func (s *stream[T, R]) lacks(blocks bool) bool {
	engaged, most := int(s.engaged.Load()), s.wanted()
	if blocks {
		most = s.workers
	}
	if engaged >= most || s.failed.Load() != math.MaxInt64 {
		return false
	}
	waits := s.tail - s.own - s.begun.Load()
	if waits <= int64(engaged)-int64(s.active.Load()) {
		return false
	}
	return engaged == 0 || blocks || time.Duration(waits*s.cost.Load()) >= spell
}

// engage reports whether the pool has taken a job of a helper.
func (s *stream[T, R]) engage() bool {
	h := s.free()
	s.engaged.Add(1)
	h.awaited.Store(false)
	ok := h.submit()
	if !ok {
		h.engaged.Store(false)
		s.engaged.Add(-1)
		s.refused = true
	}
	s.asked = prim.Now()
	return ok
}

// free returns a helper that is not engaged, and engages it.
func (s *stream[T, R]) free() *helper[T, R] {
	for _, h := range s.helpers {
		if h.engaged.CompareAndSwap(false, true) {
			return h
		}
	}
	h := &helper[T, R]{stream: s, owned: int32(cellOwned + len(s.helpers))}
	h.engaged.Store(true)
	s.helpers = append(s.helpers, h)
	return h
}

// await waits until the helper that is at the element at the head has done it.
func (s *stream[T, R]) await(c *cell[T, R], state int32) {
	if prim.Processors() > 1 {
		for range spins {
			if c.state.Load() != state {
				return
			}
			prim.Spin(spinSteps)
		}
	}
	s.ask(true)
	h := s.helpers[state-cellOwned]
	h.awaited.Store(true)
	if c.state.Load() == state || !h.awaited.CompareAndSwap(true, false) {
		h.wait(false)
	}
}

// The consumer looks for about 2 µs whether a helper is done, before it waits.
const (
	spins     = 32
	spinSteps = 64
)

// end ends the stream: no helper begins an element any more, and none is left.
func (s *stream[T, R]) end() {
	s.failed.Store(-1)
	for _, h := range s.helpers {
		h.wait(true)
	}
}
