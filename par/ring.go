package par

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// A cell is the place of an element of a stream, until its result is handed on.
type cell[T, R any] struct {
	// state is one of the states below.
	//
	// Writers: the feeder, from an ended element to ready; the one that begins the element, by
	// CAS from ready, and ends it.
	// Readers: everybody.
	// Pairs:   state passes on the fields below: to the one that begins the element, and to
	// the one that hands on its result. See also bell, and crew.
	state prim.Int32
	// Helpers hand context to f for the elements that come to this cell, unless it is nil.
	//
	// Writers: a helper that has begun the first of them.
	// Readers: helpers; the one that ends the elements above a failure.
	// Pairs:   a helper stores it, then reads failed of the stream; one that fails stores that,
	// then looks at the contexts of the elements above. So an element above does not begin, or
	// its context ends.
	context prim.Pointer[pieceContext]
	index   int64
	x       T
	r       R
	err     error
	value   *pool.PanicError // what f has panicked with
}

// The states of a cell.
const (
	cellEmpty    = iota
	cellReady    // has an element that nobody has begun
	cellOwned    // somebody is at it
	cellDone     // f has returned
	cellPanicked // f has panicked
	cellExited   // f has called Goexit
)

// A ring has the cells of the elements that were taken and not handed on: that of element i is
// at i modulo its length, a power of two. The cells of a ring never change; a larger ring has
// the same cells, and new ones.
type ring[T, R any] []*cell[T, R]

func (r ring[T, R]) at(i int64) *cell[T, R] { return r[i&int64(len(r)-1)] }

// grown returns a ring with room for twice as many as there are, which are those from lo on.
func (r ring[T, R]) grown(lo int64) ring[T, R] {
	to := make(ring[T, R], max(2*len(r), firstRing))
	more := make([]cell[T, R], len(to)-len(r))
	for i := range more {
		to[(lo+int64(len(r)+i))&int64(len(to)-1)] = &more[i]
	}
	for i := lo; i < lo+int64(len(r)); i++ {
		to[i&int64(len(to)-1)] = r.at(i)
	}
	return to
}

// firstRing is the length of the first ring: a stream of cheap elements needs no more.
const firstRing = 2
