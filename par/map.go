package par

import "context"

// Map returns f of each element of s, in order. The result is nil if s is. Panics are as in
// [For].
//
// It allocates the result and, if it takes longer than the quantum, two objects.
func Map[S ~[]E, E, R any](s S, f func(E) R, opts ...Option) []R {
	refuse("Map", 0, f == nil)
	if s == nil {
		return nil
	}
	to := uncleared[R](len(s))
	do(len(s), &mapping[E, R]{to, s, f}, configured(opts))
	return to
}

// MapInto writes f of each element of s to the element of dst with the same index. The
// two may be the same memory if each element is at the same index. It panics if they
// differ in length.
func MapInto[E, R any](dst []R, s []E, f func(E) R, opts ...Option) {
	refuse("MapInto", 0, f == nil)
	sameLength("MapInto", len(dst), len(s))
	do(len(s), &mapping[E, R]{dst, s, f}, configured(opts))
}

type mapping[E, R any] struct {
	to   []R
	from []E
	f    func(E) R
}

func (m *mapping[E, R]) run(lo, hi int) error {
	to, from, f := m.to[lo:hi], m.from[lo:hi], m.f
	for ; len(to) >= 4 && len(from) >= 4; to, from = to[4:], from[4:] {
		to[0] = f(from[0])
		to[1] = f(from[1])
		to[2] = f(from[2])
		to[3] = f(from[3])
	}
	for i := range to {
		to[i] = f(from[i])
	}
	return nil
}

// MapErr is Map for a function that may fail, and that wants a context: see [ForErr]. With
// an error it returns nil.
func MapErr[S ~[]E, E, R any](ctx context.Context, s S, f func(context.Context, E) (R, error), opts ...Option) ([]R, error) {
	refuse("MapErr", 0, f == nil)
	mustContext("MapErr", ctx)
	to := uncleared[R](len(s))
	if err := do(len(s), &attempts[E, R]{ctx, to, s, f}, within(ctx, opts)); err != nil || s == nil {
		return nil, err
	}
	return to, nil
}

type attempts[E, R any] struct {
	ctx  context.Context
	to   []R
	from []E
	f    func(context.Context, E) (R, error)
}

func (a *attempts[E, R]) run(lo, hi int) (err error) {
	for i := lo; i < hi && err == nil; i++ {
		a.to[i], err = a.f(a.ctx, a.from[i])
	}
	return err
}

// FlatMap returns the elements of f of each element of s, in order, in memory of exactly
// their size. The result is nil if s is.
//
// Besides the result it allocates a slice and a word for each element.
func FlatMap[S ~[]E, E, R any](s S, f func(E) []R, opts ...Option) []R {
	refuse("FlatMap", 0, f == nil)
	if s == nil {
		return nil
	}
	c := configured(opts)
	parts, ends := make([][]R, len(s)), make([]int, len(s)+1)
	do(len(s), &parted[E, R]{parts, ends, s, f}, c)
	c = c.further()
	scan(ends, ends, func(a, b int) int { return a + b }, c)
	to := uncleared[R](ends[len(s)])
	do(len(parts), &joined[R]{to, parts, ends}, c)
	return to
}

// A parted is the first pass of a FlatMap. It writes the length of part i to ends[i+1].
type parted[E, R any] struct {
	parts [][]R
	ends  []int
	s     []E
	f     func(E) []R
}

func (p *parted[E, R]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		p.parts[i] = p.f(p.s[i])
		p.ends[i+1] = len(p.parts[i])
	}
	return nil
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
	do(n, &table[R]{to, f}, configured(opts))
	return to
}

type table[R any] struct {
	to []R
	f  func(i int) R
}

func (t *table[R]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		t.to[i] = t.f(i)
	}
	return nil
}
