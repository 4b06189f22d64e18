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
	// Writers: whoever has the seat, by show (Or); a worker that looks for work and finds none
	// there, by pass (And, and Or if there is some after all).
	// Pairs:   the push or the lowering of the flag, then show, then the post or the look at
	// the counts, with the step of pass, then its look at the deque and the flag.
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

// has reports whether a seat is in view.
func (v view) has(n int) bool { return v.next(n, n+1) == n }

// add brings a seat into view.
func (v view) add(n int) {
	if !v.has(n) {
		v.words[n/64].Or(1 << (n % 64))
	}
}

// drop takes a seat out of view, if any can be.
func (v view) drop(n int) {
	if v.words != nil {
		v.words[n/64].And(^(1 << (n % 64)))
	}
}

// show has the seat in view. It comes after a push to its deque, and before the post; and after
// the flag of its worker is lowered, before the look at the counts. So no worker can take the
// seat out of view unseen in between.
func (s *seat) show() { s.pool.view.add(s.index) }

// pass is for a worker that looks for work, and has met an empty deque at another seat: it asks
// the worker there for forks. In a large pool it takes the seat out of view, or each that looks
// would visit thousands of jobs that have forked and wait for something.
//
// Pairs: V1, then V2 and V3, with a push, then show; and V1, then V2, with the lowering of the
// flag, then show. Whoever passes by between V1 and V4 leaves the job to the caller, which is
// counted inactive and has yet to look a last time.
func (p *Pool) pass(n int) {
	leaves := p.view.isPartial() && p.view.has(n)
	if leaves {
		p.view.drop(n) // V1: out of view
	}
	p.want(n)                                   // V2: the flag is up
	if leaves && p.victims[n].deque.Len() > 0 { // V3: was something pushed meanwhile?
		p.view.add(n) // V4: then in view again
	}
}
