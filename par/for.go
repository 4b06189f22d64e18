package par

import (
	"context"
	"strconv"
)

// For calls body(i) for each i from 0 to n-1, possibly several at the same time, and
// returns when all calls have. They must not wait for each other.
//
// If one panics, so does For with the value of the lowest that does, when no other runs
// any more. A negative n and a nil body panic. For costs a call of body for each index, and
// some tens of nanoseconds; it allocates nothing if it is over within the quantum, and one
// object if not.
func For(n int, body func(i int), opts ...Option) {
	refuse("For", n, body == nil)
	do(n, each(body), configured(opts))
}

// each is the body of For.
type each func(i int)

// Like the other bodies that do nothing but call, it has four calls in a turn of its loop:
// a turn costs about as much as a short function.
func (f each) run(lo, hi int) error {
	for ; hi-lo >= 4; lo += 4 {
		f(lo)
		f(lo + 1)
		f(lo + 2)
		f(lo + 3)
	}
	for ; lo < hi; lo++ {
		f(lo)
	}
	return nil
}

// ForRange calls body(lo, hi) for ranges that together are 0 to n-1, each index once. It is
// the loop that costs least: body has a loop of its own, which the compiler sees. The ranges
// are not the same each time: use [FoldRange] for a result that depends on them. It is
// otherwise as [For].
//
// A range takes some microseconds, so what body sets up before its loop is set up hundreds
// of times. A [Scratch] sets it up once for each goroutine that calls body.
func ForRange(n int, body func(lo, hi int), opts ...Option) {
	refuse("ForRange", n, body == nil)
	do(n, ranges(body), configured(opts))
}

type ranges func(lo, hi int)

func (f ranges) run(lo, hi int) error {
	f(lo, hi)
	return nil
}

// Each calls body(i, &s[i]) for each element of s. It is otherwise as [For].
func Each[S ~[]E, E any](s S, body func(i int, x *E), opts ...Option) {
	refuse("Each", 0, body == nil)
	do(len(s), &elements[E]{s, body}, configured(opts))
}

type elements[E any] struct {
	s    []E
	body func(i int, x *E)
}

func (e *elements[E]) run(lo, hi int) error {
	s, body := e.s[lo:hi], e.body
	for ; len(s) >= 4; lo, s = lo+4, s[4:] {
		body(lo, &s[0])
		body(lo+1, &s[1])
		body(lo+2, &s[2])
		body(lo+3, &s[3])
	}
	for i := range s {
		body(lo+i, &s[i])
	}
	return nil
}

// Do calls all functions, possibly at the same time, and returns when all have. They must
// not wait for each other. It is for few functions that take long: unlike the other calls of
// this package, it asks others for help before the first one begins.
func Do(fns []func(), opts ...Option) {
	for _, fn := range fns {
		refuse("Do", 0, fn == nil)
	}
	c := configured(opts)
	c.atOnce = true
	do(len(fns), each(func(i int) { fns[i]() }), c)
}

// DoErr is [Do] for functions that may fail, and that want a context, as [ForErr] is For with
// errors: the error is that of the first in order that fails.
func DoErr(ctx context.Context, fns []func(context.Context) error, opts ...Option) error {
	for _, fn := range fns {
		refuse("DoErr", 0, fn == nil)
	}
	mustContext("DoErr", ctx)
	c := within(ctx, opts)
	c.atOnce = true
	return do(len(fns), &functions{ctx, fns}, c)
}

type functions struct {
	ctx context.Context
	fns []func(context.Context) error
}

func (f *functions) run(lo, hi int) error {
	for _, fn := range f.fns[lo:hi] {
		if err := fn(f.ctx); err != nil {
			return err
		}
	}
	return nil
}

// ForErr is [For] for a body that may fail, and that wants a context. It returns the error
// of the lowest index that fails: all below that have run, and some above may have. A body
// that has begun is not interrupted: the context that it is handed is ctx itself, which an
// error of another one does not end.
//
// When ctx ends, no further range of indices begins: those under way take some
// microseconds, or a body if that takes longer. If an index is left out, and none below it
// has failed, ForErr returns an error for which errors.Is is true with that of ctx, and with its cause.
// A nil ctx panics.
func ForErr(ctx context.Context, n int, body func(ctx context.Context, i int) error, opts ...Option) error {
	refuse("ForErr", n, body == nil)
	mustContext("ForErr", ctx)
	return do(n, &tries{ctx, body}, within(ctx, opts))
}

type tries struct {
	ctx  context.Context
	body func(ctx context.Context, i int) error
}

func (t *tries) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		if err := t.body(t.ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// ForRangeErr is [ForRange] with errors, as [ForErr] is For with errors: the error is that
// of the lowest range that fails. The ranges differ from call to call, so a body that wants
// the same error each time fails at the first element that it must.
func ForRangeErr(ctx context.Context, n int, body func(ctx context.Context, lo, hi int) error, opts ...Option) error {
	refuse("ForRangeErr", n, body == nil)
	mustContext("ForRangeErr", ctx)
	return do(n, &rangeTries{ctx, body}, within(ctx, opts))
}

type rangeTries struct {
	ctx  context.Context
	body func(ctx context.Context, lo, hi int) error
}

func (t *rangeTries) run(lo, hi int) error { return t.body(t.ctx, lo, hi) }

// EachErr is [Each] with errors, as [ForErr] is For with errors.
func EachErr[S ~[]E, E any](ctx context.Context, s S, body func(ctx context.Context, i int, x *E) error, opts ...Option) error {
	refuse("EachErr", 0, body == nil)
	mustContext("EachErr", ctx)
	return do(len(s), &elementTries[E]{ctx, s, body}, within(ctx, opts))
}

type elementTries[E any] struct {
	ctx  context.Context
	s    []E
	body func(ctx context.Context, i int, x *E) error
}

func (t *elementTries[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		if err := t.body(t.ctx, i, &t.s[i]); err != nil {
			return err
		}
	}
	return nil
}

func mustContext(what string, ctx context.Context) {
	if ctx == nil {
		panic("par: " + what + " with a nil context: use context.Background")
	}
}

func refuse(what string, n int, none bool) {
	switch {
	case none:
		panic("par: " + what + " with a nil function")
	case n < 0:
		panic("par: " + what + " over " + strconv.Itoa(n) + " elements")
	}
}
