package par

import (
	"context"
	"iter"
	"math"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A slot is where an owner has its piece.
type slot struct {
	// left is the part of the piece that nobody has taken: hi<<32 | lo.
	//
	// Writers: the owner, by CAS, moves lo up when it takes a range, and down when it puts
	// back what it has not begun; it stores a new piece where none is left. Thieves move
	// hi down, by CAS.
	// Pairs:   see loop. The word says all that there is to know of what it has, and each
	// index is in one word, or is taken: so it does not matter if it was the same before.
	left prim.Uint64
	// owned says that the slot has an owner.
	//
	// Writers: a goroutine that becomes the owner, by CAS; the owner, when it leaves.
	owned prim.Bool
	// The owner hands context to elements.
	//
	// Writers: the owner.
	// Readers: an owner whose element fails.
	// Pairs:   the owner stores it, then reads failed of the loop, before each range; the
	// one that fails stores failed, then looks at all contexts.
	context prim.Pointer[pieceContext]
	// next is another slot, and all are a ring.
	//
	// Writers: a goroutine that adds a slot, by CAS on the first one. Others do not change.
	next prim.Pointer[slot]
	_    [32]byte
}

// maxStretch is how many elements are shared as one. A loop of more is several.
const maxStretch = math.MaxInt32

func span(left uint64) (lo, hi int) { return int(uint32(left)), int(left >> 32) }

func spanOf(lo, hi int) uint64 { return uint64(hi)<<32 | uint64(lo) }

// work does the loop as a job of w, or without a worker if the pool is closed: stretch by
// stretch, each as long as a slot can hold. It raises the panic of the lowest index that has
// failed, if that has panicked.
func (l *loop) work(w *pool.Worker) {
	if w != nil {
		l.recorded = loops.Begin(w, l.code, l.n)
	}
	for l.next < l.n && int64(l.next) < l.failed.Load() {
		l.base = l.next
		l.next += min(l.n-l.base, maxStretch)
		switch {
		case l.beside:
			l.wanted.Store(true)
			l.besides(w)
		case w == nil || l.pool.Workers() == 1:
			l.begin(w)
		default:
			l.wanted.Store(true)
			if l.help == nil {
				l.help = l.helped
			}
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				l.scope = s
				l.begin(w)
			})
		}
	}
	if l.recorded != 0 {
		loops.End(w, l.recorded)
	}
	if p := l.failure.panicked; p != nil {
		loops.Raise(p)
	}
}

// besides does a stretch with a goroutine for each owner. The caller gives up its seat, and
// those of other pools that it has on this goroutine.
func (l *loop) besides(w *pool.Worker) {
	all := func() {
		defer l.gone.Wait() // also if an element calls Goexit
		l.begin(nil)
	}
	if w == nil {
		all()
	} else {
		w.Block(all)
	}
}

// begin works at a stretch, as its first owner.
func (l *loop) begin(w *pool.Worker) {
	l.working.Add(1)
	s := l.seat()
	s.left.Store(spanOf(1, l.next-l.base))
	l.drive(w, s, 0)
}

// A worker that takes a call for help runs helped.
func (l *loop) helped(w *pool.Worker) {
	l.calls.Add(-1)
	l.want()
	if l.join() {
		s := l.seat()
		if first, ok := l.take(s); ok {
			l.drive(w, s, first)
		}
	}
}

// join counts one more owner, if the limit allows it. One that is refused is never counted:
// an owner that looks whether to call would take it for one that works.
func (l *loop) join() bool {
	for {
		n := l.working.Load()
		switch {
		case l.limit > 0 && int(n) >= l.limit:
			return false
		case l.working.CompareAndSwap(n, n+1):
			return true
		}
	}
}

// seat makes the caller the owner of a slot.
func (l *loop) seat() *slot {
	for s := range l.slots(&l.first) {
		if !s.owned.Load() && s.owned.CompareAndSwap(false, true) {
			return s
		}
	}
	s := new(slot)
	prim.Declare(s)
	s.owned.Store(true)
	for {
		next := l.first.next.Load()
		s.next.Store(next)
		if l.first.next.CompareAndSwap(next, s) {
			return s
		}
	}
}

// slots are all slots, from one on.
func (l *loop) slots(from *slot) iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for s := from; yield(s); {
			if s = s.next.Load(); s == from {
				return
			}
		}
	}
}

// want raises the flag.
func (l *loop) want() {
	if !l.wanted.Load() {
		l.wanted.Store(true)
	}
}

// take gets a piece for a slot that has none, and returns its first element, which the owner
// does next. If there is none, the owner leaves: all is done, or others are at it, which put
// back what they cannot begin, and call. An owner that was counted out must be counted in again
// before it takes anything: another may be in its place.
func (l *loop) take(s *slot) (first int, ok bool) {
	if first, ok = l.steal(s); ok {
		return first, true
	}
	if !l.scarce.Load() {
		l.scarce.Store(true)
	}
	for {
		l.working.Add(-1)
		l.want()
		if !l.any() || !l.join() {
			s.owned.Store(false)
			return 0, false
		}
		if first, ok = l.steal(s); ok {
			return first, true
		}
	}
}

// steal halves a piece for s, which has nothing: the larger of the next two, if there is one.
func (l *loop) steal(s *slot) (first int, ok bool) {
	for {
		var best *slot
		most, found := 0, 0
		for v := range l.slots(s) {
			if lo, hi := span(v.left.Load()); lo < hi {
				if hi-lo > most {
					best, most = v, hi-lo
				}
				if found++; found == 2 {
					break
				}
			}
		}
		if best == nil {
			return 0, false
		}
		if first, ok = l.halve(best, s); ok {
			return first, true
		}
	}
}

// halve takes the upper half of v, or the only element, and returns the first one of it. The
// others go to s, which has nothing. The thief does the first one, and nobody can take that
// from it: so there are no more thefts than elements. If it lay in s, too, thieves could keep
// taking the last element of a loop from each other, and nobody would do it.
func (l *loop) halve(v, s *slot) (first int, ok bool) {
	for {
		left := v.left.Load()
		lo, hi := span(left)
		if lo >= hi {
			return 0, false
		}
		mid := lo + (hi-lo)/2
		if v.left.CompareAndSwap(left, spanOf(lo, mid)) {
			s.left.Store(spanOf(mid+1, hi))
			return mid, true
		}
	}
}

const (
	// oneByOne is how many elements of a range are done with a look after each. Longer
	// ranges are of elements that take less than a fraction of a microsecond.
	oneByOne = 64
	// When somebody has found nothing, nobody takes more than one element of a piece
	// with at most scarceMost left.
	scarceMost = 512
	// timedOnes is how many elements are done before a range that the user sees may have
	// more than one.
	timedOnes = 64
	// few is how many elements of a range that the user sees are done as one, if those
	// before were quick.
	few = 8
)

// drive does the element first and the rest of its piece, which is in a slot, and then pieces
// that it takes from others, until none is left.
func (l *loop) drive(w *pool.Worker, s *slot, first int) {
	returned := false
	defer func() {
		if !returned { // by Goexit: the elements that are left are above the failed one
			s.left.Store(0)
			l.release(s)
			s.owned.Store(false)
			l.working.Add(-1)
			l.want()
		}
	}()
	begun := prim.Now()
	for ok := true; ok; first, ok = l.take(s) {
		if l.recorded != 0 && w != nil {
			l.recordedPiece(w, s, first)
		} else {
			l.piece(w, s, first)
		}
		l.release(s)
	}
	l.worked.Add(int64(prim.Now() - begun))
	returned = true
}

// recordedPiece is piece that a recording shows. The piece ends where thieves have left it.
func (l *loop) recordedPiece(w *pool.Worker, s *slot, first int) {
	_, hi := span(s.left.Load())
	loops.BeginPiece(w, l.recorded, l.base+first, l.base+hi)
	l.piece(w, s, first)
	if _, hi = span(s.left.Load()); hi > 0 {
		hi += l.base
	}
	loops.EndPiece(w, l.recorded, l.base+first, hi)
}

// piece does the element first, and then those of the slot until none is left.
func (l *loop) piece(w *pool.Worker, s *slot, first int) {
	ctx := l.contextOf(s, first)
	p := pacedFrom(prim.Now())
	for lo, n := first, 1; n > 0; lo, n = l.nextRange(s, &p) {
		shares, stop := l.shares(), &l.over
		if shares {
			if stop = &l.wanted; stop.Load() && !l.isOver() {
				l.answer(w)
			}
		}
		if l.isOver() {
			l.fail(l.base+lo, failure{err: endOf(l.ctx)})
		}
		if int64(l.base+lo) >= l.failed.Load() {
			s.left.Store(0)
			return
		}
		at, ok := l.call(ctx, w, l.base+lo, l.base+lo+n, l.singly(n, shares), stop)
		if !ok {
			s.left.Store(0)
			return
		}
		if done := at - l.base - lo; done < n {
			s.putBack(lo + done)
			p.look(prim.Now(), done) // elements may take longer than was known
		} else {
			p.done(done)
		}
		if l.whole && l.timed.Load() < timedOnes {
			l.timed.Add(1)
		}
	}
}

// nextRange takes the next range of the slot: n elements from lo on, or none if none is left.
func (l *loop) nextRange(s *slot, p *pace) (lo, n int) {
	for {
		left := s.left.Load()
		lo, hi := span(left)
		if lo >= hi {
			return 0, 0
		}
		n = l.length(p, hi-lo)
		if s.left.CompareAndSwap(left, spanOf(lo+n, hi)) {
			return lo, n
		}
	}
}

// length is how many of the elements that are left to take as one range: no more than an
// eighth, for an element may take longer than those before.
func (l *loop) length(p *pace, left int) int {
	least := 1
	switch {
	case l.whole && l.timed.Load() < timedOnes:
		return 1
	case l.whole:
		least = few
	case left <= scarceMost && l.scarce.Load():
		return 1
	}
	return min(p.length, max(left/prim.Size(8), least), left)
}

// singly reports whether the elements of a range are done one by one: those that take longer
// than a fraction of a microsecond; and all, if there is to be a report.
func (l *loop) singly(n int, shares bool) bool {
	switch {
	case l.whole:
		return false
	case l.gauge != nil && l.elements != nil:
		return true
	}
	return n <= oneByOne && (shares || l.ctx != nil)
}

// any reports whether there is something to take.
func (l *loop) any() bool {
	for v := range l.slots(&l.first) {
		if lo, hi := span(v.left.Load()); hi > lo {
			return true
		}
	}
	return false
}

// putBack puts back the elements from at on, which the owner has taken and not begun.
func (s *slot) putBack(at int) {
	for {
		left := s.left.Load()
		_, hi := span(left)
		if s.left.CompareAndSwap(left, spanOf(at, hi)) {
			return
		}
	}
}

// shares reports whether others can have the elements that are left.
func (l *loop) shares() bool { return l.beside || l.scope != nil }

// answer lowers the flag and calls for help, if there is something for others.
func (l *loop) answer(w *pool.Worker) {
	if !l.any() || !l.wanted.CompareAndSwap(true, false) {
		return
	}
	most := l.limit
	if most == 0 {
		most = l.pool.Workers()
	}
	// Each that comes calls for two more.
	n := min(2, most-int(l.working.Load()+l.calls.Load()))
	if n < 1 && l.limit == 0 && l.calls.Load() == 0 {
		n = 1 // an owner may wait for something, and its worker be free
	}
	for range n {
		l.calls.Add(1)
		if l.beside {
			l.gone.Go(func() { l.helped(nil) })
		} else {
			l.scope.Spawn(w, l.help)
		}
	}
}

// contextOf returns the context for the piece of a slot: one that ends when an index below
// has failed, for then nobody wants the piece's results any more.
func (l *loop) contextOf(s *slot, first int) context.Context {
	if l.ctx == nil || l.elements == nil || l.scope == nil && !l.beside {
		return l.ctx
	}
	c := newPieceContext(l.ctx, int64(l.base+first))
	s.context.Store(c)
	return c
}

// release ends the context of a piece that is done.
func (l *loop) release(s *slot) {
	if c := s.context.Load(); c != nil {
		s.context.Store(nil)
		c.end()
	}
}

// endAbove ends the contexts of pieces above an index that has failed.
func (l *loop) endAbove(failed int64) {
	for s := range l.slots(&l.first) {
		if c := s.context.Load(); c != nil && c.lo > failed {
			c.end()
		}
	}
}
