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
	for len(to) >= 8 && len(from) >= 8 {
		to[0] = f(from[0])
		to[1] = f(from[1])
		to[2] = f(from[2])
		to[3] = f(from[3])
		if stop.Load() {
			return hi - len(to) + 4, nil
		}
		to[4] = f(from[4])
		to[5] = f(from[5])
		to[6] = f(from[6])
		to[7] = f(from[7])
		to, from = to[8:], from[8:]
		if stop.Load() {
			return hi - len(to), nil
		}
	}
	for i := range to {
		to[i] = f(from[i])
		if stop.Load() {
			return hi - len(to) + i + 1, nil
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
	if err := c.each(len(s), &attempts[E, R]{to, s, f}); err != nil || s == nil {
		return nil, err
	}
	return to, nil
}

type attempts[E, R any] struct {
	to   []R
	from []E
	f    func(context.Context, E) (R, error)
}

func (a *attempts[E, R]) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	to, from, f := a.to[lo:hi], a.from[lo:hi], a.f
	for i := range to {
		if to[i], err = f(ctx, from[i]); err != nil || stop.Load() {
			return lo + i + 1, err
		}
	}
	return hi, nil
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
	all.each(len(s), &parted[E, R]{parts, ends, s, f})
	further := all.further()
	scan(ends, ends, func(a, b int) int { return a + b }, further)
	to := uncleared[R](ends[len(s)])
	do(len(parts), &joined[R]{to, parts, ends}, further)
	c.finished(len(s))
	return nilLike(s, to)
}

// A parted is the first pass of a FlatMap. It writes the length of part i to ends[i+1].
type parted[E, R any] struct {
	parts [][]R
	ends  []int
	s     []E
	f     func(E) []R
}

func (p *parted[E, R]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	parts, ends, from, f := p.parts[lo:hi], p.ends[lo+1:hi+1], p.s[lo:hi], p.f
	for i := range parts {
		part := f(from[i])
		parts[i], ends[i] = part, len(part)
		if stop.Load() {
			return lo + i + 1, nil
		}
	}
	return hi, nil
}

type joined[R any] struct {
	to    []R
	parts [][]R
	ends  []int
}

func (j *joined[R]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		copy(j.to[j.ends[i]:], j.parts[i])
	}
	return nil
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
	for ; len(to) >= 4; lo, to = lo+4, to[4:] {
		to[0] = f(lo)
		to[1] = f(lo + 1)
		to[2] = f(lo + 2)
		to[3] = f(lo + 3)
		if stop.Load() {
			return lo + 4, nil
		}
	}
	for i := range to {
		to[i] = f(lo)
		if lo++; stop.Load() {
			break
		}
	}
	return lo, nil
}
