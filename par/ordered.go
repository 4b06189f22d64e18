package par

import (
	"cmp"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
)

// IsSorted reports whether s is in ascending order, as [slices.IsSorted] does. It ends soon
// after the first element that is not.
func IsSorted[S ~[]E, E cmp.Ordered](s S, opts ...Option) bool {
	c := configured(opts)
	sorted := isOrdered(s, c.stage(len(s), 0, 1, 1))
	if sorted {
		c.finished(len(s))
	}
	return sorted
}

func isOrdered[E cmp.Ordered](s []E, c config) bool {
	few := min(prim.Size(orderedAlone), len(s))
	return ascends(s[:few]) && (few == len(s) || do(len(s)-few, ascending[E](s[few-1:]), c) == nil)
}

// IsSortedFunc reports whether s is in ascending order by cmp. It calls cmp at most
// len(s)-1 times, and ends soon after the first element that is not in order.
func IsSortedFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) bool {
	refuse("IsSortedFunc", 0, cmp == nil)
	c := configured(opts)
	sorted := isSorted(s, watched2(c.gauge, cmp), c.calling(len(s), 0, 1, 1, len(s)))
	if sorted {
		c.finished(len(s))
	}
	return sorted
}

// orderedAlone is how many elements are looked at before those that may be shared. It
// spares a small call an allocation.
const orderedAlone = 256

func isSorted[E any](s []E, cmp func(a, b E) int, c config) bool {
	few := min(prim.Size(orderedAlone), len(s))
	if !ascendsFunc(s[:few], cmp) {
		return false
	}
	return few == len(s) || do(len(s)-few, &ascendingFunc[E]{s[few-1:], cmp}, c) == nil
}

// ascends looks from the lower end, so that the lowest element that is not in order, or for
// which cmp panics, is what counts.
func ascends[E cmp.Ordered](s []E) bool {
	for i := 1; i < len(s); i++ {
		if cmp.Less(s[i], s[i-1]) {
			return false
		}
	}
	return true
}

func ascendsFunc[E any](s []E, cmp func(a, b E) int) bool {
	for i := 1; i < len(s); i++ {
		if cmp(s[i], s[i-1]) < 0 {
			return false
		}
	}
	return true
}

// errDescends ends the loop. Nobody sees it.
var errDescends = errors.New("par: not in order")

// ascending fails where an element is less than the one before.
type ascending[E cmp.Ordered] []E

func (s ascending[E]) run(lo, hi int) error {
	if !ascends(s[lo : hi+1]) {
		return errDescends
	}
	return nil
}

type ascendingFunc[E any] struct {
	s   []E
	cmp func(a, b E) int
}

func (a *ascendingFunc[E]) run(lo, hi int) error {
	if !ascendsFunc(a.s[lo:hi+1], a.cmp) {
		return errDescends
	}
	return nil
}
