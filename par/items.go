package par

//lint:file-ignore U1000 The methods are those of kernel; the check does not see it of generic types.

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// An item is an element of a radix sort with its key.
type item[P any] struct {
	key uint64
	of  P
}

// itemKernel sorts items by their keys, and if these are equal, by what comes next, if there is
// anything.
type itemKernel[P any] struct {
	ties ties[P]
	depth
}

// A depth is how much has been looked at of elements with the same key, in the unit of their
// ties, in how many steps, how many there were at the last one, and how many samples have been
// taken of them.
type depth struct{ at, steps, of, samples int }

// ties tells apart what has the same key. It keeps no depth, so that it need not be allocated
// for each, and is handed no items, so that these may be on the stack.
type ties[P any] interface {
	// compare is the order of elements with the same key.
	compare(a, b P) int
	// length is how long an element is.
	length(P) int
	// common is how much two elements have in common that have the same key at a depth, and
	// most at most.
	common(d depth, a, b P, most int) int
	// next returns where to go on with n elements that have the same key at a depth, or that
	// it is better to compare them. e is the extent of them all.
	next(d depth, n int, e extent) (deeper depth, keys bool)
	// key is the key of an element at a depth.
	key(d depth, x P) uint64
	// sort sorts elements that have the same key. That is not stable, and need not be: what
	// compares equal is the same.
	sort([]P)
	// sample returns what tells many elements apart by a sample of them.
	sample(s []item[P]) ties[P]
}

func (k itemKernel[P]) less(a, b *item[P]) bool {
	return a.key < b.key || a.key == b.key && k.ties != nil && k.ties.compare(a.of, b.of) < 0
}

func (k itemKernel[P]) value(uint64) (x item[P], all bool) { return x, false }

func (k itemKernel[P]) survey(s []item[P]) survey {
	v := survey{first: s[0].key, last: s[len(s)-1].key, up: true, down: true}
	for i := 1; i < len(s) && (v.up || v.down); i++ {
		down := k.less(&s[i], &s[i-1])
		v.up = v.up && !down
		v.down = v.down && down
	}
	for i := range s {
		v.diff |= s[i].key ^ v.first
	}
	return v
}

func (k itemKernel[P]) extent(s []item[P]) extent {
	first := s[0].of
	e := extent{common: k.at + commonMost}
	for i := range s {
		e.longest = max(e.longest, k.ties.length(s[i].of))
		e.common = k.ties.common(k.depth, first, s[i].of, e.common)
	}
	return e
}

// commonMost is how much of what elements have in common is looked at in one step.
const commonMost = 1 << 10

// samplesMost is how many samples are taken of elements that no sample tells apart, before one
// worker compares them.
const samplesMost = 4

func (k itemKernel[P]) next(s []item[P], e extent) (kernel[item[P]], bool) {
	d, keys := k.ties.next(k.depth, len(s), e)
	if !keys && len(s) > prim.Size(radixAlone) && d.samples < samplesMost {
		d.samples++
		return itemKernel[P]{k.ties.sample(s), d}, true
	}
	return itemKernel[P]{k.ties, d}, keys
}

func (k itemKernel[P]) rekey(s []item[P]) {
	for i := range s {
		s[i].key = k.ties.key(k.depth, s[i].of)
	}
}

func (k itemKernel[P]) count(s []item[P], d digit, counts []int) {
	countItems(s, d, counts)
}

func (k itemKernel[P]) scatter(dst, src []item[P], d digit, at []int) {
	scatterItems(dst, src, d, at)
}

func (k itemKernel[P]) insertion(s []item[P]) {
	for i := 1; i < len(s); i++ {
		if !k.less(&s[i], &s[i-1]) {
			continue
		}
		x, j := s[i], i
		for ; j > 0 && k.less(&x, &s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

func (k itemKernel[P]) sort(src, dst []item[P], inDst bool) {
	diff, done := k.order(src)
	switch {
	case done && inDst:
		copy(dst, src)
	case !done:
		k.distribute(src, dst, diff)
		if !inDst {
			copy(src, dst)
		}
	}
}

// order sorts s in place if that is quick, or returns the bits in which keys differ.
func (k *itemKernel[P]) order(s []item[P]) (diff uint64, done bool) {
	if len(s) <= insertionMost {
		k.insertion(s)
		return 0, true
	}
	v := k.surveyed(s)
	if v.down && !v.up {
		slices.Reverse(s)
	}
	return v.diff, v.up || v.down
}

// surveyed surveys s, and goes deeper for as long as all keys are the same. What no keys tell
// apart it sorts.
func (k *itemKernel[P]) surveyed(s []item[P]) survey {
	for {
		v := k.survey(s)
		if v.diff != 0 || v.up || v.down {
			return v
		}
		var keys bool
		if k.depth, keys = k.ties.next(k.depth, len(s), k.extent(s)); !keys {
			compareAll(s, k.ties)
			return survey{up: true}
		}
		k.rekey(s)
	}
}

// compareAll sorts items with the same key by comparisons. Apart from their keys elements are
// smaller.
func compareAll[P any](s []item[P], by ties[P]) {
	all := make([]P, len(s))
	for i := range s {
		all[i] = s[i].of
	}
	by.sort(all)
	for i, x := range all {
		s[i].of = x
	}
}

// distribute sorts src to dst, by a digit that fits their number and then by the others.
func (k itemKernel[P]) distribute(src, dst []item[P], diff uint64) {
	if len(src) <= narrowMost {
		var counts [1 << narrow]uint32
		k.pass(src, dst, digitOf(diff, min(narrow, bits.Len(uint(len(src))))), diff, counts[:])
	} else {
		var counts [1 << wide]uint32
		k.pass(src, dst, digitOf(diff, wide), diff, counts[:])
	}
}

func (k itemKernel[P]) pass(src, dst []item[P], d digit, diff uint64, at []uint32) {
	at = at[:d.buckets()]
	countItems(src, d, at)
	starts(at)
	scatterItems(dst, src, d, at)
	if k.ties != nil || d.rest(diff) != 0 {
		k.finish(src, dst, at)
	}
}

// finish is that of numbers, for items.
func (k itemKernel[P]) finish(buf, dst []item[P], ends []uint32) {
	lo, done := 0, 0
	for _, end := range ends {
		hi := int(end)
		if hi-lo > insertionMost {
			k.insertion(dst[done:lo])
			k.sort(dst[lo:hi], buf[lo:hi], false)
			done = hi
		}
		lo = hi
	}
	k.insertion(dst[done:])
}

//go:noinline
func countItems[P any, C counter](s []item[P], d digit, counts []C) {
	shift, mask := d.shift&63, d.mask()
	for i := range s {
		counts[s[i].key>>shift&mask]++
	}
}

//go:noinline
func scatterItems[P any, C counter](dst, src []item[P], d digit, at []C) {
	shift, mask := d.shift&63, d.mask()
	for i := range src {
		p := &at[src[i].key>>shift&mask]
		dst[*p] = src[i]
		*p++
	}
}
