package par

import (
	"cmp"

	"github.com/rouse-go/rouse/api/prim"
)

// IsSorted reports whether s is in ascending order, as [slices.IsSorted] does. It ends soon
// after the first element that is not.
func IsSorted[S ~[]E, E cmp.Ordered](s S, opts ...Option) bool {
	var c config
	c.heeds(0, opts)
	all := c.stages(len(s), len(s))
	few := s[:min(prim.Size(orderedAlone), len(s))] // a small call needs no function
	if n := rises(few); n < len(few) || n == len(s) {
		return c.ends(len(s), n == len(s))
	}
	return c.ends(len(s), reached(all.do(len(s)-len(few), rising[E](s[len(few)-1:])), len(s), len(few)) == len(s))
}

// IsSortedFunc reports whether s is in ascending order by cmp. It calls cmp at most
// len(s)-1 times, and ends soon after the first element that is not in order.
//
// The caller compares the first 256 elements alone, and workers help with the others.
func IsSortedFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) bool {
	refuse("IsSortedFunc", 0, cmp == nil)
	var c config
	c.heeds(codeOf(cmp), opts)
	all := c.stages(len(s), len(s))
	few := s[:min(prim.Size(orderedAlone), len(s))]
	if n := risesFunc(few, cmp); n < len(few) || n == len(s) {
		return c.ends(len(s), n == len(s))
	}
	return c.ends(len(s), reached(all.do(len(s)-len(few), &risingFunc[E]{s[len(few)-1:], cmp}), len(s), len(few)) == len(s))
}

// orderedAlone is how many elements are looked at before those that may be shared. It
// spares a small call an allocation.
const orderedAlone = 256

// reach returns how many elements s begins with that are in an order, if the first few are. of returns
// the same of a part of s; it looks from the lower end, so that the lowest element counts that is not
// in order, or for which a comparison panics.
func reach[E any](s []E, few int, of func([]E) int, c *config) int {
	return reached(c.do(len(s)-few, &reaching[E]{s[few-1:], of}), len(s), few)
}

// reached returns the same from the result of a loop over the others.
func reached(err error, n, few int) int {
	if at, ok := err.(descent); ok {
		return few + int(at)
	}
	return n
}

// A descent ends the loop: the index of an element that is not in order. Nobody sees it.
type descent int

func (descent) Error() string { return "par: not in order" }

// A reaching fails where an element is not in order with the one before.
type reaching[E any] struct {
	s  []E
	of func([]E) int
}

func (r *reaching[E]) run(lo, hi int) error { return descentIn(r.of(r.s[lo:hi+1]), lo, hi) }

// rising and risingFunc are the same without a function, which would be one object more.
type rising[E cmp.Ordered] []E

func (s rising[E]) run(lo, hi int) error { return descentIn(rises(s[lo:hi+1]), lo, hi) }

type risingFunc[E any] struct {
	s   []E
	cmp func(a, b E) int
}

func (r *risingFunc[E]) run(lo, hi int) error {
	return descentIn(risesFunc(r.s[lo:hi+1], r.cmp), lo, hi)
}

// descentIn returns a descent if n elements from lo on are in order, and these are not all.
func descentIn(n, lo, hi int) error {
	if n <= hi-lo {
		return descent(lo + n - 1)
	}
	return nil
}

// rises returns how many elements s begins with that ascend.
func rises[E cmp.Ordered](s []E) int {
	if len(s) == 0 {
		return 0
	}
	last := s[0]
	for i, x := range s {
		if !(x >= last) && cmp.Less(x, last) { // the second look is for NaNs
			return i
		}
		last = x
	}
	return len(s)
}

// falls returns how many elements s begins with of which none is more than the one before.
func falls[E cmp.Ordered](s []E) int {
	for i := 1; i < len(s); i++ {
		if cmp.Less(s[i-1], s[i]) {
			return i
		}
	}
	return len(s)
}

// risesFunc and fallsFunc are the same by a comparison.
func risesFunc[E any](s []E, cmp func(a, b E) int) int {
	for i := 1; i < len(s); i++ {
		if cmp(s[i], s[i-1]) < 0 {
			return i
		}
	}
	return len(s)
}

func fallsFunc[E any](s []E, cmp func(a, b E) int) int {
	for i := 1; i < len(s); i++ {
		if cmp(s[i-1], s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

// strictlyFalls is fallsFunc for elements that a stable sort may reverse: no two of them are equal.
func strictlyFalls[E any](s []E, cmp func(a, b E) int) int {
	for i := 1; i < len(s); i++ {
		if cmp(s[i], s[i-1]) >= 0 {
			return i
		}
	}
	return len(s)
}
