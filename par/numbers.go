package par

//lint:file-ignore U1000 The methods are those of kernel; the check does not see it of generic types.

import (
	"math"
	"math/bits"
	"slices"
)

// viewed is the types that numberKernel sorts. [Sort] views all others as one of these.
type viewed interface {
	uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// numberKernel sorts numbers by their keys, which are unsigned and in the same order. Those of
// signed integers, viewed as unsigned ones, have the sign bit flipped.
type numberKernel[E viewed] struct{ flip uint64 }

// smallMost is how many numbers are sorted with a buffer on the stack.
const smallMost = 256

// key returns the same key for what compares equal: all NaNs have the lowest, and -0 has
// that of 0.
func (k numberKernel[E]) key(x E) uint64 {
	if one := E(1); one/2 == 0 { // an integer: the compiler leaves out the rest
		return uint64(x) ^ k.flip
	}
	f := float64(x)
	if f != f {
		return 0
	}
	b := math.Float64bits(f + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func (k numberKernel[E]) value(key uint64) (x E, all bool) {
	one := E(1)
	return E(key ^ k.flip), one/2 == 0
}

func (k numberKernel[E]) survey(s []E) survey {
	v := survey{first: k.key(s[0]), last: k.key(s[len(s)-1])}
	v.diff = v.first ^ v.last
	switch up := k.ascending(s); {
	case up == len(s):
		v.up, v.down = true, len(s) == 1
	case up == 1 && k.descending(s) == len(s):
		v.down = true
	default:
		v.diff = k.differ(s, v.first)
	}
	return v
}

// ascending returns how many elements s begins with that ascend: all of one are.
func (k numberKernel[E]) ascending(s []E) int {
	last := k.key(s[0])
	for i, x := range s {
		next := k.key(x)
		if next < last {
			return i
		}
		last = next
	}
	return len(s)
}

// descending returns how many elements s begins with that strictly descend.
func (k numberKernel[E]) descending(s []E) int {
	last := k.key(s[0])
	for i, x := range s[1:] {
		next := k.key(x)
		if next >= last {
			return i + 1
		}
		last = next
	}
	return len(s)
}

// differ returns the bits in which some key is not like first.
func (k numberKernel[E]) differ(s []E, first uint64) (diff uint64) {
	for _, x := range s {
		diff |= k.key(x) ^ first
	}
	return diff
}

// What goes deeper is never called: numbers with the same key are in order.
func (k numberKernel[E]) extent([]E) extent                  { return extent{} }
func (k numberKernel[E]) next([]E, extent) (kernel[E], bool) { return nil, false }
func (k numberKernel[E]) rekey([]E)                          {}

func (k numberKernel[E]) count(s []E, d digit, counts []int) {
	countNumbers(k, s, d, counts)
}

func (k numberKernel[E]) scatter(dst, src []E, d digit, at []int) {
	scatterNumbers(k, dst, src, d, at)
}

func (k numberKernel[E]) insertion(s []E) {
	for i := 1; i < len(s); i++ {
		x, j := s[i], i
		for of := k.key(x); j > 0; j-- {
			y := s[j-1]
			if k.key(y) <= of {
				break
			}
			s[j] = y
		}
		s[j] = x
	}
}

// small sorts up to smallMost numbers without an allocation.
func (k numberKernel[E]) small(s []E) {
	var buf [smallMost]E
	k.sort(s, buf[:len(s)], false)
}

func (k numberKernel[E]) sort(src, dst []E, inDst bool) {
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
func (k numberKernel[E]) order(s []E) (diff uint64, done bool) {
	if len(s) <= insertionMost {
		k.insertion(s)
		return 0, true
	}
	v := k.survey(s)
	if v.down && !v.up {
		slices.Reverse(s)
	}
	return v.diff, v.up || v.down
}

// distribute sorts src to dst, by a digit that fits their number and then by the others.
func (k numberKernel[E]) distribute(src, dst []E, diff uint64) {
	if len(src) <= narrowMost {
		var counts [1 << narrow]uint32
		k.choose(src, dst, digitOf(diff, min(narrow, bits.Len(uint(len(src))))), diff, counts[:])
	} else {
		var counts [1 << wide]uint32
		k.choose(src, dst, digitOf(diff, wide), diff, counts[:])
	}
}

// choose distributes by a digit, or by magnitudes where most numbers are small.
func (k numberKernel[E]) choose(src, dst []E, d digit, diff uint64, counts []uint32) {
	if d.shift > 0 && len(src) >= magnitudeLeast && k.mostlySmall(src, d) {
		k.magnitudes(src, dst, magnitudeOf(diff, len(counts)), counts)
	} else {
		k.pass(src, dst, d, diff, counts)
	}
}

const (
	// magnitudeSample is how many numbers show whether most are small, and magnitudeLeast
	// from how many on that is asked.
	magnitudeSample = 16
	magnitudeLeast  = 1 << 8
)

// mostlySmall reports whether most of a sample have a digit of zero.
func (k numberKernel[E]) mostlySmall(s []E, d digit) bool {
	small := 0
	for i := range magnitudeSample {
		if k.key(s[i*len(s)/magnitudeSample])>>d.shift&d.mask() == 0 {
			small++
		}
	}
	return small > magnitudeSample/2
}

// A magnitude tells numbers apart by their length in bits and some bits after the first one.
type magnitude struct {
	mask uint64 // the bits up to the highest in which numbers differ
	more int
}

// magnitudeOf returns one with as many buckets as most, at most.
func magnitudeOf(diff uint64, most int) magnitude {
	n := bits.Len64(diff)
	return magnitude{1<<n - 1, bits.Len(uint(most/(n+1))) - 1}
}

func (m magnitude) bucket(key uint64) int {
	key &= m.mask
	shift := max(0, bits.Len64(key)-1-m.more)
	return shift<<m.more + int(key>>shift)
}

// magnitudes is pass by a magnitude.
func (k numberKernel[E]) magnitudes(src, dst []E, m magnitude, at []uint32) {
	for _, x := range src {
		at[m.bucket(k.key(x))]++
	}
	starts(at)
	for _, x := range src {
		p := &at[m.bucket(k.key(x))]
		dst[*p] = x
		*p++
	}
	k.finish(src, dst, at)
}

func (k numberKernel[E]) pass(src, dst []E, d digit, diff uint64, at []uint32) {
	at = at[:d.buckets()]
	countNumbers(k, src, d, at)
	starts(at)
	scatterNumbers(k, dst, src, d, at)
	if d.rest(diff) != 0 {
		k.finish(src, dst, at)
	}
}

// finish sorts the buckets of dst. Most have a few elements, so one insertion sort takes
// all that lie between two large ones.
func (k numberKernel[E]) finish(buf, dst []E, ends []uint32) {
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

// A counter counts elements: all of them, or up to radixAlone.
type counter interface{ int | uint32 }

// countNumbers is a function of its own, as scatterNumbers is, so that the compiler has
// registers for all that the loop uses.
//
//go:noinline
func countNumbers[E viewed, C counter](k numberKernel[E], s []E, d digit, counts []C) {
	shift, mask := d.shift&63, d.mask()
	for _, x := range s {
		counts[k.key(x)>>shift&mask]++
	}
}

//go:noinline
func scatterNumbers[E viewed, C counter](k numberKernel[E], dst, src []E, d digit, at []C) {
	shift, mask := d.shift&63, d.mask()
	for _, x := range src {
		p := &at[k.key(x)>>shift&mask]
		dst[*p] = x
		*p++
	}
}
