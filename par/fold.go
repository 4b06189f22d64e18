package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// FoldRange returns what op makes of leaf(lo, hi) of the ranges that together are 0 to
// n-1, in their order. op is associative; it need not be commutative. The ranges, and how
// the brackets stand, depend on n alone, so the result is the same on any number of
// workers, to the last bit. op may change its first argument and return it. With n = 0
// FoldRange returns leaf(0, 0).
//
// There are at most 511 ranges, of one element each if n is below 512. FoldRange
// allocates room for what they give, and an eighth more.
func FoldRange[A any](n int, leaf func(lo, hi int) A, op func(a, b A) A, opts ...Option) A {
	refuse("FoldRange", n, leaf == nil || op == nil)
	c := configured(opts)
	if n == 0 {
		c.finished(0)
		return leaf(0, 0)
	}
	return folded(n, manyRanges, folder[A]{leaf, op}, c.by(codeOf(leaf)))
}

// Fold returns what merge makes of parts of s, in their order, each folded from a value of
// start by add. The parts depend on the length of s alone, so the result is the same on
// any number of workers, to the last bit, if start returns the same each time. With an
// empty s it returns start().
//
// There are at most 511 parts, of one element each if s has fewer than 512. A part and what
// start made for it belong to one call of add or merge at a time: add and merge may change
// their first argument and return it.
func Fold[S ~[]E, E, A any](s S, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) A {
	refuse("Fold", 0, start == nil || add == nil || merge == nil)
	c := configured(opts)
	if len(s) == 0 {
		c.finished(0)
		return start()
	}
	return folded(len(s), manyRanges, elementFolder[E, A]{s, start, add, merge}, c.by(codeOf(add)))
}

type elementFolder[E, A any] struct {
	s     []E
	start func() A
	add   func(A, E) A
	merge func(a, b A) A
}

func (f elementFolder[E, A]) fold(_ context.Context, lo, hi int) (A, error) {
	sum, add := f.start(), f.add
	for _, x := range f.s[lo:hi] {
		sum = add(sum, x)
	}
	return sum, nil
}

func (f elementFolder[E, A]) join(a, b A) A { return f.merge(a, b) }

// FoldErr is [Fold] for an add that may fail, and that wants a context: see [ForErr]. With an
// error it returns the zero A.
func FoldErr[S ~[]E, E, A any](ctx context.Context, s S, start func() A, add func(context.Context, A, E) (A, error), merge func(a, b A) A, opts ...Option) (sum A, err error) {
	refuse("FoldErr", 0, start == nil || add == nil || merge == nil)
	mustContext("FoldErr", ctx)
	c := within(ctx, opts)
	if len(s) == 0 {
		c.finished(0)
		return start(), nil
	}
	return fold(len(s), manyRanges, adding[E, A]{s, start, add, merge}, c.by(codeOf(add)))
}

type adding[E, A any] struct {
	s     []E
	start func() A
	add   func(context.Context, A, E) (A, error)
	merge func(a, b A) A
}

func (a adding[E, A]) join(x, y A) A { return a.merge(x, y) }

func (a adding[E, A]) fold(ctx context.Context, lo, hi int) (sum A, err error) {
	sum = a.start()
	for i := lo; i < hi && err == nil; i++ {
		sum, err = a.add(ctx, sum, a.s[i])
	}
	return sum, err
}

// Reduce returns s[0] op s[1] op … in the order of s, and whether there is an element. op
// is associative; it need not be commutative. How the brackets stand depends on the length
// of s alone, so the result is the same on any number of workers, to the last bit.
//
// It calls op len(s)-1 times, and allocates room for at most 511 elements, and an eighth
// more. op must leave its arguments as they are: use [Fold] for one that changes them.
func Reduce[S ~[]E, E any](s S, op func(a, b E) E, opts ...Option) (sum E, ok bool) {
	refuse("Reduce", 0, op == nil)
	c := configured(opts)
	if len(s) == 0 {
		c.finished(0)
		return sum, false
	}
	return folded(len(s), manyRanges, reduction[E]{s, op}, c.by(codeOf(op))), true
}

// manyRanges is how many ranges a fold has at least, if it has as many elements: enough to
// share among some dozens of workers, even if some take longer than others.
const manyRanges = 256

// fan is how many results of ranges are put together in one step.
const fan = 8

// A leaf is what folds do with ranges of indices. It has all that there is to call, so that
// a fold needs no closures: those would be allocated.
type leaf[A any] interface {
	// fold folds a range, at least one index.
	fold(ctx context.Context, lo, hi int) (A, error)
	// join puts together the results of two neighbours.
	join(a, b A) A
}

type folder[A any] struct {
	leaf func(lo, hi int) A
	op   func(a, b A) A
}

func (f folder[A]) fold(_ context.Context, lo, hi int) (A, error) { return f.leaf(lo, hi), nil }
func (f folder[A]) join(a, b A) A                                 { return f.op(a, b) }

// A reduction folds elements by an operation.
type reduction[E any] struct {
	s  []E
	op func(a, b E) E
}

func (r reduction[E]) fold(_ context.Context, lo, hi int) (E, error) { return r.of(lo, hi), nil }
func (r reduction[E]) join(a, b E) E                                 { return r.op(a, b) }

func (r reduction[E]) of(lo, hi int) E {
	sum, s, op := r.s[lo], r.s[lo+1:hi], r.op
	for ; len(s) >= 4; s = s[4:] {
		sum = op(op(op(op(sum, s[0]), s[1]), s[2]), s[3])
	}
	for _, x := range s {
		sum = op(sum, x)
	}
	return sum
}

// partsOf is how many parts of a size n elements have.
func partsOf(n, size int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/size + 1
}

// part returns where part i of a size begins and ends, of n elements.
func part(i, size, n int) (lo, hi int) {
	lo = i * size
	return lo, lo + min(size, n-lo)
}

// fold folds n elements, at least one, in ranges whose number depends on n alone: at least
// many, if there are as many elements, and at most twice that. Then it puts their results
// together, eight neighbours at a time, until one is left. Each of the two is a loop, so a
// fold has the promises of loops.
func fold[A any, L leaf[A]](n, many int, l L, c config) (sum A, err error) {
	size := max(1, n/many)
	count := partsOf(n, size)
	room := make([]A, count+partsOf(count, fan))
	f := &folding[A, L]{leaf: l, n: n, size: size, to: room[:count]}
	c.loop = &f.loop
	if err := doEach(count, f, c.stage(n, 0, 1, 1)); err != nil {
		return sum, err
	}
	for next := room[count:]; len(f.to) > 1; {
		f.parts = f.to
		f.to, next = next[:partsOf(len(f.to), fan)], f.to
		do(len(f.to), (*joining[A, L])(f), c.further())
	}
	c.finished(n)
	return f.to[0], nil
}

// folded is fold with a leaf that returns no error.
func folded[A any, L leaf[A]](n, many int, l L, c config) A {
	sum, _ := fold(n, many, l, c)
	return sum
}

// A folding is a fold, first over ranges of elements.
type folding[A any, L leaf[A]] struct {
	loop    *loop
	leaf    L
	n, size int
	parts   []A
	to      []A
}

func (f *folding[A, L]) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	for lo < hi && err == nil {
		from, to := part(lo, f.size, f.n)
		f.to[lo], err = f.leaf.fold(ctx, from, to)
		if lo++; stop.Load() {
			break
		}
	}
	return lo, err
}

// A joining is the same, over the results of that.
type joining[A any, L leaf[A]] folding[A, L]

func (f *joining[A, L]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		first, end := part(i, fan, len(f.parts))
		sum := f.parts[first]
		for _, x := range f.parts[first+1 : end] {
			sum = f.leaf.join(sum, x)
		}
		f.to[i] = sum
	}
	return nil
}
