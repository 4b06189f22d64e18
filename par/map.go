package par

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// Map returns f of each element of s, in order. The result is nil if s is. Panics are as in
// [For].
//
// It allocates the result, one object, and the objects of a shared call.
func Map[S ~[]E, E, R any](s S, f func(E) R, opts ...Option) []R {
	refuse("Map", 0, f == nil)
	to := uncleared[R](len(s))
	var c config
	c.heeds(codeOf(f), opts)
	c.each(len(s), &mapping[E, R]{to, s, f})
	return nilLike(s, to)
}

// nilLike returns to, or nil if s is nil.
func nilLike[E, R any](s []E, to []R) []R {
	if s == nil {
		return nil
	}
	return to
}

// MapInto writes f of each element of s to the element of dst with the same index. The
// two may be the same memory if each element is at the same index. It panics if they
// differ in length.
func MapInto[E, R any](dst []R, s []E, f func(E) R, opts ...Option) {
	refuse("MapInto", 0, f == nil)
	sameLength("MapInto", len(dst), len(s))
	var c config
	c.heeds(codeOf(f), opts)
	c.each(len(s), &mapping[E, R]{dst, s, f})
}

type mapping[E, R any] struct {
	to   []R
	from []E
	f    func(E) R
}

func (m *mapping[E, R]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	to, from, f := m.to[lo:hi], m.from[lo:hi], m.f
	for i := range to {
		to[i] = f(from[i])
		if stop.Load() {
			return lo + i + 1, nil
		}
	}
	return hi, nil
}

// MapErr is Map for a function that may fail, and that wants a context: see [ForErr]. With
// an error it returns nil.
func MapErr[S ~[]E, E, R any](ctx context.Context, s S, f func(context.Context, E) (R, error), opts ...Option) ([]R, error) {
	refuse("MapErr", 0, f == nil)
	mustContext("MapErr", ctx)
	to := uncleared[R](len(s))
	var c config
	c.within(ctx, codeOf(f), opts)
	err := c.each(len(s), tries(func(ctx context.Context, i int) (err error) {
		to[i], err = f(ctx, s[i])
		return err
	}))
	if err != nil {
		return nil, err
	}
	return nilLike(s, to), nil
}

// FlatMap returns the elements of f of each element of s, in order, in memory of exactly
// their size. The result is nil if s is.
//
// Besides the result it allocates a slice and a word for each element.
func FlatMap[S ~[]E, E, R any](s S, f func(E) []R, opts ...Option) []R {
	refuse("FlatMap", 0, f == nil)
	var c config
	c.heeds(codeOf(f), opts)
	parts, ends := make([][]R, len(s)), make([]int, len(s)+1)
	all := c.stages(len(s), 4*len(s))
	all.each(len(s), each(func(i int) {
		parts[i] = f(s[i])
		ends[i+1] = len(parts[i])
	}))
	further := all.further()
	scan(ends, ends, func(a, b int) int { return a + b }, further)
	to := uncleared[R](ends[len(s)])
	do(len(parts), ranges(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(to[ends[i]:], parts[i])
		}
	}), further)
	c.finished(len(s))
	return nilLike(s, to)
}

// Tabulate returns f(0) to f(n-1), in order. A negative n panics.
func Tabulate[R any](n int, f func(i int) R, opts ...Option) []R {
	refuse("Tabulate", n, f == nil)
	to := uncleared[R](n)
	var c config
	c.heeds(codeOf(f), opts)
	c.each(n, &table[R]{to, f})
	return to
}

type table[R any] struct {
	to []R
	f  func(i int) R
}

func (t *table[R]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	to, f := t.to[lo:hi], t.f
	for i := range to {
		to[i] = f(lo)
		if lo++; stop.Load() {
			break
		}
	}
	return lo, nil
}
