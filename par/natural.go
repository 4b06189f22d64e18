package par

import (
	"cmp"
	"reflect"
	"slices"
	"sort"

	"github.com/rouse-go/rouse/api/prim"
)

// Elements that are nearly in order need only a look and some merges. There are two such cases.
// They lie in few runs, which ascend or descend: two halves, an organ pipe, elements in order
// with a few appended. Or they ascend but for some strays: a few were swapped or changed. Others
// soon show that they are neither.

const (
	// runsMost is how many runs are merged, at most.
	runsMost = 16
	// runLeast is how long runs are, on the average, but for the first runsFew. They are runLong
	// where a radix sort is as quick as merges of shorter ones.
	runLeast = 32
	runLong  = 1 << 8
	runsFew  = 4
	// straysLeast is of how many elements strays are set apart. Runs between strays may be as
	// short as strayRun, on the average.
	straysLeast = 1 << 9
	strayRun    = 8
	// crossedLeast is how many elements show, at least, that they have crossed the middle, and
	// crossedMost at how many one looks.
	crossedLeast = 3
	crossedMost  = 8
	// fallsSample is how many elements show that nearly all are less than the ones before, and
	// fallsLeast how many of these are.
	fallsSample = 16
	fallsLeast  = 14
	// straysFew is how many strays there may be, beside some part of the elements.
	straysFew = 16
	// strayLook is at how many neighbours of a descent one looks to tell a stray.
	strayLook = 4
)

// An order is a comparison, with steps that can be done faster than by calls of it.
type order[E any] struct {
	cmp func(a, b E) int
	// ascends returns how many elements s begins with that ascend, and run the same; but if they
	// descend, it reverses them, equal ones excepted.
	ascends, run func(s []E) int
	// gather has the elements first that are equal to x, and then the others, and returns how
	// many are equal, and how many it has looked at: all, unless buf has no room for the others.
	gather func(s []E, x E, buf []E) (equal, at int)
	// strays says that one element of so many may be a stray. To move numbers among others costs
	// as much as to sort them.
	strays int
	// uncross is nil where it would show that it is not stable.
	uncross func([]E) int
}

// naturalFunc sorts s if it is nearly in order, and reports whether it did. If it did not,
// some elements may have moved, but none past its equal. The first known elements are in order.
// It sorts strays by sort.
func naturalFunc[E any](s []E, known int, cmp func(a, b E) int, sort func([]E)) bool {
	return natural(s, known, true, order[E]{
		cmp:     cmp,
		ascends: func(s []E) int { return ascendsFunc(s, cmp) },
		run:     func(s []E) int { return runFunc(s, cmp) },
		gather:  func(s []E, x E, buf []E) (int, int) { return gatherFunc(s, x, buf, cmp) },
		strays:  8,
	}, sort)
}

// naturalOrdered is the same by cmp, which is the order of E. Unless all may move, it leaves runs that
// are short, or if more than a quarter of the elements would move.
func naturalOrdered[E cmp.Ordered](s []E, known int, all bool, cmp func(a, b E) int, sort func([]E)) bool {
	by := order[E]{cmp: cmp, ascends: ascends[E], run: runOrdered[E], gather: gatherOrdered[E], strays: 32}
	switch reflect.TypeFor[E]().Kind() {
	case reflect.String:
		by.strays, by.uncross = 8, uncross[E]
	case reflect.Float32, reflect.Float64:
	default:
		by.uncross = uncross[E]
	}
	if by.uncross != nil && known < 2 && len(s) >= straysLeast && mostlyFalls(s) {
		slices.Reverse(s)
		known = 0
	}
	return natural(s, known, all, by, sort)
}

// mostlyFalls reports whether nearly all of a sample of s are less than the ones before.
func mostlyFalls[E cmp.Ordered](s []E) bool {
	if s[1] >= s[0] {
		return false // elements in order have no sample
	}
	falls := 0
	for i := range fallsSample {
		if at := int(uint64(i) * uint64(len(s)-1) / fallsSample); s[at+1] < s[at] {
			falls++
		}
	}
	return falls >= fallsLeast
}

func natural[E any](s []E, known int, all bool, by order[E], sort func([]E)) bool {
	if known == 0 {
		known = by.run(s)
	}
	if known < len(s) && len(s) >= straysLeast {
		if x, room := mostOf(s, by.cmp); room > 0 {
			return mostly(s, x, room, by, sort)
		}
	}
	if by.uncross != nil && len(s) >= straysLeast && crossed(s, known, by) {
		if known = by.uncross(s); known == len(s) {
			return true
		}
	}
	ends, n, at := runsOf(s, known, by.run)
	switch {
	case at == len(s) && n <= prim.Size(runsFew)+at/runLeast &&
		(all || n <= prim.Size(runsFew)+at/runLong && moved(s, ends[:n], by.cmp) <= len(s)/4):
		mergeRuns(s, ends[:n], by.cmp)
		return true
	case len(s) < straysLeast || n > prim.Size(runsFew)+at/strayRun:
		return false
	default:
		return butForStrays(s, ends[0], by, sort)
	}
}

// crossed reports whether s seems to ascend but for elements that have changed places with others
// on the other side of the middle: the first ones that are out of order have.
func crossed[E any](s []E, known int, by order[E]) bool {
	middle, n := s[len(s)/2], 0
	for at := known; at < len(s)/2 && n < crossedMost; at += by.ascends(s[at : len(s)/2]) {
		n++
		if at < 2 || by.cmp(s[at], s[at-2]) < 0 || by.cmp(middle, s[at]) < 0 || by.cmp(middle, s[at-1]) >= 0 {
			return false
		}
	}
	return n >= crossedLeast
}

// uncross exchanges elements that are on the wrong side of the middle, from the ends on: the first
// pass of a quicksort (Hoare, 1961). That is not stable. It returns how many elements s begins with
// that ascend then.
func uncross[E cmp.Ordered](s []E) int {
	middle := s[len(s)/2]
	for i, j := 0, len(s)-1; ; i, j = i+1, j-1 {
		for s[i] < middle {
			i++
		}
		for middle < s[j] {
			j--
		}
		if i >= j {
			return ascends(s)
		}
		s[i], s[j] = s[j], s[i]
	}
}

// runsOf returns where the runs end that s begins with, and how many there are, and how many
// elements they have: all, unless they are too many or too short. run makes a run of how s begins,
// and returns its length. The first known elements are one.
func runsOf[E any](s []E, known int, run func([]E) int) (ends [runsMost]int, n, at int) {
	least := runLeast
	if len(s) >= straysLeast {
		least = strayRun
	}
	ends[0], n, at = known, 1, known
	for at < len(s) && n < runsMost && n <= prim.Size(runsFew)+at/least {
		at += run(s[at:])
		ends[n] = at
		n++
	}
	return ends, n, at
}

// moved returns about how many elements a merge of runs moves.
func moved[E any](s []E, ends []int, cmp func(a, b E) int) (all int) {
	lo := 0
	for i := 1; i < len(ends); i++ {
		mid := ends[i-1]
		from, to := overlap(s[lo:ends[i]], mid-lo, cmp)
		all += min(to-from, shortPart*(lo+to-mid), shortPart*(mid-lo-from))
		lo = mid
	}
	return all
}

// runFunc returns how many elements s begins with that ascend. If they descend, it reverses them,
// but for equal ones.
func runFunc[E any](s []E, cmp func(a, b E) int) int {
	n := ascendsFunc(s, cmp)
	if n == len(s) || n > 1 && cmp(s[0], s[n-1]) < 0 {
		return n
	}
	c, equal := -1, 0 // s[equal:n] are
	for c < 0 && n < len(s) {
		slices.Reverse(s[equal:n])
		for n++; n < len(s); n++ {
			if c = cmp(s[n], s[n-1]); c >= 0 {
				break
			}
		}
		for equal = n - 1; c == 0 && n < len(s); {
			if n++; n < len(s) {
				c = cmp(s[n], s[n-1])
			}
		}
		if n-equal > 1 && cmp(s[equal], s[n-1]) < 0 { // cmp never says greater
			n, c = equal+1, 0
		}
	}
	slices.Reverse(s[equal:n])
	slices.Reverse(s[:n])
	return n
}

// runOrdered is the same by the order of E.
func runOrdered[E cmp.Ordered](s []E) int {
	n := ascends(s)
	if n == len(s) || cmp.Less(s[0], s[n-1]) {
		return n
	}
	for equal := 0; equal < n; { // s[equal:n] are
		slices.Reverse(s[equal:n])
		for n < len(s) && cmp.Less(s[n], s[n-1]) {
			n++
		}
		equal = n
		for n < len(s) && !cmp.Less(s[n-1], s[n]) && !cmp.Less(s[n], s[n-1]) {
			n++
		}
		if equal < n {
			equal--
		}
	}
	slices.Reverse(s[:n])
	return n
}

// mergeRuns merges neighbours until one run is left. ends are where they end.
func mergeRuns[E any](s []E, ends []int, cmp func(a, b E) int) {
	for len(ends) > 1 {
		lo, n := 0, 0
		for ; n < len(ends)/2; n++ {
			mid, hi := ends[2*n], ends[2*n+1]
			meld(s[lo:hi], mid-lo, cmp)
			ends[n], lo = hi, hi
		}
		if len(ends)%2 != 0 {
			ends[n] = len(s)
			n++
		}
		ends = ends[:n]
	}
}

// overlap returns which elements move when s[:mid] and s[mid:], which are in order, are merged.
func overlap[E any](s []E, mid int, cmp func(a, b E) int) (lo, hi int) {
	if mid == 0 || mid == len(s) {
		return mid, mid
	}
	low, high := s[mid], s[mid-1]
	if cmp(low, high) >= 0 {
		return mid, mid
	}
	lo = gallop(s[:mid], func(x E) bool { return cmp(low, x) >= 0 })
	hi = gallop(s[mid:], func(x E) bool { return cmp(x, high) < 0 })
	return lo, mid + hi
}

// meld merges s[:mid] and s[mid:], which are in order, in place. If cmp panics, s has all
// elements.
func meld[E any](s []E, mid int, cmp func(a, b E) int) {
	lo, hi := overlap(s, mid, cmp)
	s, mid = s[lo:hi], mid-lo
	switch n := len(s) - mid; {
	case n < mid/shortPart:
		buf, loan := borrow[E](n)
		copy(buf, s[mid:])
		insertLast(s, buf, cmp)
		giveBack(buf, loan)
	case mid < n/shortPart:
		buf, loan := borrow[E](mid)
		copy(buf, s)
		insertFirst(s, buf, cmp)
		giveBack(buf, loan)
	default:
		buf, loan := borrow[E](len(s))
		mergeTo(buf, s[:mid], s[mid:], cmp)
		copy(s, buf)
		giveBack(buf, loan)
	}
}

// insertLast merges some elements, which are in order, into s, which has room for them at the
// end. It begins with the last one, and looks for the place of each from where the one before
// went.
func insertLast[E any](s, some []E, cmp func(a, b E) int) {
	at := len(s) - len(some)
	defer func() { copy(s[at:], some) }() // if cmp panics
	for len(some) > 0 {
		last := len(some) - 1
		x, step := some[last], 1
		for step < at && cmp(x, s[at-step]) < 0 {
			step *= 2
		}
		from := max(0, at-step)
		i := from + sort.Search(at-from, func(i int) bool { return cmp(x, s[from+i]) < 0 })
		copy(s[i+last+1:], s[i:at])
		s[i+last] = x
		at, some = i, some[:last]
	}
}

// insertFirst is the same for elements that come before those of s, which has room for them at
// the beginning.
func insertFirst[E any](s, some []E, cmp func(a, b E) int) {
	defer func() { copy(s, some) }() // if cmp panics
	for len(some) > 0 {
		x, rest := some[0], s[len(some):]
		n := gallop(rest, func(y E) bool { return cmp(y, x) < 0 })
		copy(s, rest[:n])
		s[n] = x
		s, some = s[n+1:], some[1:]
	}
}
