package par

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"github.com/rouse-go/rouse/api/prim"
)

// Nth returns the element that s has at index k when it is sorted: Nth(s, 0) is the least.
// It leaves s as it is. See [NthFunc].
func Nth[S ~[]E, E cmp.Ordered](s S, k int, opts ...Option) E {
	return NthFunc(s, k, cmp.Compare[E], opts...)
}

// NthFunc returns the element that s has at index k when [SortFunc] has sorted it by cmp:
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
	x := nth(s, k, watched2(c.gauge, cmp), c.calling(len(s), 0, 1, 1, selectCalls(len(s), len(s) < selectLeast)))
	c.finished(len(s))
	return x
}

const (
	// selectLeast is how many elements are worth a sample. Fewer are sorted.
	selectLeast = 1 << 12
	// sampleSize is the size of the sample, and sampleSlack how far from the expected
	// place in it the two elements are: three standard deviations.
	sampleSize  = 1 << 10
	sampleSlack = 48
)

// selectCalls is about how often a selection compares, or a sort in its place.
func selectCalls(n int, sorts bool) int {
	if sorts {
		return n * bits.Len(uint(n))
	}
	return 2 * n
}

func nth[E any](s []E, k int, cmp func(a, b E) int, c config) E {
	for len(s) >= selectLeast {
		n := kindsOfAll(s, between(s, k, cmp, c), prim.Size(classBlock), cmp, c)
		p := &classPicks[E]{kindSort: n}
		for k >= n.ends[p.of] {
			p.first = n.ends[p.of]
			p.of++
		}
		k -= p.first
		if p.of%2 != 0 { // those of a kind are equal
			return s[p.index(k)]
		}
		p.to = uncleared[E](n.ends[p.of] - p.first)
		do(len(n.at), p, c)
		before := len(s)
		if s = p.to; len(s) > before/8*7 {
			break // cmp is no order
		}
	}
	s = slices.Clone(s)
	sortFunc(s, cmp, c)
	return s[k]
}

// between returns two elements between which the one of rank k is likely to be.
func between[E any](s []E, k int, cmp func(a, b E) int, c config) []E {
	sample := make([]E, sampleSize)
	for i := range sample {
		sample[i] = s[len(s)/sampleSize*i+len(s)%sampleSize*i/sampleSize]
	}
	sortFunc(sample, cmp, c)
	at := int(float64(k) / float64(len(s)) * sampleSize)
	return []E{sample[max(0, at-sampleSlack)], sample[min(at+sampleSlack, sampleSize-1)]}
}

// classBlock is how many elements are told apart as one.
const classBlock = 1 << 12

// A classPicks picks the elements of one class, in order. Which class each is of was noted, and is not
// asked for again, so that functions that contradict themselves do no harm.
type classPicks[E any] struct {
	*kindSort[E]
	of, first int // the class, and how many elements are of lower ones
	to        []E
}

func (p *classPicks[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		from, end := p.block(b)
		at := p.at[b][p.of] - p.first
		for i, class := range p.class[from:end] {
			if int(class) == p.of {
				p.to[at] = p.s[from+i]
				at++
			}
		}
	}
	return nil
}

// index returns the index of the element of which n of the same class are below.
func (p *classPicks[E]) index(n int) int {
	b := len(p.at) - 1
	for p.at[b][p.of]-p.first > n {
		b--
	}
	n -= p.at[b][p.of] - p.first
	i, _ := p.block(b)
	for ; n > 0 || int(p.class[i]) != p.of; i++ {
		if int(p.class[i]) == p.of {
			n--
		}
	}
	return i
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
	cmp = watched2(c.gauge, cmp)
	k = min(k, len(s))
	to := topK(s, k, func(a, b E) int { return cmp(b, a) }, c.calling(len(s), 0, 1, 1, selectCalls(len(s), k > len(s)/8)))
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
	sortFunc(best, cmp, c)
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
	sortChunk(s, buf[:len(s)], false, t.cmp)
	return s[:min(t.k, len(s))]
}
