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
	mergeAll(to, a, b, cmp, c.stages(len(to), 2*len(to)))
	c.finished(len(to))
	if a == nil && b == nil {
		return nil
	}
	return to
}

// mergeBlock is how many elements are merged as one.
const mergeBlock = 1 << 11

// mergeAll merges in blocks of the result. Where the blocks begin in a is computed before any element
// is moved, and made to ascend: so each element is in one block, even if cmp contradicts itself.
func mergeAll[E any](to, a, b []E, cmp func(a, b E) int, c config) {
	size := prim.Size(mergeBlock)
	if len(to) <= size {
		merge.To(to, a, b, cmp)
		return
	}
	n := partsOf(len(to), size)
	place := func(block int) int { return min(block*size, len(to)) }
	cuts := make([]int, n+1)
	spread(n, func(i, end int) {
		for ; i < end; i++ {
			cuts[i+1] = merge.Cut(a, b, place(i+1), cmp)
		}
	}, c.further())
	for i := range n { // they ascend, if cmp is an order
		cuts[i+1] = min(max(cuts[i+1], cuts[i]), cuts[i]+place(i+1)-place(i))
	}
	spread(n, func(i, end int) {
		for ; i < end; i++ {
			at, end := place(i), place(i+1)
			merge.To(to[at:end], a[cuts[i]:cuts[i+1]], b[at-cuts[i]:end-cuts[i+1]], cmp)
		}
	}, c)
}
