package par

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// CountInto sets counts[b] to how many elements of s have the bucket b. The buckets are 0
// to len(counts)-1; for any other one it panics, and leaves counts with some of the
// elements counted.
//
// It allocates as many ints as counts has for each worker that helps.
func CountInto[S ~[]E, E any](counts []int, s S, bucket func(E) int, opts ...Option) {
	refuse("CountInto", 0, bucket == nil)
	clear(counts)
	c := configured(opts)
	h := &histogram[E]{counts: counts, s: s, bucket: bucket}
	do(len(s), h, c)
	var parts [][]int
	for part := range h.others.All() {
		parts = append(parts, *part)
	}
	if len(parts) > 0 {
		do(len(counts), &totals{counts, parts}, c.further())
	}
}

// A histogram counts elements by bucket.
type histogram[E any] struct {
	counts []int
	s      []E
	bucket func(E) int
	// busy says that a worker counts into counts itself. Another one uses one of the others
	// meanwhile. So a worker that is alone needs no memory.
	//
	// Writers: whoever sets it by CAS, and clears it.
	// Pairs:   the store that clears it with the next CAS.
	busy   prim.Bool
	others Scratch[[]int]
}

func (h *histogram[E]) run(lo, hi int) error {
	if h.busy.CompareAndSwap(false, true) {
		h.count(h.counts, lo, hi)
		h.busy.Store(false)
		return nil
	}
	h.others.Do(func(counts *[]int) {
		if *counts == nil {
			*counts = make([]int, len(h.counts))
		}
		h.count(*counts, lo, hi)
	})
	return nil
}

func (h *histogram[E]) count(counts []int, lo, hi int) {
	s, bucket := h.s[lo:hi], h.bucket
	for ; len(s) >= 4; lo, s = lo+4, s[4:] {
		countOne(counts, lo, bucket(s[0]))
		countOne(counts, lo+1, bucket(s[1]))
		countOne(counts, lo+2, bucket(s[2]))
		countOne(counts, lo+3, bucket(s[3]))
	}
	for i, x := range s {
		countOne(counts, lo+i, bucket(x))
	}
}

func countOne(counts []int, i, b int) {
	if uint(b) >= uint(len(counts)) {
		noBucket(i, b, len(counts))
	}
	counts[b]++
}

//go:noinline
func noBucket(i, b, buckets int) {
	panic(fmt.Sprintf("par: CountInto of element %d into bucket %d, of %d buckets", i, b, buckets))
}

// A totals adds parts to a slice, element by element.
type totals struct {
	to    []int
	parts [][]int
}

func (a *totals) run(lo, hi int) error {
	for _, part := range a.parts {
		to, part := a.to[lo:hi], part[lo:hi]
		for i := range to {
			to[i] += part[i]
		}
	}
	return nil
}

// GroupBy returns the elements of s by key, those of a key in the order of s. It calls key
// once for each element. NaNs are keys of their own, as in any map; of 0 and -0, the first
// one is the key.
//
// The groups share one slice of len(s) elements, which stays in memory as long as one of
// them does; slices.Clone makes one its own. Appending to a group copies it. Besides that
// slice and the map, GroupBy allocates a key and 4 bytes for each element, some words for
// each key of each of at most 256 blocks of s, and up to a kilobyte for each block.
func GroupBy[S ~[]E, E any, K comparable](s S, key func(E) K, opts ...Option) map[K][]E {
	refuse("GroupBy", 0, key == nil)
	g := groupsOf(s, key, configured(opts))
	m := make(map[K][]E, len(g.keys))
	for i, k := range g.keys {
		lo, hi := g.starts[i], g.starts[i+1]
		m[k] = g.elements[lo:hi:hi]
	}
	return m
}

// FoldBy returns for each key what the elements of s with that key are folded to, in their
// order. It divides s into parts, folds the elements of each key in a part from a value of
// start by add, and puts the results together with merge, from the first part to the last.
// The parts depend on the length of s alone, so the results are the same on any number of
// workers, to the last bit, if start returns the same each time. It calls key once for each
// element. NaNs are keys of their own, as in any map.
//
// There are at most 256 parts, of one element each if s has at most 16, and of 64 or less
// if it has at most 16,384. What start made for a part belongs to one call of add or merge
// at a time: they may change their first argument and return it. FoldBy allocates a key, two
// A and some words for each key of each part, up to a kilobyte for each part, and the map.
func FoldBy[S ~[]E, E any, K comparable, A any](s S, key func(E) K, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) map[K]A {
	refuse("FoldBy", 0, key == nil || start == nil || add == nil || merge == nil)
	c := configured(opts)
	size := max(1, min(smallPart, len(s)/fewParts), (len(s)+manyParts-1)/manyParts)
	n := (len(s) + size - 1) / size
	f := &keyFold[E, K, A]{s: s, key: key, start: start, add: add, size: size}
	f.index, f.parts, f.places = newKeyIndex[K](n, len(s)), make([][]A, n), make([][]int, n)
	do(n, f, c.stage(len(s), 0, 1, 1))
	f.index.find(c.further())
	keys, starts := f.index.layOut(f.places)
	sums := uncleared[A](f.index.starts[n])
	do(n, &sumPlacing[A]{f.parts, f.places, sums}, c.further())
	do(len(keys), &sumJoin[A]{sums, starts, merge}, c.further())
	m := make(map[K]A, len(keys))
	for i, k := range keys {
		m[k] = sums[starts[i]]
	}
	c.finished(len(s))
	return m
}

// A short slice has fewParts, or more; then parts have smallPart elements, and more if there
// would be more than manyParts of them.
const (
	fewParts  = 16
	smallPart = 64
	manyParts = 256
)

// A keyFold folds the elements of each part by key.
type keyFold[E any, K comparable, A any] struct {
	s     []E
	key   func(E) K
	start func() A
	add   func(A, E) A
	size  int
	// index has the keys of each part, in the order in which they come. Elements of each
	// are folded to what parts has there, which goes to places.
	index  *keyIndex[K]
	parts  [][]A
	places [][]int
	rooms  Scratch[keyRoom[K, A]]
}

// A keyRoom is room for one part.
type keyRoom[K comparable, A any] struct {
	keys []K
	sums []A
	seen map[K]int // where each key is
}

func (f *keyFold[E, K, A]) run(lo, hi int) error {
	f.rooms.Do(func(r *keyRoom[K, A]) {
		if r.seen == nil {
			r.seen = make(map[K]int)
		}
		for p := lo; p < hi; p++ {
			f.fold(p, r)
			f.index.add(p, slices.Clone(r.keys))
			f.parts[p], f.places[p] = slices.Clone(r.sums), slices.Repeat([]int{1}, len(r.sums))
			clear(r.seen)
			clear(r.keys)
			clear(r.sums)
			r.keys, r.sums = r.keys[:0], r.sums[:0]
		}
	})
	return nil
}

func (f *keyFold[E, K, A]) fold(p int, r *keyRoom[K, A]) {
	for _, x := range f.s[p*f.size : min((p+1)*f.size, len(f.s))] {
		k := f.key(x)
		i, ok := r.seen[k]
		if !ok {
			i = len(r.keys)
			r.seen[k] = i
			r.keys, r.sums = append(r.keys, k), append(r.sums, f.start())
		}
		r.sums[i] = f.add(r.sums[i], x)
	}
}

// sumPlacing puts what the elements of parts are folded to beside others with the same key.
type sumPlacing[A any] struct {
	parts  [][]A
	places [][]int
	to     []A
}

func (p *sumPlacing[A]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		for j, sum := range p.parts[i] {
			p.to[p.places[i][j]] = sum
		}
	}
	return nil
}

// sumJoin merges what belongs together, from the first part to the last.
type sumJoin[A any] struct {
	sums   []A
	starts []int // of each key
	merge  func(a, b A) A
}

func (j *sumJoin[A]) run(lo, hi int) error {
	for k := lo; k < hi; k++ {
		sums := j.sums[j.starts[k]:j.starts[k+1]]
		for _, sum := range sums[1:] {
			sums[0] = j.merge(sums[0], sum)
		}
	}
	return nil
}

// groups are elements by key.
type groups[E any, K comparable] struct {
	keys     []K // in the order of their first elements
	elements []E
	starts   []int // of each group in elements, and how many there are
}

// groupsOf groups the elements of s in four steps: the keys of all; the keys of each block,
// numbered, and how often each occurs; where the elements of each block go in each group;
// and they go there.
func groupsOf[E any, K comparable](s []E, key func(E) K, c config) groups[E, K] {
	keys := &keyed[E, K]{s: s, key: key, keys: uncleared[K](len(s))}
	do(len(s), keys, c.further())
	n := &numbering[K]{keys: keys.keys, numbers: uncleared[uint32](len(s)), size: max(prim.Size(smallBlock), (len(s)+manyBlocks-1)/manyBlocks)}
	blocks := (len(s) + n.size - 1) / n.size
	n.counts, n.index = make([][]int, blocks), newKeyIndex[K](blocks, len(s))
	do(blocks, n, c.further())
	n.index.find(c.further())
	g := groups[E, K]{elements: uncleared[E](len(s))}
	g.keys, g.starts = n.index.layOut(n.counts)
	do(blocks, &placing[E, K]{n, s, g.elements}, c.stage(len(s), 0, 1, 1))
	c.finished(len(s))
	return g
}

// The number of elements in a block: so many, or the part of a large slice.
const (
	smallBlock = 2048
	manyBlocks = 256
)

// keyed finds the keys.
type keyed[E any, K comparable] struct {
	s    []E
	key  func(E) K
	keys []K
}

func (k *keyed[E, K]) run(lo, hi int) error {
	to := k.keys[lo:hi]
	for i, x := range k.s[lo:hi] {
		to[i] = k.key(x)
	}
	return nil
}

// numbering numbers the keys of each block, in the order in which they come.
type numbering[K comparable] struct {
	keys    []K
	numbers []uint32 // of the key of each element, in its block
	size    int
	index   *keyIndex[K]
	// counts is how many elements each key of each block has; once all is laid out, where
	// the next one goes.
	counts [][]int
	seen   Scratch[map[K]uint32]
}

func (n *numbering[K]) run(lo, hi int) error {
	n.seen.Do(func(seen *map[K]uint32) {
		if *seen == nil {
			*seen = make(map[K]uint32)
		}
		for b := lo; b < hi; b++ {
			n.number(b, *seen)
			clear(*seen)
		}
	})
	return nil
}

func (n *numbering[K]) number(b int, seen map[K]uint32) {
	var keys []K
	var counts []int
	first := b * n.size
	for i, k := range n.keys[first:min(first+n.size, len(n.keys))] {
		number, ok := seen[k]
		if !ok {
			number = uint32(len(keys))
			seen[k] = number
			keys, counts = append(keys, k), append(counts, 0)
		}
		counts[number]++
		n.numbers[first+i] = number
	}
	n.counts[b] = counts
	n.index.add(b, keys)
}

// placing puts the elements of each block where they go.
type placing[E any, K comparable] struct {
	*numbering[K]
	from, to []E
}

func (p *placing[E, K]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		next, first := p.counts[b], b*p.size
		for i, x := range p.from[first:min(first+p.size, len(p.from))] {
			number := p.numbers[first+i]
			p.to[next[number]] = x
			next[number]++
		}
	}
	return nil
}
