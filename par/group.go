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
	all := c.stages(len(s), len(s))
	h := &histogram[E]{counts: counts, s: s, bucket: bucket}
	all.each(len(s), h)
	for part := range h.others.All() {
		spread(len(counts), func(lo, hi int) {
			for i, n := range (*part)[lo:hi] {
				counts[lo+i] += n
			}
		}, all.further().over(1))
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

// GroupBy returns the elements of s by key, those of a key in the order of s. It calls key
// once for each element. NaNs are keys of their own, as in any map; of 0 and -0, the first
// one is the key.
//
// The groups share one slice of len(s) elements, which stays in memory as long as one of
// them does; slices.Clone makes one its own. Appending to a group copies it. Besides that
// slice and the map, GroupBy allocates a key and 8 bytes for each element, some words for each key and each
// of up to 32 parts of s that have it, up to three quarters of a byte for each element and worker, and up
// to a quarter of a megabyte. If there are more than a few hundred keys, it also allocates another key and an
// eighth of one, an element and 11 bytes for each element.
func GroupBy[S ~[]E, E any, K comparable](s S, key func(E) K, opts ...Option) map[K][]E {
	refuse("GroupBy", 0, key == nil)
	var c config
	c.heeds(codeOf(key), opts)
	if len(s) == 0 {
		c.finished(0)
		return map[K][]E{}
	}
	g := &grouping[E, K]{s: s, key: key}
	var mu prim.Mutex
	var all map[K][]E // guarded by mu
	g.group(func(groups []group[K]) {
		mu.Lock()
		defer mu.Unlock()
		if all == nil {
			all = make(map[K][]E, len(groups)*g.shards())
		}
		for _, x := range groups {
			all[x.key] = g.grouped[x.lo:x.hi:x.hi]
		}
	}, 0, c.stages(len(s), len(s)))
	c.finished(len(s))
	return all
}
