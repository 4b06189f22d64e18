package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import (
	"cmp"
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// Number is the types that Sum adds.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Sum returns the sum of the elements, 0 if there are none. In which order
// they are added depends on the length of s alone: see [Reduce].
func Sum[S ~[]E, E Number](s S, opts ...Option) (sum E) {
	var c config
	c.heeds(0, opts)
	return folded(len(s), denseRangeOf(len(s)), numbers[E](s), &c)
}

type numbers[E Number] []E

func (numbers[E]) join(a, b E) E { return a + b }

// It adds up every fourth number by itself: one addition need not wait for the one before.
func (s numbers[E]) fold(_ context.Context, lo, hi int) (E, error) {
	var a, b, c, d E
	x := s[lo:hi]
	for ; len(x) >= 4; x = x[4:] {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
	}
	for i := range x {
		a += x[i]
	}
	return (a + b) + (c + d), nil
}

// denseRange is how many elements a range of a sum or the like has at least: some
// microseconds of work.
const denseRange = 1 << 13

// denseRangeOf is how many of n elements a range of a sum or the like has.
func denseRangeOf(n int) int { return max(1, n/max(1, min(n/prim.Size(denseRange), 1<<12))) }

// Min returns the least element, as [slices.Min] does, and a NaN if there is one. It
// panics if s is empty.
func Min[S ~[]E, E cmp.Ordered](s S, opts ...Option) E {
	filled("Min", len(s))
	var c config
	c.heeds(0, opts)
	return folded(len(s), denseRangeOf(len(s)), least[E](s), &c)
}

type least[E cmp.Ordered] []E

func (least[E]) join(a, b E) E { return min(a, b) }

func (s least[E]) fold(_ context.Context, lo, hi int) (E, error) {
	x := s[lo:hi]
	a, b, c, d := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		a = min(a, x[0])
		b = min(b, x[1])
		c = min(c, x[2])
		d = min(d, x[3])
	}
	for i := range x {
		a = min(a, x[i])
	}
	return min(a, b, c, d), nil
}

// Max returns the greatest element, as [slices.Max] does, and a NaN if there is one. It
// panics if s is empty.
func Max[S ~[]E, E cmp.Ordered](s S, opts ...Option) E {
	filled("Max", len(s))
	var c config
	c.heeds(0, opts)
	return folded(len(s), denseRangeOf(len(s)), greatest[E](s), &c)
}

type greatest[E cmp.Ordered] []E

func (greatest[E]) join(a, b E) E { return max(a, b) }

func (s greatest[E]) fold(_ context.Context, lo, hi int) (E, error) {
	x := s[lo:hi]
	a, b, c, d := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		a = max(a, x[0])
		b = max(b, x[1])
		c = max(c, x[2])
		d = max(d, x[3])
	}
	for i := range x {
		a = max(a, x[i])
	}
	return max(a, b, c, d), nil
}

// MinFunc returns the first of the least elements by cmp, as [slices.MinFunc] does. It
// panics if s is empty.
func MinFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) E {
	refuse("MinFunc", 0, cmp == nil)
	filled("MinFunc", len(s))
	var c config
	c.heeds(codeOf(cmp), opts)
	return folded(len(s), rangeOf(len(s)), bestFunc[E]{s: s, cmp: cmp}, &c)
}

// MaxFunc returns the first of the greatest elements by cmp, as [slices.MaxFunc] does. It
// panics if s is empty.
func MaxFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) E {
	refuse("MaxFunc", 0, cmp == nil)
	filled("MaxFunc", len(s))
	var c config
	c.heeds(codeOf(cmp), opts)
	return folded(len(s), rangeOf(len(s)), bestFunc[E]{s: s, cmp: cmp, greatest: true}, &c)
}

// A bestFunc is the first of the least elements, or of the greatest.
type bestFunc[E any] struct {
	s        []E
	cmp      func(a, b E) int
	greatest bool
}

func (f bestFunc[E]) fold(_ context.Context, lo, hi int) (E, error) {
	m, s, cmp, greatest := f.s[lo], f.s[lo+1:hi], f.cmp, f.greatest
	for i := range s {
		if d := cmp(s[i], m); d < 0 && !greatest || d > 0 && greatest {
			m = s[i] // read again, for a branch: a choice without one would wait for each comparison
		}
	}
	return m, nil
}

func (f bestFunc[E]) join(a, b E) E {
	if d := f.cmp(b, a); d < 0 && !f.greatest || d > 0 && f.greatest {
		return b
	}
	return a
}

func filled(what string, n int) {
	if n == 0 {
		panic("par: " + what + " of no elements")
	}
}
