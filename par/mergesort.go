package par

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/merge"
)

// An order is how elements are compared, and how one goroutine sorts some.
//
// All sorts begin alike: elements in order need only a look, and a sample of pairs shows whether the
// others are mixed. If they are, and have a key, they are sorted by that. All others are cut into
// chunks, which leaf sorts, and which are merged then. The cut depends on their number alone. So the
// result depends on the elements alone, though leaf need not be stable.
//
// Package slices has the leaves, so a sort is quick with what it is quick with; and merges skip what
// is in order. There are no further ways for inputs of one kind or another: each would have to be
// told from all others, and the price of that is paid by all.
type order[E any] struct {
	cmp func(a, b E) int
	// look is how many elements the caller looks at before others help.
	look int
	// rise and fall return how many elements s begins with that ascend, or strictly descend.
	rise, fall func(s []E) int
	// leaf sorts s. It may use buf, which is as long. If a comparison panics, s has all elements.
	leaf func(s, buf []E)
}

// ordered is the order of numbers or strings.
func ordered[E cmp.Ordered]() order[E] {
	return order[E]{cmp.Compare[E], leafMost, rises[E], falls[E], func(s, _ []E) { slices.Sort(s) }}
}

// orderBy is that of a comparison.
func orderBy[E any](cmp func(a, b E) int, stable bool) *order[E] {
	o := &order[E]{cmp, orderedAlone, risesBy(cmp), fallsBy(cmp), func(s, _ []E) { slices.SortFunc(s, cmp) }}
	if stable {
		o.leaf = func(s, buf []E) { merge.Sort(s, buf, cmp) }
	}
	return o
}

const (
	// samplePairs is how many pairs of elements show whether they are mixed, and sampleStep how far
	// apart the two of a pair are: elements that are only a few places off are not mixed.
	samplePairs = 64
	sampleStep  = 16
	// leafMost is how many elements that are not mixed one goroutine sorts alone: most of them are
	// sorted sooner than others have come.
	leafMost = 1 << 15
	// chunkLeast bounds the number of chunks: its square is at most one for so many elements.
	chunkLeast = 1 << 9
)

// sort sorts s if it is in order, or in reverse, or if it is not mixed, and reports whether it did.
func (o *order[E]) sort(s []E, c config) bool {
	further := c.further()
	switch n := reach(s, o.look, o.rise, &further); {
	case n == len(s):
		return true
	case n == 1 && reach(s, o.look, o.fall, &further) == len(s):
		reverseAll(s, o.look, further)
		return true
	case o.mixed(s):
		return false
	case len(s) <= prim.Size(leafMost):
		o.leaf(s, nil)
		return true
	}
	o.mergeSort(s, c)
	return true
}

// mixed reports whether a sample of pairs is as one of random elements: at least a quarter are in
// order, and a quarter are not, and few are equal. The pairs lie where a generator of random numbers
// says, so that they do not follow a pattern of s.
func (o *order[E]) mixed(s []E) bool {
	step := min(sampleStep, len(s)-1)
	random, up, down := uint64(0), 0, 0
	for range samplePairs {
		random = random*6364136223846793005 + 1442695040888963407
		at, _ := bits.Mul64(random, uint64(len(s)-step))
		switch c := o.cmp(s[int(at)+step], s[at]); {
		case c < 0:
			down++
		case c > 0:
			up++
		}
	}
	return min(up, down) >= samplePairs/4 && up+down >= samplePairs-samplePairs/5
}

// chunks returns into how many chunks n elements are cut, a power of two: about as many as each then
// has hundreds. So a chunk of few elements has a few thousand, and the number of levels stays small.
func chunks(n int) int {
	all := 1
	for 4*all*all <= n/prim.Size(chunkLeast) {
		all *= 2
	}
	return all
}

// mergeSort sorts chunks, each by one worker, and then merges neighbours until one is left, each two
// of them by several workers.
func (o *order[E]) mergeSort(s []E, c config) {
	buf, n := uncleared[E](len(s)), chunks(len(s))
	bound := func(chunk int) int { return len(s)/n*chunk + len(s)%n*chunk/n }
	// A chunk costs a merge for each time that it could be halved.
	done, all := bits.Len(uint(len(s)/n)), bits.Len(uint(len(s)))
	spread(n, func(i, end int) {
		for ; i < end; i++ {
			lo, hi := bound(i), bound(i+1)
			o.leaf(s[lo:hi], buf[lo:hi])
		}
	}, c.stage(len(s), 0, done, all))
	for ; n > 1; n /= 2 {
		var pairs []pair[E]
		for i := 0; i < n; i += 2 {
			lo, mid := bound(i), bound(i+1)
			from, to := merge.Overlap(s[lo:bound(i+2)], mid-lo, o.cmp)
			if from, to = lo+from, lo+to; from < to {
				pairs = append(pairs, pair[E]{s[from:to], buf[from:mid], buf[mid:to]})
			}
		}
		o.mergeBack(pairs, c.stage(len(s), done, done+1, all))
		done++
	}
}

// mergeBack merges pairs, of which both sides lie one after the other where they are to be merged to.
// It copies them to where the pair says that they are. If a comparison panics, it copies them back.
func (o *order[E]) mergeBack(pairs []pair[E], c config) {
	m := mergingOf(pairs, o.cmp)
	both := func(p pair[E]) []E { return p.a[:len(p.to)] }
	m.each(func(i, block int) {
		p := pairs[i]
		copy(both(p)[m.place(p, block):], p.to[m.place(p, block):m.place(p, block+1)])
	}, c.further())
	merged := false
	defer func() {
		for _, p := range pairs {
			if !merged {
				copy(p.to, both(p))
			}
		}
	}()
	m.merge(c)
	merged = true
}
