package par

import (
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/radix"
)

// spread calls f with ranges of the indices 0 to n-1. The pool notes by where the code of f begins,
// and that of the user's function, whether such loops are short.
func spread(n int, f func(lo, hi int), c config) {
	c.code = c.code*31 + codeOf(f)
	do(n, ranges(f), c)
}

// steps returns the loop for a sort by keys.
func (c config) steps() radix.Loop {
	return func(step radix.Step, count int, f func(lo, hi int)) {
		one := c.further()
		if step == radix.Other { // over some elements again, and nobody knows how often
			one = one.over(1)
		}
		one.code = codeOf(f) + uintptr(step)
		do(count, ranges(f), one)
	}
}

// copyAll copies src to dst, of the same length, in parallel.
func copyAll[E any](dst, src []E, c config) {
	spread(len(src), func(lo, hi int) { copy(dst[lo:hi], src[lo:hi]) }, c)
}

// reverseAll reverses s in parallel, unless it has few elements.
func reverseAll[E any](s []E, few int, c config) {
	if len(s) <= prim.Size(few) {
		slices.Reverse(s)
		return
	}
	spread(len(s)/2, func(lo, hi int) {
		for i, j := lo, len(s)-1-lo; i < hi; i, j = i+1, j-1 {
			s[i], s[j] = s[j], s[i]
		}
	}, c)
}
