package par

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// A stream has a function called for elements that come one after the other, and hands on the
// results in their order. It is one use of a sequence of MapSeq, or a Pipe.
//
// The feeder is the goroutine that has the elements. It puts them into a ring of cells.
// Helpers, which are jobs of the pool, do the elements that they find there. With a limit they
// are as many goroutines, and the feeder does no element. The head is the first element whose
// result was not handed on.
//
// As long as nobody helps, the feeder does each element by itself, and hands it on at once. Of
// the elements in the ring it does at most the one at the head: a Goexit of one further up
// could not be held back until its turn comes.
type stream[T, R any] struct {
	config
	f func(context.Context, T) (R, error)
	// yield is called with each result, in order, by one goroutine at a time; with an error
	// at last. It reports whether to go on.
	yield func(R, error) bool
	out   outlet // nil if the feeder hands on the results

	// What follows is the feeder's alone.

	solo    solo
	unknown bool  // whether the first element is short, which has not come
	shared  bool  // helpers may come; otherwise each element is done and handed on at once
	tail    int64 // how many elements have been put into the ring
	upto    int64 // how many may be, though the window has no room
	workers int   // of the pool, or as many as the limit says
	// hopeless is how often helpers had been asked for when none came in time.
	hopeless int32

	// What follows belongs to the one that hands on.

	given int           // results that are done with, for a report
	told  time.Duration // when the last report was

	// What follows is shared.

	// cells is the ring.
	//
	// Writers: the feeder.
	// Readers: everybody, after taken: so it has the cells of all elements below that.
	cells prim.Pointer[ring[T, R]]
	// taken is tail, for others.
	//
	// Writers: the feeder, after the cell is ready; then it looks which helpers are there.
	// Readers: helpers; the one that hands on.
	// Pairs:   see helper.leave.
	taken prim.Int64
	// head is how many elements have been handed on.
	//
	// Writers: the one that hands on, when it is done with the cell.
	// Readers: the feeder, which then may use the cell again.
	// Pairs:   see bell.
	head prim.Int64
	// next is where a helper looks for elements first. The cells say which ones are left.
	//
	// Writers: helpers, by CAS.
	// Readers: helpers.
	next prim.Int64
	// begun is how many elements in the ring have been begun.
	//
	// Writers: the one that has begun an element, before anything else.
	// Readers: the feeder, and helpers, to see how many wait.
	// Pairs:   with at of the feeder: see bell.
	begun prim.Int64
	// failed is the lowest element that is known to have failed, -1 when the stream ends,
	// or math.MaxInt64. Nothing above it begins any more.
	//
	// Writers: one that fails and finds a higher one; the one that ends the stream.
	// Readers: everybody, before each element.
	// Pairs:   of -1, see bell. Else none: a reader of an old value does some more work.
	failed prim.Int64
	// engaged counts the helpers that were asked for and have not left, active those that have
	// begun; closed is added to active when none may begin any more.
	//
	// Writers: one that asks for a helper; helpers; closed: the feeder, at the end. engaged grows
	// by CAS, so with a limit it is never more than that.
	// Readers: the feeder, and helpers.
	// Pairs:   active: see helper.leave. closed: a helper that begins is counted, and sees it;
	// or the feeder sees the helper, and waits. engaged: with a limit as active, see helper.leave
	// and wait. Else none: a reader of an old value asks for one helper too many, or waits for one
	// that is gone to say so.
	engaged, active prim.Int32
	// helpers are the goroutines of a stream with a limit.
	helpers prim.WaitGroup
	// asks is how often a helper was asked for, asked when that was last, in ns.
	//
	// Writers: one that asks.
	// Readers: the feeder. They are hints.
	// Wraps:   asks: only whether it has changed matters.
	asks  prim.Int32
	asked prim.Int64
	// cost is how long f takes, in ns, over some 256 elements, or 0 if nobody knows.
	//
	// Writers: one that has done elements. Of two at the same time one is lost.
	// Readers: everybody. It is a hint.
	cost prim.Int64
	// worked is how long f has taken for elements in the ring, in ns, all together.
	//
	// Writers: one that has done elements.
	// Readers: the feeder, at the end.
	worked prim.Int64
	// poor is how many helpers in a row found too little to do.
	//
	// Writers: helpers; the feeder, before there are any.
	// Readers: the feeder. It is a hint.
	poor prim.Int32
	// refused says that the pool takes no jobs.
	//
	// Writers: one that asks for a helper; the feeder.
	// Readers: the feeder.
	refused prim.Bool

	feeder bell // where the feeder waits

	mu prim.Mutex
	// coming are the helpers that were asked for and have not begun; guarded by mu.
	coming []*helper[T, R]
}

// An outlet hands on the results of a stream in place of the feeder.
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

// deliver hands on results at the head, if the caller may. It reports whether to go on.
func (s *stream[T, R]) deliver() bool {
	if s.out != nil {
		return s.out.deliver()
	}
	return s.drain()
}

// ended is called by the one that has ended element i: somebody may wait for it.
func (s *stream[T, R]) ended(i int64) {
	if s.out != nil {
		s.out.ended(i)
	} else {
		s.feeder.ringFor(i + 1)
	}
}

// broke ends the stream as an element at the head did, which has panicked or called Goexit.
func (s *stream[T, R]) broke(e *pool.PanicError) {
	if s.out != nil {
		s.out.broke(e)
	} else {
		endAs(e)
	}
}

// endAs ends the caller with a panic, or by Goexit.
func endAs(e *pool.PanicError) {
	if e != nil {
		e.Raise()
	}
	runtime.Goexit()
}

// closed is more than there are helpers.
const closed = 1 << 30

// start does the first steps.
func (s *stream[T, R]) start() {
	s.failed.Store(math.MaxInt64)
	if s.report != nil {
		s.told = prim.Now()
	}
	if s.pool == nil {
		s.pool = pool.Default()
	}
	s.workers = s.limit
	if s.limit == 0 {
		s.workers = s.pool.Workers()
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
	case s.pool.Brief(s.key()):
		s.solo.seen = credit
	default:
		s.unknown = !s.pool.Brief(s.firstKey())
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
	case s.unknown:
		s.unknown = false
		return s.meet(x)
	}
	begun := prim.Now()
	r, ok := s.call(x)
	ended := prim.Now()
	if s.solo.elements == 0 && s.tail == 0 {
		s.pool.Note(s.firstKey(), ended-begun < shareTime)
	}
	if cost, share := s.solo.note(begun, ended); share && s.window != 1 {
		s.share(max(1, cost))
	}
	return ok && s.give(r)
}

// give hands on a result.
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

// finish reports that all results are done with.
func (s *stream[T, R]) finish() {
	if s.report != nil {
		s.report(s.given, s.given)
	}
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

// fail hands on the error that ends the stream.
func (s *stream[T, R]) fail(err error) (none R, ok bool) {
	s.yield(none, err)
	return none, false
}

// share lets helpers come, if that can be of use for elements that take so long.
func (s *stream[T, R]) share(cost time.Duration) {
	s.cost.Store(int64(cost))
	s.poor.Store(0)
	s.refused.Store(false)
	s.shared = s.worthwhile()
}

// each is how long an element takes, as far as that is known.
func (s *stream[T, R]) each() time.Duration {
	if cost := time.Duration(s.cost.Load()); cost > 0 {
		return cost
	}
	return shareTime
}

// Of results that are not handed on there may be few for each worker; and many if elements are
// short, or all have been begun and one takes long.
const (
	fewAhead  = 4
	manyAhead = 256
)

// ahead is how large the window is.
func (s *stream[T, R]) ahead() int64 {
	if s.window > 0 {
		return int64(s.window)
	}
	few := int64(fewAhead * shareTime / s.each())
	return min(max(few, fewAhead), manyAhead) * int64(s.workers)
}

// room reports whether the ring may have one element more.
func (s *stream[T, R]) room(head int64) bool {
	return s.tail-head < s.ahead() || s.tail < s.upto
}

// stretch makes room for more elements than the window has, if all have been begun: else
// helpers would have nothing to do until the one at the head is done.
func (s *stream[T, R]) stretch(head int64) bool {
	if !s.stretches(head) {
		return false
	}
	s.upto = s.tail + int64(s.workers)
	return true
}

func (s *stream[T, R]) stretches(head int64) bool {
	return s.window == 0 && s.waiting() <= 0 && s.failed.Load() == math.MaxInt64 &&
		s.tail-head <= int64((manyAhead-1)*s.workers)
}

// wanted is how many helpers there may be. Short elements leave the feeder little time to do
// anything else than them: it is a worker then, too.
func (s *stream[T, R]) wanted() int {
	if s.each() < shareTime && s.limit == 0 {
		return s.workers - 1
	}
	return s.workers
}

// worthwhile reports whether it is of use that helpers come.
func (s *stream[T, R]) worthwhile() bool {
	return s.limit > 0 || !s.refused.Load() && s.poor.Load() < 4 && s.wanted() > 0 && s.each() >= worth/2
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

// put puts an element into the ring.
func (s *stream[T, R]) put(x T) {
	var all ring[T, R]
	if r := s.cells.Load(); r != nil {
		all = *r
	}
	if head := s.head.Load(); s.tail-head == int64(len(all)) {
		all = all.grown(head, int(min(s.ahead(), firstRing)))
		s.cells.Store(&all)
	}
	c := all.at(s.tail)
	c.x, c.index = x, s.tail
	c.state.Store(cellReady)
	s.tail++
	s.taken.Store(s.tail)
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
			if c.value = pool.Caught(recover()); c.value != nil {
				state = cellPanicked
			}
		}
		if state != cellDone || c.err != nil {
			s.lower(i)
			s.endAbove(i)
		}
		c.state.Store(state)
		s.ended(i)
	}()
	if s.ctx.Err() != nil {
		c.err = endOf(s.ctx)
	} else {
		c.r, c.err = s.f(ctx, x)
	}
	state = cellDone
}

// lower notes that element i has failed.
func (s *stream[T, R]) lower(i int64) {
	for {
		at := s.failed.Load()
		if at <= i || s.failed.CompareAndSwap(at, i) {
			return
		}
	}
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

// endAbove ends the contexts of elements above one that has failed, or of all, when the stream
// is over: nobody wants their results. The caller has lowered failed. An element that was not
// handed on keeps its cell.
func (s *stream[T, R]) endAbove(failed int64) {
	hi := s.taken.Load()
	for i := max(failed+1, s.head.Load()); i < hi; i++ {
		if ctx := (*s.cells.Load()).at(i).context.Load(); ctx != nil {
			ctx.end()
		}
	}
}

// learn notes how long n elements took.
func (s *stream[T, R]) learn(took time.Duration, n int) {
	if took <= 0 { // the clock stands still
		return
	}
	s.worked.Add(int64(took))
	each := max(1, int64(took)/int64(n))
	if old := s.cost.Load(); old != 0 {
		each = old + (each-old)*int64(min(n, horizon))/horizon
	}
	s.cost.Store(each)
}

// horizon is over how many elements the cost is an average: so one that takes long now and
// then is one of the costs.
const horizon = 256

// drain hands on the results that are ready at the head. It reports whether to go on.
func (s *stream[T, R]) drain() bool {
	for {
		head := s.head.Load()
		c, done := s.due(head)
		if !done {
			return true
		}
		if c.state.Load() != cellDone {
			s.broke(c.value)
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
		if s.out != nil {
			s.feeder.ringUpTo(head + 1)
		}
	}
}

// due returns the cell at the head, and whether its element has ended.
func (s *stream[T, R]) due(head int64) (c *cell[T, R], ok bool) {
	if head == s.taken.Load() {
		return nil, false
	}
	c = (*s.cells.Load()).at(head)
	return c, c.state.Load() >= cellDone
}

// end ends the stream: no helper begins an element any more, and none is left.
func (s *stream[T, R]) end() {
	s.failed.Store(-1)
	if n := s.solo.elements + int(s.tail); n > 0 && s.window != 1 && s.limit == 0 {
		work := s.solo.total + time.Duration(s.worked.Load())
		s.pool.Note(s.key(), work < brief || work/time.Duration(n) < worth)
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
