package par

import (
	"cmp"
	"slices"
	"sort"
)

// What lies in runs, which ascend or strictly descend, needs only a look and some merges:
// elements in order with a few appended, two halves, an organ pipe. Other elements show soon
// that they do not.

const (
	// runsMost is how many runs are merged, at most.
	runsMost = 16
	// runLeast is how long runs are, on the average, but for the first runsFew.
	runLeast = 32
	runsFew  = 4
)

// naturalFunc sorts s if it consists of few runs, and reports whether it did. If it did not,
// some elements may have moved, but none past its equal.
func naturalFunc[E any](s []E, cmp func(a, b E) int) bool {
	ends, n := runsOf(s, func(s []E) int { return runFunc(s, cmp) })
	if n < 0 {
		return false
	}
	mergeRuns(s, ends[:n], cmp)
	return true
}

// runsOf returns where the runs end that s consists of, and how many there are, or -1 if they
// are too many. run makes a run of how s begins, and returns its length.
func runsOf[E any](s []E, run func([]E) int) (ends [runsMost]int, n int) {
	for at := 0; at < len(s); n++ {
		if n == runsMost || n > runsFew+at/runLeast {
			return ends, -1
		}
		at += run(s[at:])
		ends[n] = at
	}
	return ends, n
}

// naturalOrdered is the same by the order of E. It leaves runs of which more than most elements
// overlap to a radix sort.
func naturalOrdered[E cmp.Ordered](s []E, most int) bool {
	ends, n := runsOf(s, runOrdered[E])
	if n < 0 {
		return false
	}
	moved, lo := 0, 0
	for i := 1; i < n; i++ {
		mid := ends[i-1]
		from, to := overlap(s[lo:ends[i]], mid-lo, cmp.Compare)
		moved += min(to-from, shortPart*(lo+to-mid), shortPart*(mid-lo-from))
		lo = mid
	}
	if moved > most {
		return false
	}
	mergeRuns(s, ends[:n], cmp.Compare)
	return true
}

// runFunc returns how many elements s begins with that ascend. If they strictly descend, it
// reverses them.
func runFunc[E any](s []E, cmp func(a, b E) int) int {
	n := 1
	if len(s) > 1 && cmp(s[1], s[0]) < 0 {
		for n = 2; n < len(s) && cmp(s[n], s[n-1]) < 0; n++ {
		}
		slices.Reverse(s[:n])
		return n
	}
	for n = min(2, len(s)); n < len(s) && cmp(s[n], s[n-1]) >= 0; n++ {
	}
	return n
}

// runOrdered is runFunc by the order of E.
func runOrdered[E cmp.Ordered](s []E) int {
	n := ascends(s)
	if n == 1 && len(s) > 1 {
		for n = 2; n < len(s) && cmp.Less(s[n], s[n-1]); n++ {
		}
		slices.Reverse(s[:n])
	}
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
	if n := len(s) - mid; n < mid/shortPart {
		buf, loan := borrow[E](n)
		copy(buf, s[mid:])
		insertAll(s, buf, cmp)
		giveBack(buf, loan)
		return
	}
	buf, loan := borrow[E](len(s))
	mergeTo(buf, s[:mid], s[mid:], cmp)
	copy(s, buf)
	giveBack(buf, loan)
}

// insertAll merges elements, which are in order, into s, which has room for them at the end.
func insertAll[E any](s, some []E, cmp func(a, b E) int) {
	at := len(s) - len(some)
	defer func() { copy(s[at:], some) }() // if cmp panics
	for len(some) > 0 {
		last := len(some) - 1
		x := some[last]
		i := sort.Search(at, func(i int) bool { return cmp(x, s[i]) < 0 })
		copy(s[i+last+1:], s[i:at])
		s[i+last] = x
		at, some = i, some[:last]
	}
}
