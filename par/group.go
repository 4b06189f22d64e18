package par

import (
	"context"
	"fmt"

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
	var c config
	c.heeds(codeOf(bucket), opts)
	h := &histogram[E]{counts: counts, s: s, bucket: watched1(c.gauge, bucket)}
	doEach(len(s), h, c.calling(len(s), 0, 1, 1, len(s)))
	var parts [][]int
	for part := range h.others.All() {
		parts = append(parts, *part)
	}
	if len(parts) > 0 {
		do(len(counts), &totals{counts, parts}, c.further())
	}
	c.finished(len(s))
}

// A histogram counts elements by bucket.
type histogram[E any] struct {
	counts []int
	s      []E
	bucket func(E) int
	// busy says that a worker counts into counts itself. Another one uses one of the others
	// meanwhile. So a worker that is alone needs no memory.
	//
	// Writers: the worker that sets it, by CAS; it also clears it.
	// Pairs:   the store that clears it with the next CAS.
	busy   prim.Bool
	others Scratch[[]int]
}

func (h *histogram[E]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	if h.busy.CompareAndSwap(false, true) {
		at = h.count(h.counts, lo, hi, stop)
		h.busy.Store(false)
		return at, nil
	}
	h.others.Do(func(counts *[]int) {
		if *counts == nil {
			*counts = make([]int, len(h.counts))
		}
		at = h.count(*counts, lo, hi, stop)
	})
	return at, nil
}

func (h *histogram[E]) count(counts []int, lo, hi int, stop *prim.Bool) (at int) {
	s, bucket := h.s[lo:hi], h.bucket
	for ; len(s) >= 4; s = s[4:] {
		countOne(counts, lo, bucket(s[0]))
		countOne(counts, lo+1, bucket(s[1]))
		countOne(counts, lo+2, bucket(s[2]))
		countOne(counts, lo+3, bucket(s[3]))
		if lo += 4; stop.Load() {
			return lo
		}
	}
	for _, x := range s {
		countOne(counts, lo, bucket(x))
		if lo++; stop.Load() {
			break
		}
	}
	return lo
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
	var c config
	c.heeds(codeOf(key), opts)
	// There are four steps: the keys of all; the keys of each block, numbered, and how often each
	// occurs; where the elements of each block go in each group; and they go there.
	keys := uncleared[K](len(s))
	doEach(len(s), &mapping[E, K]{keys, s, watched1(c.gauge, key)}, c.calling(len(s), 0, 1, 3, len(s)))
	n := &numbering[K]{keys: keys, numbers: uncleared[uint32](len(s)), size: max(prim.Size(smallBlock), (len(s)+manyBlocks-1)/manyBlocks)}
	blocks := (len(s) + n.size - 1) / n.size
	n.counts, n.index = make([][]int, blocks), newKeyIndex[K](blocks, len(s))
	do(blocks, n, c.stage(len(s), 1, 2, 3))
	n.index.find(c.further())
	grouped := uncleared[E](len(s))
	keys, starts := n.index.layOut(n.counts)
	do(blocks, &placing[E, K]{n, s, grouped}, c.stage(len(s), 2, 3, 3))
	c.finished(len(s))
	groups := make(map[K][]E, len(keys))
	for i, k := range keys {
		lo, hi := starts[i], starts[i+1]
		groups[k] = grouped[lo:hi:hi]
	}
	return groups
}

// The number of elements in a block: so many, or the part of a large slice.
const (
	smallBlock = 2048
	manyBlocks = 256
)

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
