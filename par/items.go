package par

//lint:file-ignore U1000 The methods are those of kernel; the check does not see it of generic types.

import (
	"math/bits"
	"slices"
)

// An item is an element of a radix sort with its key.
type item[P any] struct {
	key uint64
	of  P
}

// itemKernel sorts items by their keys, and if these are equal, by what comes next, if there is
// anything.
type itemKernel[P any] struct{ ties ties[P] }

// ties tells apart what has the same key.
type ties[P any] interface {
	// less is the order of elements with the same key.
	less(a, b P) bool
	// length is how long an element is.
	length(P) int
	// next returns how to tell apart elements that have the same keys up to now, given
	// the lengths of the shortest and the longest one.
	next(shortest, longest int) ties[P]
	// key is the key of an element.
	key(P) uint64
}

func (k itemKernel[P]) less(a, b *item[P]) bool {
	return a.key < b.key || a.key == b.key && k.ties != nil && k.ties.less(a.of, b.of)
}

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
	if v.diff == 0 && k.ties != nil {
		v.shortest = k.ties.length(s[0].of)
		for i := range s {
			n := k.ties.length(s[i].of)
			v.shortest, v.longest = min(v.shortest, n), max(v.longest, n)
		}
	}
	return v
}

func (k itemKernel[P]) deeper(s []item[P], v survey) kernel[item[P]] { return k.next(s, v) }

func (k itemKernel[P]) next(s []item[P], v survey) itemKernel[P] {
	t := k.ties.next(v.shortest, v.longest)
	for i := range s {
		s[i].key = t.key(s[i].of)
	}
	return itemKernel[P]{t}
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

// surveyed surveys s, and goes deeper for as long as all keys are the same.
func (k *itemKernel[P]) surveyed(s []item[P]) survey {
	for {
		v := k.survey(s)
		if v.diff != 0 || v.up || v.down {
			return v
		}
		*k = k.next(s, v)
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
