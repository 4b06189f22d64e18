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

// key returns the same key for numbers that compare equal: all NaNs have the lowest, and
// -0 has that of 0.
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
	if len(s) <= insertionMost {
		k.insertion(s)
		return
	}
	v := k.survey(s)
	if v.up || v.down {
		if !v.up {
			slices.Reverse(s)
		}
		return
	}
	var buf [smallMost]E
	var counts [1 << narrow]uint32
	d := digitOf(v.diff, min(narrow, bits.Len(uint(len(s)))))
	at := counts[:d.buckets()]
	countNumbers(k, s, d, at)
	starts(at)
	scatterNumbers(k, buf[:len(s)], s, d, at)
	copy(s, buf[:])
	if d.rest(v.diff) == 0 {
		return
	}
	lo, done := 0, 0
	for _, end := range at {
		hi := int(end)
		if hi-lo > insertionMost {
			k.insertion(s[done:lo])
			k.small(s[lo:hi])
			done = hi
		}
		lo = hi
	}
	k.insertion(s[done:])
}

const (
	// magnitudeSample is how many numbers show whether most are small, and magnitudeLeast
	// from how many on that is asked.
	magnitudeSample = 16
	magnitudeLeast  = 1 << 8
)

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

const (
	// countedMost is of how many kinds integers are counted, at most: more make a quicksort slow.
	// countedSample is how many integers show that there are no more, and countedLeast from how
	// many on that is asked.
	countedMost   = 4
	countedSample = 16
	countedLeast  = 1 << 8
	// countedBlock is after how many integers it is asked whether all have been of these kinds.
	countedBlock = 64
)

// A kindCounter has numbers that may be of a few kinds. Buckets do not show these if they are far
// apart: each kind would cost a pass.
type kindCounter interface {
	// byKinds sorts a range to one of the places by counts of its kinds, and reports whether it
	// did. It does nothing if there are many, or if a key does not tell all of an element.
	byKinds(in side, lo, hi int, to side) bool
}

// A numberList is a kernel of numbers.
type numberList[E viewed] struct {
	numberKernel[E]
	at   [2][]E
	loan *loan
}

// A magnifier has numbers, most of which may be small.
type magnifier interface {
	// mostlySmall reports whether most of a sample of a range have a digit of zero.
	mostlySmall(in side, lo, hi int, d digit) bool
	// magnitudes copies a range to the other place, by a magnitude. counts are zeros, and then
	// where buckets end.
	magnitudes(from side, lo, hi int, m magnitude, counts []uint32)
}

func (n *numberList[E]) survey(in side, lo, hi int) survey {
	return n.numberKernel.survey(n.at[in][lo:hi])
}

func (n *numberList[E]) count(in side, lo, hi int, d digit, counts []uint32) {
	countNumbers(n.numberKernel, n.at[in][lo:hi], d, counts)
}

func (n *numberList[E]) countAll(in side, lo, hi int, d digit, counts []int) {
	countNumbers(n.numberKernel, n.at[in][lo:hi], d, counts)
}

func (n *numberList[E]) scatter(from side, lo, hi, base int, d digit, at []uint32) {
	scatterNumbers(n.numberKernel, n.at[from.other()][base:], n.at[from][lo:hi], d, at)
}

func (n *numberList[E]) scatterAll(from side, lo, hi, base int, d digit, at []int) {
	scatterNumbers(n.numberKernel, n.at[from.other()][base:], n.at[from][lo:hi], d, at)
}

func (n *numberList[E]) insertion(in side, lo, hi int) { n.numberKernel.insertion(n.at[in][lo:hi]) }

func (n *numberList[E]) mirror(in side, lo, hi, from, mid int) { mirror(n.at[in], lo, hi, from, mid) }

func (n *numberList[E]) move(from side, lo, hi int) {
	copy(n.at[from.other()][lo:hi], n.at[from][lo:hi])
}

func (n *numberList[E]) fill(in side, lo, hi int, key uint64) bool {
	if one := E(1); one/2 != 0 { // not of floats: NaNs have one key
		return false
	}
	to, x := n.at[in][lo:hi], E(key^n.flip)
	for i := range to {
		to[i] = x
	}
	return true
}

func (n *numberList[E]) makeRoom() {
	if n.at[1] == nil {
		n.at[1], n.loan = borrow[E](len(n.at[0]))
	}
}

func (n *numberList[E]) giveBack() { giveBack(n.at[1], n.loan) }

func (n *numberList[E]) mostlySmall(in side, lo, hi int, d digit) bool {
	s, small := n.at[in][lo:hi], 0
	for i := range magnitudeSample {
		if n.key(s[i*len(s)/magnitudeSample])>>d.shift&d.mask() == 0 {
			small++
		}
	}
	return small > magnitudeSample/2
}

func (n *numberList[E]) byKinds(in side, lo, hi int, to side) bool {
	s := n.at[in][lo:hi]
	if len(s) < countedLeast || !n.fill(in, lo, lo, 0) {
		return false
	}
	var kinds [countedMost]E
	var counts [countedMost]int
	known := 0
	for i := range countedSample {
		x := s[i*len(s)/countedSample]
		if slices.Contains(kinds[:known], x) {
			continue
		}
		if known == countedMost {
			return false
		}
		kinds[known] = x
		known++
	}
	n.numberKernel.insertion(kinds[:known])
	for at := 0; at < len(s); at += countedBlock {
		end := min(at+countedBlock, len(s))
		countKinds(s[at:end], &kinds, &counts)
		told := 0
		for _, count := range counts[:known] {
			told += count
		}
		if told < end {
			return false
		}
	}
	for i, count := range counts[:known] {
		n.fill(to, lo, lo+count, n.key(kinds[i]))
		lo += count
	}
	return true
}

// countKinds adds to counts how many elements are of each kind, without a branch, which could not be
// predicted.
//
//go:noinline
func countKinds[E viewed](s []E, kinds *[countedMost]E, counts *[countedMost]int) {
	of := *kinds
	var a, b, c, d int
	for _, x := range s {
		a += oneIf(x == of[0])
		b += oneIf(x == of[1])
		c += oneIf(x == of[2])
		d += oneIf(x == of[3])
	}
	counts[0], counts[1], counts[2], counts[3] = counts[0]+a, counts[1]+b, counts[2]+c, counts[3]+d
}

// oneIf is 1 if is. The compiler makes no branch of it.
func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (n *numberList[E]) magnitudes(from side, lo, hi int, m magnitude, at []uint32) {
	src, dst := n.at[from][lo:hi], n.at[from.other()][lo:hi]
	for _, x := range src {
		at[m.bucket(n.key(x))]++
	}
	starts(at)
	for _, x := range src {
		p := &at[m.bucket(n.key(x))]
		dst[*p] = x
		*p++
	}
}

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
