package par

import (
	"cmp"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// Merge returns the elements of a and b in ascending order, in a new slice. Both are in
// ascending order themselves. Of equal elements, those of a come first. See [MergeFunc].
func Merge[S ~[]E, E cmp.Ordered](a, b S, opts ...Option) S {
	return MergeFunc(a, b, cmp.Compare[E], opts...)
}

// MergeFunc returns the elements of a and b in the order of cmp, in a new slice. Both are
// in this order themselves; if one is not, the order of the result is not specified. Of
// equal elements, those of a come first. The result is nil if both are.
//
// It calls cmp about len(a)+len(b) times. A worker merges 2048 elements of the result, one after
// the other. Besides the result it allocates a word for each 2048 elements. The work is split
// where the result is, at equal distances: "merge path" (Odeh, Green, Mwassi, Shmueli and Birk,
// 2012).
func MergeFunc[S ~[]E, E any](a, b S, cmp func(a, b E) int, opts ...Option) S {
	refuse("MergeFunc", 0, cmp == nil)
	var c config
	c.heeds(codeOf(cmp), opts)
	to := S(uncleared[E](len(a) + len(b)))
	g := &merging[E]{cmp: watched2(c.gauge, cmp), pairs: []pair[E]{{to, a, b}}}
	g.merge(c.calling(len(to), 0, 1, 1, len(to)))
	c.finished(len(to))
	if a == nil && b == nil {
		return nil
	}
	return to
}

// A pair is two ranges in order, and where they are merged to.
type pair[E any] struct{ to, a, b []E }

// mergeBlock is how many elements are merged as one.
const mergeBlock = 1 << 11

// A merging merges pairs, in blocks of the results. Where the blocks begin is computed
// once, before any element is moved, and made to ascend: so each element is in one block,
// even if cmp contradicts itself.
type merging[E any] struct {
	loop   *loop
	cmp    func(a, b E) int
	pairs  []pair[E]
	blocks int // of each pair, of which the last may be empty
	size   int // of a block
	// cuts has how many elements of a are below each block, for each pair and block, and
	// once more at the end of each pair.
	cuts []int
}

func (m *merging[E]) merge(c config) {
	m.blocks, m.size = 0, prim.Size(mergeBlock)
	c.loop = &m.loop
	for _, p := range m.pairs {
		m.blocks = max(m.blocks, (len(p.to)+m.size-1)/m.size)
	}
	m.cuts = slices.Grow(m.cuts[:0], len(m.pairs)*(m.blocks+1))[:len(m.pairs)*(m.blocks+1)]
	do(len(m.cuts), (*cutting[E])(m), c.further())
	for i := range m.pairs {
		m.ascend(i)
	}
	do(len(m.pairs)*m.blocks, (*blocksMerged[E])(m), c)
}

// ascend sees to it that the cuts of both sides of a pair ascend. They do, if cmp is an order.
func (m *merging[E]) ascend(i int) {
	p, cuts := m.pairs[i], m.cuts[i*(m.blocks+1):(i+1)*(m.blocks+1)]
	for q := 1; q < len(cuts); q++ {
		step := m.place(p, q) - m.place(p, q-1)
		cuts[q] = min(max(cuts[q], cuts[q-1]), cuts[q-1]+step)
	}
}

// place is where a block begins.
func (m *merging[E]) place(p pair[E], q int) int { return min(q*m.size, len(p.to)) }

// cutting computes the cuts.
type cutting[E any] merging[E]

func (m *cutting[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		p := m.pairs[i/(m.blocks+1)]
		m.cuts[i] = cut(p.a, p.b, (*merging[E])(m).place(p, i%(m.blocks+1)), m.cmp)
	}
	return nil
}

// cut returns how many of the lowest n elements are of a.
func cut[E any](a, b []E, n int, cmp func(a, b E) int) int {
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

// blocksMerged merges the blocks.
type blocksMerged[E any] merging[E]

func (m *blocksMerged[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		p, q := m.pairs[i/m.blocks], i%m.blocks
		at, end := (*merging[E])(m).place(p, q), (*merging[E])(m).place(p, q+1)
		cuts := m.cuts[i/m.blocks*(m.blocks+1)+q:]
		mergeTo(p.to[at:end], p.a[cuts[0]:cuts[1]], p.b[at-cuts[0]:end-cuts[1]], m.cmp)
	}
	return nil
}

// mergeTo merges a and b to dst, which has room for just these. Of equal elements, those of
// a come first. Of two sides of different lengths it looks for the place of each element of the
// shorter one. Long stretches of one side are found by galloping: Peters' timsort (2002), and
// McIlroy, "Optimistic sorting and information theoretic complexity" (1993).
func mergeTo[E any](dst, a, b []E, cmp func(a, b E) int) {
	if len(a) == 0 || len(b) == 0 || cmp(b[0], a[len(a)-1]) >= 0 {
		copy(dst, a)
		copy(dst[len(a):], b)
		return
	}
	for len(a) > 0 && len(a) < len(b)/shortPart {
		x := a[0]
		n := gallop(b, func(y E) bool { return cmp(y, x) < 0 })
		copy(dst, b[:n])
		dst[n] = x
		dst, a, b = dst[n+1:], a[1:], b[n:]
	}
	for len(b) > 0 && len(b) < len(a)/shortPart {
		x := b[0]
		n := gallop(a, func(y E) bool { return cmp(x, y) >= 0 })
		copy(dst, a[:n])
		dst[n] = x
		dst, a, b = dst[n+1:], a[n:], b[1:]
	}
	mergeEven(dst, a, b, cmp)
}

// mergeEven is mergeTo for two sides of about the same length. It compares the next element of one
// with those of the other until one is not before it, and then the other way around.
func mergeEven[E any](dst, a, b []E, cmp func(a, b E) int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		y, most := b[j], min(i+streak, len(a))
		for i < most && cmp(y, a[i]) >= 0 {
			dst[i+j] = a[i]
			i++
		}
		if i == most {
			n := gallop(a[i:], func(x E) bool { return cmp(y, x) >= 0 })
			copy(dst[i+j:], a[i:i+n])
			if i += n; i == len(a) {
				break
			}
		}
		x, most := a[i], min(j+streak, len(b))
		for { // y is before x
			dst[i+j] = y
			if j++; j == most {
				n := gallop(b[j:], func(y E) bool { return cmp(y, x) < 0 })
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
	copy(dst[i+j:], a[i:])
	copy(dst[i+j:], b[j:])
}

// shortPart is which part of the other side a side is less than that is inserted, element by
// element.
const shortPart = 8

// streak is how many elements in a row from one side make it likely that more follow.
const streak = 32

// gallop returns how many elements s begins with for which in is true, in steps that double
// and then in halves.
func gallop[E any](s []E, in func(E) bool) int {
	lo, step := 0, 1
	for lo+step <= len(s) && in(s[lo+step-1]) {
		lo += step
		step *= 2
	}
	hi := min(lo+step-1, len(s))
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if in(s[mid]) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
