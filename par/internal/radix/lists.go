package radix

//lint:file-ignore U1000 The methods are those of List; the check does not see it of generic types.

import "math"

// A Number is a type that [Numbers] sorts. Others are viewed as one of these.
type Number interface {
	uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Numbers is a [List] of numbers.
type Numbers[E Number] struct {
	Keys[E]
	At [2][]E
}

// Keys gives the keys of numbers, which are unsigned and in the same order. Those of signed
// integers, viewed as unsigned ones, have the sign bit flipped.
type Keys[E Number] struct{ Flip uint64 }

// Of returns the same key for numbers that compare equal: all NaNs have the lowest, and -0 has that
// of 0.
func (k Keys[E]) Of(x E) uint64 {
	if one := E(1); one/2 == 0 { // an integer: the compiler leaves out the rest
		return uint64(x) ^ k.Flip
	}
	f := float64(x)
	if f != f {
		return 0
	}
	b := math.Float64bits(f + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func (n *Numbers[E]) Differ(in Side, first, lo, hi int) (diff uint64) {
	k, like := n.Keys, n.Of(n.At[in][first])
	for _, x := range n.At[in][lo:hi] {
		diff |= k.Of(x) ^ like
	}
	return diff
}

func (n *Numbers[E]) Count(in Side, lo, hi int, d Digit, counts []int) {
	countNumbers(n.Keys, n.At[in][lo:hi], d, counts)
}

func (n *Numbers[E]) Scatter(from Side, lo, hi int, d Digit, at []int) {
	scatterNumbers(n.Keys, n.At[from.other()], n.At[from][lo:hi], d, at)
}

func (n *Numbers[E]) Insert(in Side, lo, hi int) {
	k, s := n.Keys, n.At[in][lo:hi]
	for i := 1; i < len(s); i++ {
		x, j := s[i], i
		for of := k.Of(x); j > 0; j-- {
			y := s[j-1]
			if k.Of(y) <= of {
				break
			}
			s[j] = y
		}
		s[j] = x
	}
}

func (n *Numbers[E]) Move(from Side, lo, hi int) { copy(n.At[from.other()][lo:hi], n.At[from][lo:hi]) }

// countNumbers is a function of its own, as scatterNumbers is, so that the compiler has registers
// for all that the loop uses.
//
//go:noinline
func countNumbers[E Number](k Keys[E], s []E, d Digit, counts []int) {
	shift, mask := d.shift&63, d.mask()
	for _, x := range s {
		counts[k.Of(x)>>shift&mask]++
	}
}

//go:noinline
func scatterNumbers[E Number](k Keys[E], dst, src []E, d Digit, at []int) {
	shift, mask := d.shift&63, d.mask()
	for _, x := range src {
		p := &at[k.Of(x)>>shift&mask]
		dst[*p] = x
		*p++
	}
}

// An Item is an element with its key.
type Item[P any] struct {
	Key uint64
	Of  P
}

// Items is a [List] of elements with their keys. Generic code is compiled for each type of elements,
// in each package that sorts them: so there is little of it here.
type Items[P any] [2][]Item[P]

func (t *Items[P]) Differ(in Side, first, lo, hi int) (diff uint64) {
	like, s := t[in][first].Key, t[in][lo:hi]
	for i := range s {
		diff |= s[i].Key ^ like
	}
	return diff
}

func (t *Items[P]) Count(in Side, lo, hi int, d Digit, counts []int) {
	shift, mask := d.shift&63, d.mask()
	s := t[in][lo:hi]
	for i := range s {
		counts[s[i].Key>>shift&mask]++
	}
}

func (t *Items[P]) Scatter(from Side, lo, hi int, d Digit, at []int) {
	scatterItems(t[from.other()], t[from][lo:hi], d, at)
}

//go:noinline
func scatterItems[P any](dst, src []Item[P], d Digit, at []int) {
	shift, mask := d.shift&63, d.mask()
	for i := range src {
		p := &at[src[i].Key>>shift&mask]
		dst[*p] = src[i]
		*p++
	}
}

func (t *Items[P]) Insert(in Side, lo, hi int) {
	s := t[in][lo:hi]
	for i := 1; i < len(s); i++ {
		if s[i].Key >= s[i-1].Key {
			continue
		}
		x, j := s[i], i
		for ; j > 0 && x.Key < s[j-1].Key; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

func (t *Items[P]) Move(from Side, lo, hi int) { copy(t[from.other()][lo:hi], t[from][lo:hi]) }
