package par

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A line has the elements of a stream that were taken from its source and not handed on, in a ring of
// cells.
type line[T, R any] struct {
	costs

	// What follows is the feeder's alone.

	set    int   // how many elements there may be, or 0 if nobody has said so
	atWork int   // the workers of the pool, or as many as the limit says
	tail   int64 // how many elements have been put into the ring
	upto   int64 // how many may be, though the window has no room

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
}

// put puts an element into the ring.
func (l *line[T, R]) put(x T) {
	var all ring[T, R]
	if r := l.cells.Load(); r != nil {
		all = *r
	}
	if head := l.head.Load(); l.tail-head == int64(len(all)) {
		all = all.grown(head, int(min(l.ahead(), firstRing)))
		l.cells.Store(&all)
	}
	c := all.at(l.tail)
	c.x, c.index = x, l.tail
	c.state.Store(cellReady)
	l.tail++
	l.taken.Store(l.tail)
}

// Of results that are not handed on there may be few for each worker; and many if elements are
// short, or all have been begun and one takes long.
const (
	fewAhead  = 4
	manyAhead = 256
)

// ahead is how large the window is.
func (l *line[T, R]) ahead() int64 {
	if l.set > 0 {
		return int64(l.set)
	}
	few := int64(fewAhead * shareTime / l.apiece())
	return min(max(few, fewAhead), manyAhead) * int64(l.atWork)
}

// room reports whether the ring may have one element more.
func (l *line[T, R]) room(head int64) bool {
	return l.tail-head < l.ahead() || l.tail < l.upto
}

// stretch makes room for more elements than the window has, if all have been begun: else
// helpers would have nothing to do until the one at the head is done.
func (l *line[T, R]) stretch(head int64) bool {
	if !l.stretches(head) {
		return false
	}
	l.upto = l.tail + int64(l.atWork)
	return true
}

func (l *line[T, R]) stretches(head int64) bool {
	return l.set == 0 && l.waiting() <= 0 && l.failed.Load() == math.MaxInt64 &&
		l.tail-head <= int64((manyAhead-1)*l.atWork)
}

// first returns the cell at the head and its state, which is cellEmpty if there is none.
func (l *line[T, R]) first(head int64) (c *cell[T, R], state int32) {
	if head == l.taken.Load() {
		return nil, cellEmpty
	}
	c = (*l.cells.Load()).at(head)
	return c, c.state.Load()
}

// waiting returns how many elements nobody has begun.
func (l *line[T, R]) waiting() int64 { return l.taken.Load() - l.begun.Load() }

// unbegun reports whether there is an element that nobody has begun.
func (l *line[T, R]) unbegun() bool {
	hi := l.taken.Load()
	all := *l.cells.Load()
	for i := max(0, hi-int64(len(all))); i < hi && i <= l.failed.Load(); i++ {
		if all.at(i).state.Load() == cellReady {
			return true
		}
	}
	return false
}

// claim returns a range to look for elements in. That does not claim them: another
// helper, or the feeder, may do elements that this one has no time for. If all have been
// in a range once, it is the whole ring, for what was left.
func (l *line[T, R]) claim() (lo, hi int64, all ring[T, R]) {
	for {
		next, taken := l.next.Load(), l.taken.Load()
		all = *l.cells.Load()
		oldest := max(0, taken-int64(len(all)))
		lo = max(next, oldest)
		if lo >= taken {
			return oldest, taken, all
		}
		few := int64(shareTime / 2 / l.apiece())
		hi = lo + min(max(1, few), max(1, (taken-lo)/2))
		if l.next.CompareAndSwap(next, hi) {
			return lo, hi, all
		}
	}
}

// lower notes that element i has failed.
func (l *line[T, R]) lower(i int64) {
	for {
		at := l.failed.Load()
		if at <= i || l.failed.CompareAndSwap(at, i) {
			return
		}
	}
}

// endAbove ends the contexts of elements above one that has failed, or of all, when the stream
// is over: nobody wants their results. The caller has lowered failed. An element that was not
// handed on keeps its cell.
func (l *line[T, R]) endAbove(failed int64) {
	hi := l.taken.Load()
	for i := max(failed+1, l.head.Load()); i < hi; i++ {
		if ctx := (*l.cells.Load()).at(i).context.Load(); ctx != nil {
			ctx.end()
		}
	}
}

// costs say how long f takes.
type costs struct {
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
}

// apiece is how long an element takes, as far as that is known.
func (c *costs) apiece() time.Duration {
	if cost := time.Duration(c.cost.Load()); cost > 0 {
		return cost
	}
	return shareTime
}

// learn notes how long n elements took.
func (c *costs) learn(took time.Duration, n int) {
	if took <= 0 { // the clock stands still
		return
	}
	c.worked.Add(int64(took))
	each := max(1, int64(took)/int64(n))
	if old := c.cost.Load(); old != 0 {
		each = old + (each-old)*int64(min(n, horizon))/horizon
	}
	c.cost.Store(each)
}

// horizon is over how many elements the cost is an average: so one that takes long now and
// then is one of the costs.
const horizon = 256
