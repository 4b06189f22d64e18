package par

import (
	"cmp"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/merge"
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
	c := configured(codeOf(cmp), opts)
	to := S(uncleared[E](len(a) + len(b)))
	m := mergingOf([]pair[E]{{to, a, b}}, watched2(c.gauge, cmp))
	m.merge(c.calling(len(to), 0, 1, 1, len(to)))
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

// A merging merges pairs, in blocks of the results.
type merging[E any] struct {
	cmp    func(a, b E) int
	pairs  []pair[E]
	blocks int // of each pair, of which the last may be empty
}

func mergingOf[E any](pairs []pair[E], cmp func(a, b E) int) *merging[E] {
	m := &merging[E]{cmp: cmp, pairs: pairs}
	for _, p := range pairs {
		m.blocks = max(m.blocks, partsOf(len(p.to), prim.Size(mergeBlock)))
	}
	return m
}

// place is where a block begins, or the last one ends.
func (m *merging[E]) place(p pair[E], block int) int {
	return min(block*prim.Size(mergeBlock), len(p.to))
}

// each calls f with each block of each pair.
func (m *merging[E]) each(f func(pair, block int), c config) {
	spread(len(m.pairs)*m.blocks, func(i, end int) {
		for ; i < end; i++ {
			f(i/m.blocks, i%m.blocks)
		}
	}, c)
}

// merge merges all pairs. Where the blocks begin in a is computed before any element is moved, and
// made to ascend: so each element is in one block, even if cmp contradicts itself.
func (m *merging[E]) merge(c config) {
	cuts := make([]int, len(m.pairs)*(m.blocks+1))
	of := func(pair int) []int { return cuts[pair*(m.blocks+1) : (pair+1)*(m.blocks+1)] }
	m.each(func(i, block int) {
		p := m.pairs[i]
		of(i)[block+1] = merge.Cut(p.a, p.b, m.place(p, block+1), m.cmp)
	}, c.further())
	for i, p := range m.pairs { // they ascend, if cmp is an order
		cuts := of(i)
		for block := range m.blocks {
			size := m.place(p, block+1) - m.place(p, block)
			cuts[block+1] = min(max(cuts[block+1], cuts[block]), cuts[block]+size)
		}
	}
	m.each(func(i, block int) {
		p, cuts := m.pairs[i], of(i)[block:]
		at, end := m.place(p, block), m.place(p, block+1)
		merge.To(p.to[at:end], p.a[cuts[0]:cuts[1]], p.b[at-cuts[0]:end-cuts[1]], m.cmp)
	}, c)
}
