package par

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/merge"
)

// Nth returns the element that s has at index k when it is sorted: Nth(s, 0) is the least.
// It leaves s as it is. See [NthFunc].
func Nth[S ~[]E, E cmp.Ordered](s S, k int, opts ...Option) E {
	return NthFunc(s, k, cmp.Compare[E], opts...)
}

// NthFunc returns the element that s has at index k when [SortStableFunc] has sorted it by cmp:
// so it is always the same element, even among equal ones. It leaves s as it is. It panics if
// k is no index of s.
//
// It calls cmp about twice for each element, and allocates a byte for each, and room for
// about a tenth of the elements. It keeps the elements between two of a sorted sample: Floyd and
// Rivest, "Expected time bounds for selection" (1975). A worker compares 4096 elements, one after
// the other. Fewer elements, and those that a sample does not narrow down, are sorted, in a copy.
func NthFunc[S ~[]E, E any](s S, k int, cmp func(a, b E) int, opts ...Option) E {
	refuse("NthFunc", 0, cmp == nil)
	if k < 0 || k >= len(s) {
		panic("par: Nth of index " + strconv.Itoa(k) + " of " + strconv.Itoa(len(s)) + " elements")
	}
	var c config
	c.heeds(codeOf(cmp), opts)
	x := nth(s, k, cmp, c.stages(len(s), 2*len(s)))
	c.finished(len(s))
	return x
}

const (
	// selectLeast is how many elements are worth a sample. Fewer are sorted.
	selectLeast = 1 << 12
	// sampleSize is the size of the sample, and sampleSlack how far from the expected
	// place in it the two elements are: four standard deviations.
	sampleSize  = 1 << 10
	sampleSlack = 64
)

func nth[E any](s []E, k int, cmp func(a, b E) int, c config) E {
	for len(s) >= selectLeast {
		m := &middle[E]{cmp: cmp}
		all := m.over(s, c.over(len(s)))
		m.bound(k)
		do(m.blocks(), m, all)
		m.add()
		some := m.picked(false, all)
		k -= int(m.below.Load())
		if k < 0 || k >= len(some) || len(some) > len(s)/8*7 { // the sample shows little, or cmp is no order
			k += int(m.below.Load())
			break
		}
		s = some
	}
	s = slices.Clone(s)
	sortBy(s, cmp, true, c)
	return s[k]
}

// A middle marks elements between two of a sample, with these, by blocks, and counts the marks.
type middle[E any] struct {
	selection[E]
	cmp       func(a, b E) int
	low, high E
	// below is how many elements are less than low.
	//
	// Writers: a worker that has done a block.
	// Pairs:   none, it is a count.
	below prim.Int64
}

// bound sets the two, between which the element of rank k is likely to be.
func (m *middle[E]) bound(k int) {
	sample, n := make([]E, sampleSize), len(m.from)
	for i := range sample {
		sample[i] = m.from[n/sampleSize*i+n%sampleSize*i/sampleSize]
	}
	merge.Sort(sample, nil, m.cmp)
	at := int(float64(k) / float64(n) * sampleSize)
	m.low, m.high = sample[max(0, at-sampleSlack)], sample[min(at+sampleSlack, sampleSize-1)]
}

func (m *middle[E]) run(lo, hi int) error {
	for block := lo; block < hi; block++ {
		from, to := m.span(block)
		below := int64(0)
		for i := from; i < to; i++ {
			switch x := m.from[i]; {
			case m.cmp(x, m.low) < 0:
				m.marks[i] = 0
				below++
			default:
				m.marks[i] = bit(m.cmp(m.high, x) >= 0)
			}
		}
		m.below.Add(below)
		m.before[block+1] = ones(m.marks[from:to])
	}
	return nil
}

// TopK returns the k largest elements of s, or all if there are fewer, the largest first.
// It leaves s as it is. See [TopKFunc].
func TopK[S ~[]E, E cmp.Ordered](s S, k int, opts ...Option) S {
	return TopKFunc(s, k, cmp.Compare[E], opts...)
}

// TopKFunc returns the k largest elements of s by cmp, or all if there are fewer, the
// largest first. Of equal elements, the one with the lower index is chosen first, and comes
// first. For the least ones, the least first, exchange the arguments of cmp. It leaves s as
// it is. The result is nil if s is. It panics if k is negative.
//
// It calls cmp little more than once for each element, if k is small, and allocates room
// for k elements for each 8192 elements or 8·k. A worker looks at so many, one after the other.
// If k is more than an eighth of len(s), it sorts a copy.
func TopKFunc[S ~[]E, E any](s S, k int, cmp func(a, b E) int, opts ...Option) S {
	refuse("TopKFunc", 0, cmp == nil)
	if k < 0 {
		panic("par: TopK of " + strconv.Itoa(k) + " elements")
	}
	var c config
	c.heeds(codeOf(cmp), opts)
	k = min(k, len(s))
	to := topK(s, k, func(a, b E) int { return cmp(b, a) }, c.stages(len(s), len(s)))
	c.finished(len(s))
	return nilLike(s, to)
}

// topBlock is how many elements are looked at as one, at least.
const topBlock = 1 << 13

// topK returns the first k elements by cmp.
func topK[E any](s []E, k int, cmp func(a, b E) int, c config) []E {
	if k == 0 {
		return []E{}
	}
	best := s
	if k <= len(s)/8 {
		t := &tops[E]{s: s, k: k, cmp: cmp, size: max(topBlock, 8*k)}
		n := (len(s) + t.size - 1) / t.size
		t.best = make([][]E, n)
		do(n, t, c)
		best = slices.Concat(t.best...)
	} else {
		best = slices.Clone(s)
	}
	sortBy(best, cmp, true, c)
	to := make([]E, k)
	copy(to, best)
	return to
}

// tops finds the first k elements of each block.
type tops[E any] struct {
	s    []E
	k    int
	cmp  func(a, b E) int
	size int
	best [][]E
}

func (t *tops[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		t.best[b] = t.of(t.s[b*t.size : min((b+1)*t.size, len(t.s))])
	}
	return nil
}

// of collects the elements that come before the k-th so far, and sorts them from time
// to time to have the k-th.
func (t *tops[E]) of(s []E) []E {
	room := t.k + max(t.k, 64)
	best, buf := make([]E, 0, room), make([]E, room)
	for _, x := range s {
		if len(best) >= t.k && t.cmp(x, best[t.k-1]) >= 0 {
			continue
		}
		if best = append(best, x); len(best) == room || len(best) == t.k {
			best = t.first(best, buf)
		}
	}
	return t.first(best, buf)
}

func (t *tops[E]) first(s, buf []E) []E {
	merge.Sort(s, buf[:len(s)], t.cmp)
	return s[:min(t.k, len(s))]
}
