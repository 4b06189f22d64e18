package pool

import (
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A view says which seats of a large pool others must visit when they look for work: see
// "Seats in view" in INTERNALS.md. In a smaller pool it is empty, and all seats are in view.
type view struct {
	// words have a bit for each seat. While it is 0, the deque of the seat is empty, and
	// the flag of a worker with that seat is up: a visit would find nothing to do.
	//
	// Writers: whoever has the seat, by show (Or) and hide (And).
	// Pairs:   show, then the push or the lowering of the flag, with a look at the word.
	// A look that meets 0 is what a visit at that moment would have been.
	words []prim.Uint64
}

// manySeats is from how many seats on a search does not visit all. With fewer a visit to
// each takes less time than processors would lose by writing words that all read.
const manySeats = 257

func newView(seats int) (v view) {
	if seats > prim.Size(manySeats-1) {
		v.words = make([]prim.Uint64, (seats+63)/64)
		prim.DeclareSlice(v.words)
	}
	return v
}

// isPartial reports whether seats can be out of view.
func (v view) isPartial() bool { return v.words != nil }

// next returns the first seat in view from one on, or to if there is none below that.
func (v view) next(from, to int) int {
	if v.words == nil {
		return from
	}
	return v.scan(from, to)
}

func (v view) scan(from, to int) int {
	for from < to {
		if word := v.words[from/64].Load() >> (from % 64); word != 0 {
			return min(from+bits.TrailingZeros64(word), to)
		}
		from = (from/64 + 1) * 64
	}
	return to
}

// show has the seat in view. It comes before a push to its deque, and before the flag of
// its worker is lowered.
func (s *seat) show() {
	if !s.inView {
		s.inView = true
		s.pool.view.words[s.index/64].Or(1 << (s.index % 64))
	}
}

// hide takes a seat out of view that is about to sleep, or to be given back, unless its
// deque has something.
func (s *seat) hide() {
	p := s.pool
	if !p.view.isPartial() || !s.inView || s.deque.Len() > 0 {
		return
	}
	p.want(s.index) // the worker that sits there next may be the same
	s.inView = false
	p.view.words[s.index/64].And(^(1 << (s.index % 64)))
}
