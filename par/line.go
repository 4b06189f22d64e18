package par

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A line has the elements of a stream that were taken from its source and not handed on, in a ring of
// cells.
type line[T, R any] struct {
	tail   int64 // how many elements have been put into the ring; the feeder's alone
	set    int   // how many elements there may be, or 0 if nobody has said so; never changes
	atWork int   // the workers of the pool, or as many as the limit says; never changes

	// cells is the ring.
	//
	// Writers: the feeder.
	// Readers: everybody, after taken: so it has the cells of all elements below that.
	cells prim.Pointer[ring[T, R]]
	// taken is tail, for others.
	//
	// Writers: the feeder, after the cell is ready; then it asks for help.
	// Readers: helpers; the one that hands on.
	// Pairs:   see crew.
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
	// Pairs:   of -1, see bell. Of an element, see context of cell. Else none: a reader of an old value
	// does some more work.
	failed prim.Int64
	// cost is how long f takes for an element, in ns: shareTime as long as nobody knows. learned is for
	// how many that was measured, and worked how long they took all together, in ns.
	//
	// Writers: ones that have done elements. Of two costs at the same time one is lost.
	// Readers: everybody. They are hints.
	cost, learned, worked prim.Int64
}

// put puts an element into the ring, and returns its cell.
func (l *line[T, R]) put(x T) *cell[T, R] {
	all := *l.cells.Load()
	if head := l.head.Load(); l.tail-head == int64(len(all)) {
		larger := all.grown(head) // all must not be allocated
		l.cells.Store(&larger)
		all = larger
	}
	c := all.at(l.tail)
	c.x, c.index = x, l.tail
	c.state.Store(cellReady)
	l.tail++
	l.taken.Store(l.tail)
	return c
}

// Of results that are not handed on there may be few for each worker; and many if elements are
// short, or almost all have been begun and one takes long.
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
func (l *line[T, R]) room(head int64) bool { return l.tail-head < l.ahead() || l.stretches(head) }

// stretches reports whether there is room for more elements than the window has, since almost all have
// been begun: else helpers would have nothing to do until the one at the head is done.
func (l *line[T, R]) stretches(head int64) bool {
	return l.set == 0 && l.fewWait() && l.failed.Load() == math.MaxInt64 && l.tail-head < manyAhead*int64(l.atWork)
}

// fewWait reports whether there is less than one element for each worker that nobody has begun.
func (l *line[T, R]) fewWait() bool { return l.waiting() < int64(l.atWork) }

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

// unbegun reports whether there is an element that nobody has begun, and that is still wanted.
func (l *line[T, R]) unbegun() bool {
	head, hi := l.head.Load(), l.taken.Load()
	for i := head; i < hi && i <= l.failed.Load(); i++ {
		if (*l.cells.Load()).at(i).state.Load() == cellReady {
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
	for at := l.failed.Load(); i < at && !l.failed.CompareAndSwap(at, i); at = l.failed.Load() {
		continue
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

// apiece is how long an element takes, as far as that is known.
func (l *line[T, R]) apiece() time.Duration { return time.Duration(l.cost.Load()) }

// learn notes how long n elements took. The cost is the average of the first ones, and then over some
// horizon: so one that takes long now and then is one of the costs.
func (l *line[T, R]) learn(took time.Duration, n int) {
	if took <= 0 { // the clock stands still
		return
	}
	l.worked.Add(int64(took))
	known, old := min(l.learned.Add(int64(n)), horizon), l.cost.Load()
	l.cost.Store(max(1, old+(int64(took)/int64(n)-old)*min(int64(n), known)/known))
}

// horizon is how many elements the cost is an average of, when there have been so many.
const horizon = 256
