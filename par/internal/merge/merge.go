// Package merge has the steps of a merge sort that one goroutine does alone.
//
// All are stable: of equal elements, those of the left side come first.
// All ask only whether one element is less than another one, so a comparison that says less, and else equal, is enough.
// Runs are found by galloping: Peters' timsort (2002), and McIlroy, "Optimistic sorting and information theoretic complexity" (1993).
// So two sides that hardly overlap cost little more than the copy of one of them.
//
// A merge copies what overlaps of the left side to a buffer, and then writes the slice from the left.
// It does not go back and forth between the two, as merge sorts often do: that would save a copy, which costs a tenth of the comparisons.
// But then half of the elements in order would move at each level, and after a panic nobody would know which place has them.
package merge

const (
	// leafMost is how many elements are sorted by insertion.
	leafMost = 16
	// fewest is for how many elements a buffer is made, at least.
	fewest = 1 << 10
)

// Sort sorts s. If cmp panics, s has all its elements. buf may be as long as s. If it is shorter, Sort
// makes another one when it needs more, and as much as it needs: nothing for elements that hardly move.
func Sort[E any](s, buf []E, cmp func(a, b E) int) {
	m := merger[E]{s: s, buf: buf, cmp: cmp}
	m.sort(0, len(s))
}

// Runs merges runs of s, each of which is in order. ends is where they end, and is overwritten. buf is as
// for Sort.
func Runs[E any](s, buf []E, ends []int, cmp func(a, b E) int) {
	m := merger[E]{s: s, buf: buf, cmp: cmp}
	for len(ends) > 1 {
		lo, n := 0, 0
		for i, hi := range ends {
			if i%2 != 0 {
				m.merge(lo, ends[i-1], hi)
			}
			if i%2 != 0 || i == len(ends)-1 {
				ends[n], lo = hi, hi
				n++
			}
		}
		ends = ends[:n]
	}
}

type merger[E any] struct {
	s, buf []E
	cmp    func(a, b E) int
}

func (m *merger[E]) sort(lo, hi int) {
	if hi-lo <= leafMost {
		Insert(m.s[lo:hi], m.cmp)
		return
	}
	mid := lo + max(1, (hi-lo)/leafMost/2)*leafMost // so what is swapped in pairs is not torn apart
	m.sort(lo, mid)
	m.sort(mid, hi)
	m.merge(lo, mid, hi)
}

// merge merges s[lo:mid] and s[mid:hi].
func (m *merger[E]) merge(lo, mid, hi int) {
	from, to := overlap(m.s[lo:hi], mid-lo, m.cmp)
	if from, to = lo+from, lo+to; from < to {
		n := mid - from
		if n > len(m.buf) {
			m.buf = make([]E, max(n, min(max(fewest, 4*n), len(m.s)/2)))
		}
		copy(m.buf, m.s[from:mid])
		if m.cmp(m.s[to-1], m.s[from]) < 0 { // the sides change places
			copy(m.s[from:], m.s[mid:to])
			copy(m.s[to-n:], m.buf[:n])
			return
		}
		To(m.s[from:to], m.buf[:n], m.s[mid:to], m.cmp)
	}
}

// Insert sorts a few elements. It moves one when it knows where to, so s has all of them if cmp panics.
func Insert[E any](s []E, cmp func(a, b E) int) {
	for i := 1; i < len(s); i++ {
		x, j := s[i], i
		for j > 0 && cmp(x, s[j-1]) < 0 {
			j--
		}
		if j < i {
			for k := i; k > j; k-- {
				s[k] = s[k-1]
			}
			s[j] = x
		}
	}
}

// overlap returns which elements move when s[:mid] and s[mid:] are merged: none, or s[lo:hi].
func overlap[E any](s []E, mid int, cmp func(a, b E) int) (lo, hi int) {
	if mid == 0 || mid == len(s) || cmp(s[mid], s[mid-1]) >= 0 {
		return mid, mid
	}
	lo, hi = notAfter(s[:mid], s[mid], cmp), len(s)
	if most := s[mid-1]; cmp(s[hi-1], most) >= 0 { // else all of them move
		hi = mid + before(s[mid:], most, cmp)
	}
	return lo, hi
}

// Cut returns how many of the lowest n elements of a and b are of a.
func Cut[E any](a, b []E, n int, cmp func(a, b E) int) int {
	lo, hi := max(0, n-len(b)), min(n, len(a))
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if cmp(b[n-mid-1], a[mid]) < 0 {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// streak is how many elements in a row from one side make it likely that more follow.
const streak = 8

// To merges a and b to dst, which has room for just these. dst lies elsewhere, or ends with b; then it has all
// elements also if cmp panics. To compares the next element of one side with those of the other until one is not
// before it, and then the other way around.
func To[E any](dst, a, b []E, cmp func(a, b E) int) {
	i, j := 0, 0
	defer func() { copy(dst[i+j:], a[i:]) }() // the rest of b is in place, or copied below
	for i < len(a) && j < len(b) {
		y, most := b[j], min(i+streak, len(a))
		for i < most && cmp(y, a[i]) >= 0 {
			dst[i+j] = a[i]
			i++
		}
		if i == most {
			n := notAfter(a[i:], y, cmp)
			copy(dst[i+j:], a[i:i+n])
			if i += n; i == len(a) {
				break
			}
		}
		x, most := a[i], min(j+streak, len(b))
		for { // y is before x
			dst[i+j] = y
			if j++; j == most {
				n := before(b[j:], x, cmp)
				copy(dst[i+j:], b[j:j+n])
				j += n
				break
			}
			if y = b[j]; cmp(y, x) >= 0 {
				dst[i+j] = x
				i++
				break
			}
		}
	}
	copy(dst[i+j:], b[j:])
}

// before returns how many elements of s, which is in order, come before x. It looks in steps that double, then in halves.
func before[E any](s []E, x E, cmp func(a, b E) int) int {
	lo, step := 0, 1
	for lo+step <= len(s) && cmp(s[lo+step-1], x) < 0 {
		lo += step
		step *= 2
	}
	for hi := min(lo+step-1, len(s)); lo < hi; {
		if mid := int(uint(lo+hi) / 2); cmp(s[mid], x) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// notAfter returns how many come before x or are equal.
func notAfter[E any](s []E, x E, cmp func(a, b E) int) int {
	lo, step := 0, 1
	for lo+step <= len(s) && cmp(x, s[lo+step-1]) >= 0 {
		lo += step
		step *= 2
	}
	for hi := min(lo+step-1, len(s)); lo < hi; {
		if mid := int(uint(lo+hi) / 2); cmp(x, s[mid]) >= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
