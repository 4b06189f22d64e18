package par

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

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
// is in order. Elements that nearly all rise are often a few places off: so those that are compared by a
// function are sorted by merges alone then, stable or not. There are no further ways for inputs of one kind
// or another: each would have to be told from all others, and the price of that is paid by all.
type order[E any] struct {
	cmp func(a, b E) int
	// look is how many elements the caller looks at before others help, and alone how many it sorts by itself.
	look, alone int
	// rise and fall return how many elements s begins with that are in order, or in reverse.
	rise, fall func(s []E) int
	// leaf sorts s, and near sorts elements that nearly all rise. They may use buf, which is as long, or nil. If a
	// comparison panics, s has all elements.
	leaf, near func(s, buf []E)
	// unique says that elements in order are the same whatever sorts them: equal ones are. stable says that
	// leaf is near.
	unique, stable bool
}

// ordered is the order of numbers or strings. Floats that are equal can be told apart.
func ordered[E cmp.Ordered](unique bool, alone int) order[E] {
	leaf := func(s, _ []E) { slices.Sort(s) }
	return order[E]{cmp: cmp.Compare[E], look: leafMost, alone: alone, rise: rises[E], fall: falls[E], leaf: leaf, near: leaf, unique: unique}
}

// orderBy is that of a comparison.
func orderBy[E any](cmp func(a, b E) int, stable bool) *order[E] {
	o := &order[E]{
		cmp: cmp, look: orderedAlone, alone: compareMost, stable: stable,
		rise: func(s []E) int { return risesFunc(s, cmp) },
		fall: func(s []E) int { return fallsFunc(s, cmp) },
		leaf: func(s, _ []E) { slices.SortFunc(s, cmp) },
		near: func(s, buf []E) { merge.Sort(s, buf, cmp) },
	}
	if stable {
		o.fall = func(s []E) int { return strictlyFalls(s, cmp) }
		o.leaf = o.near
	}
	return o
}

const (
	// samplePairs is how many pairs of elements a sample has, and sampleStep how far
	// apart the two of a pair are: elements that are only a few places off are not mixed.
	samplePairs = 64
	sampleStep  = 16
	// leafMost is how many numbers that are not mixed, or others that nearly all rise, one goroutine sorts alone,
	// and compareMost how many others: most of them are sorted sooner than others have come.
	leafMost    = 1 << 15
	compareMost = 1 << 13
	// chunkLeast bounds the number of chunks: its square is at most one for so many elements.
	chunkLeast = 1 << 9
	// chunkSample is how many elements of each chunk show where buckets are to begin.
	chunkSample = 16
)

// sort sorts s if it is in order, or in reverse, or if it is not mixed, and reports whether it did.
func (o *order[E]) sort(s []E, c config) bool {
	further := c.further()
	reach := func(of func([]E) int) int {
		few := min(prim.Size(o.look), len(s))
		if n := of(s[:few]); n < few || n == len(s) {
			return n
		}
		return reach(s, few, of, &further)
	}
	known := reach(o.rise)
	if known == len(s) {
		return true
	}
	if known == 1 && reach(o.fall) == len(s) {
		reverseAll(s, o.look, further)
		return true
	}
	leaf, shape := o.leaf, o.sample(s)
	if shape == isRising {
		leaf = o.near
	}
	switch {
	case shape == isMixed:
		return false
	case known > len(s)/2 && len(s) <= prim.Size(leafMost): // what is in order stays so
		leaf(s[known:], nil)
		merge.Runs(s, nil, []int{known, len(s)}, o.cmp)
	case shape == isFew && !o.stable, shape == isRising && len(s) <= prim.Size(leafMost), len(s) <= prim.Size(o.alone):
		leaf(s, nil)
	default:
		o.mergeSort(s, known, leaf, c)
	}
	return true
}

// A shape is how elements follow each other.
type shape uint8

const (
	isMixed  shape = iota // at least a quarter of the pairs are in order, and a quarter are not, as of random elements
	isFew                 // many are equal, so there are few kinds: package slices is so quick with these that chunks of its leaves would not pay
	isRising              // at most a sixteenth are not in order: of more, a part may be of few kinds, and merges are slow with these
	isOther
)

// sample looks at pairs of elements. They lie where a generator of random numbers says, so that they do
// not follow a pattern of s.
func (o *order[E]) sample(s []E) shape {
	step := min(prim.Size(sampleStep), len(s)-1)
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
	switch {
	case up+down < samplePairs-samplePairs/5:
		return isFew
	case min(up, down) >= samplePairs/4:
		return isMixed
	case down <= samplePairs/16:
		return isRising
	}
	return isOther
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

// mergeSort sorts chunks, each by one worker, and then merges them: what lies between two elements of
// a sample is put together, in as many buckets as there were chunks, and one worker merges each. So
// all elements go to the buffer and back once, and merges find them in a cache.
// That is parallel sorting by regular sampling (Shi and Schaeffer, 1992).
//
// Equal elements are in the same bucket, in the order of their chunks. So the sort is stable if leaf, which sorts
// the chunks, is. The first known elements are in order.
func (o *order[E]) mergeSort(s []E, known int, leaf func(s, buf []E), c config) {
	n := chunks(len(s))
	if n == 1 || o.unique && c.workers() == 1 {
		leaf(s, nil)
		return
	}
	// A chunk costs a merge for each time that it could be halved.
	done, levels := bits.Len(uint(len(s)/n)), bits.Len(uint(n))
	all := c.stages(len(s), len(s)*(done+levels+2)).further()
	m := &mergeSort[E]{order: o, s: s, buf: uncleared[E](len(s)), n: n}
	spread(n, func(i, end int) {
		for ; i < end; i++ {
			if lo, hi := m.bound(i), m.bound(i+1); hi > known {
				leaf(s[lo:hi], m.buf[lo:hi])
			}
		}
	}, all.over(len(s)*done))
	if m.joined() {
		return
	}
	m.cut(all)
	m.deal(all)
	defer m.restore()
	spread(n, m.merge, all.over(len(s)*levels))
}

// A mergeSort is what a sort knows between its loops.
type mergeSort[E any] struct {
	*order[E]
	s, buf []E
	n      int // of chunks, and of buckets
	// cuts is where each bucket begins in each chunk, and where the last one ends.
	cuts [][]int
	// ends is where the elements of each chunk end in each bucket, from its beginning on.
	ends [][]int
	// begins is where each bucket begins, and the last one ends.
	begins []int
	// back says which buckets are in s. Each is written by the worker that has the bucket.
	back []bool
}

func (m *mergeSort[E]) bound(chunk int) int { return len(m.s)/m.n*chunk + len(m.s)%m.n*chunk/m.n }

// joined reports whether the chunks, one after the other, are in order.
func (m *mergeSort[E]) joined() bool {
	for i := 1; i < m.n; i++ {
		if b := m.bound(i); m.cmp(m.s[b], m.s[b-1]) < 0 {
			return false
		}
	}
	return true
}

// cut finds where the buckets begin in the chunks. They ascend, also if cmp contradicts itself.
func (m *mergeSort[E]) cut(c config) {
	size := prim.Size(chunkSample)
	sample := make([]E, 0, m.n*size)
	for i := range m.n {
		lo, hi := m.bound(i), m.bound(i+1)
		for at := range size {
			sample = append(sample, m.s[lo+(hi-lo)/size*at])
		}
	}
	merge.Sort(sample, nil, m.cmp)
	m.cuts = make([][]int, m.n)
	spread(m.n, func(i, end int) {
		for ; i < end; i++ {
			cuts, at, hi := make([]int, m.n+1), m.bound(i), m.bound(i+1)
			for b := range cuts {
				if cuts[b] = at; b < m.n-1 {
					first := sample[(b+1)*size]
					at += sort.Search(hi-at, func(j int) bool { return m.cmp(m.s[at+j], first) >= 0 })
				} else {
					at = hi
				}
			}
			m.cuts[i] = cuts
		}
	}, c)
}

// deal copies the elements of each bucket to where it is in the buffer.
func (m *mergeSort[E]) deal(c config) {
	m.begins, m.ends, m.back = make([]int, m.n+1), make([][]int, m.n), make([]bool, m.n)
	for b := range m.n {
		m.ends[b] = make([]int, m.n)
		end := 0
		for i, cuts := range m.cuts {
			end += cuts[b+1] - cuts[b]
			m.ends[b][i] = end
		}
		m.begins[b+1] = m.begins[b] + end
	}
	spread(m.n, func(i, end int) {
		for ; i < end; i++ {
			for b := range m.n {
				part := m.s[m.cuts[i][b]:m.cuts[i][b+1]]
				copy(m.buf[m.begins[b]+m.ends[b][i]-len(part):], part)
			}
		}
	}, c)
}

// merge merges buckets.
func (m *mergeSort[E]) merge(b, end int) {
	for ; b < end; b++ {
		lo, hi := m.begins[b], m.begins[b+1]
		s, buf := m.s[lo:hi], m.buf[lo:hi]
		copy(s, buf)
		m.back[b] = true
		merge.Runs(s, buf, m.ends[b], m.cmp)
	}
}

// restore puts the other buckets back if a comparison has panicked.
func (m *mergeSort[E]) restore() {
	for b, back := range m.back {
		if lo, hi := m.begins[b], m.begins[b+1]; !back {
			copy(m.s[lo:hi], m.buf[lo:hi])
		}
	}
}
