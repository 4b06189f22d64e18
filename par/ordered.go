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
	all := &c
	if c.gauge != nil {
		stage := c.stage(len(s), 0, 1, 1)
		all = &stage
	}
	return c.ends(len(s), ascendingOrdered(s, all) == len(s))
}

// ascendingOrdered returns how many elements s begins with that are in order.
func ascendingOrdered[E cmp.Ordered](s []E, c *config) int {
	few := min(prim.Size(orderedAlone), len(s))
	n := ascends(s[:few])
	if n < few || few == len(s) {
		return n
	}
	return reached(c.do(len(s)-few, ascendsOrdered[E](s[few-1:])), few, len(s))
}

// IsSortedFunc reports whether s is in ascending order by cmp. It calls cmp at most
// len(s)-1 times, and ends soon after the first element that is not in order.
//
// The caller compares the first 256 elements alone, and workers help with the others.
func IsSortedFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) bool {
	refuse("IsSortedFunc", 0, cmp == nil)
	var c config
	c.heeds(codeOf(cmp), opts)
	all := &c
	if c.gauge != nil {
		stage := c.calling(len(s), 0, 1, 1, len(s))
		all = &stage
	}
	return c.ends(len(s), ascending(s, watched2(c.gauge, cmp), all) == len(s))
}

// orderedAlone is how many elements are looked at before those that may be shared. It
// spares a small call an allocation.
const orderedAlone = 256

// ascending is ascendingOrdered by cmp.
func ascending[E any](s []E, cmp func(a, b E) int, c *config) int {
	few := min(prim.Size(orderedAlone), len(s))
	n := ascendsFunc(s[:few], cmp)
	if n < few || few == len(s) {
		return n
	}
	return reached(c.do(len(s)-few, &ascendsBy[E]{s[few-1:], cmp}), few, len(s))
}

// descends reports whether s is strictly in reverse.
func descends[E any](s []E, cmp func(a, b E) int, c config) bool {
	few := min(prim.Size(orderedAlone), len(s))
	return descendsFunc(s[:few], cmp) && (few == len(s) || do(len(s)-few, &descendsBy[E]{s[few-1:], cmp}, c) == nil)
}

// descendsAll is descends for ordered elements.
func descendsAll[E cmp.Ordered](s []E, c config) bool {
	few := min(prim.Size(orderedAlone), len(s)-1)
	return descendsOrdered[E](s).run(0, few) == nil && do(len(s)-1-few, descendsOrdered[E](s[few:]), c) == nil
}

// ascends returns how many elements s begins with that are in order. It looks from the lower
// end, so that the lowest element counts that is not in order, or for which cmp panics.
func ascends[E cmp.Ordered](s []E) int {
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

func ascendsFunc[E any](s []E, cmp func(a, b E) int) int {
	for i := 1; i < len(s); i++ {
		if cmp(s[i], s[i-1]) < 0 {
			return i
		}
	}
	return len(s)
}

func descendsFunc[E any](s []E, cmp func(a, b E) int) bool {
	for i := 1; i < len(s); i++ {
		if cmp(s[i], s[i-1]) >= 0 {
			return false
		}
	}
	return true
}

// A descent ends the loop: the index of an element that is not in order. Nobody sees it.
type descent int

func (descent) Error() string { return "par: not in order" }

// reached is how many of n elements are in order, from the result of a loop that has
// begun after few.
func reached(err error, few, n int) int {
	if at, ok := err.(descent); ok {
		return few + int(at)
	}
	return n
}

// ascendsOrdered fails where an element is less than the one before.
type ascendsOrdered[E cmp.Ordered] []E

func (s ascendsOrdered[E]) run(lo, hi int) error {
	if n := ascends(s[lo : hi+1]); n <= hi-lo {
		return descent(lo + n - 1)
	}
	return nil
}

// descendsOrdered fails where an element is not less than the one before.
type descendsOrdered[E cmp.Ordered] []E

func (s descendsOrdered[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		if !cmp.Less(s[i+1], s[i]) {
			return descent(i)
		}
	}
	return nil
}

type ascendsBy[E any] struct {
	s   []E
	cmp func(a, b E) int
}

func (a *ascendsBy[E]) run(lo, hi int) error {
	if n := ascendsFunc(a.s[lo:hi+1], a.cmp); n <= hi-lo {
		return descent(lo + n - 1)
	}
	return nil
}

// descendsBy fails where an element is not less than the one before.
type descendsBy[E any] ascendsBy[E]

func (d *descendsBy[E]) run(lo, hi int) error {
	if !descendsFunc(d.s[lo:hi+1], d.cmp) {
		return descent(lo)
	}
	return nil
}
