package par

import (
	"context"
	"strconv"

	"github.com/rouse-go/rouse/api/prim"
)

// For calls body(i) for each i from 0 to n-1, possibly several at the same time, and
// returns when all calls have. They must not wait for each other.
//
// If one panics, so does For with the value of the lowest that does, when no other runs
// any more. A negative n and a nil body panic. For costs a call of body for each index, and
// a tenth of a microsecond; if it is shared, tens of microseconds. It allocates nothing if
// the caller does it alone.
//
// A buffer that bodies use for a while belongs into a [Scratch], which makes one for each
// goroutine at work. A body that forks needs a worker: see [ForWorker]. For two halves in a function
// that calls itself see [Do].
func For(n int, body func(i int), opts ...Option) {
	refuse("For", n, body == nil)
	var c config
	c.heeds(codeOf(body), opts)
	c.each(n, each(body))
}

// each is the body of For.
type each func(i int)

// It has four calls in a turn of its loop, as some other bodies do: a turn costs about as much as a
// short function. Where functions are seldom so short, an operation has no body of its own: it takes
// this one, or tries, at the price of one call more.
func (f each) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	for hi-lo >= 4 {
		f(lo)
		f(lo + 1)
		f(lo + 2)
		f(lo + 3)
		if lo += 4; stop.Load() {
			return lo, nil
		}
	}
	for lo < hi {
		f(lo)
		if lo++; stop.Load() {
			break
		}
	}
	return lo, nil
}

// ForRange calls body(lo, hi) for ranges that together are 0 to n-1, each index once. It is
// the loop that costs least: body has a loop of its own, which the compiler sees. The ranges
// are not the same each time: use [FoldRange] for a result that depends on them. It is
// otherwise as [For].
//
// Ranges of a shared call have one element each until 64 have been timed. Then a range takes
// some microseconds, so a body that sets something up before its loop does so hundreds of
// times. With a [Scratch] each goroutine does it once.
//
// A call that the caller does alone, as the third short one in a row of the same body, has
// longer ranges from its second one on.
func ForRange(n int, body func(lo, hi int), opts ...Option) {
	refuse("ForRange", n, body == nil)
	var c config
	c.heeds(codeOf(body), opts)
	c.whole = true
	c.do(n, ranges(body))
}

type ranges func(lo, hi int)

func (f ranges) run(lo, hi int) error {
	f(lo, hi)
	return nil
}

// Each calls body(i, &s[i]) for each element of s. It is otherwise as [For].
func Each[S ~[]E, E any](s S, body func(i int, x *E), opts ...Option) {
	refuse("Each", 0, body == nil)
	var c config
	c.heeds(codeOf(body), opts)
	c.each(len(s), &eachOf[E]{s, body})
}

type eachOf[E any] struct {
	s    []E
	body func(i int, x *E)
}

func (e *eachOf[E]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	s, body := e.s[lo:hi], e.body
	for len(s) >= 4 {
		body(lo, &s[0])
		body(lo+1, &s[1])
		body(lo+2, &s[2])
		body(lo+3, &s[3])
		lo, s = lo+4, s[4:]
		if stop.Load() {
			return lo, nil
		}
	}
	for i := range s {
		body(lo, &s[i])
		if lo++; stop.Load() {
			break
		}
	}
	return lo, nil
}

// Do calls all functions, possibly at the same time, and returns when all have. They must
// not wait for each other. A nil function panics. It is otherwise as [For] over their indices.
//
// In a function that calls itself, Do costs some 4 µs at each node of the tree, as the README
// has measured. Unless all leaves take a millisecond, hand on a worker there, and fork: a fork of
// [pool.Invoke] that nobody takes costs about as much as a call. [pool.Run] calls the
// function for the root. The command rouse-vet finds such a Do.
func Do(fns []func(), opts ...Option) {
	var c config
	c.heeds(codesOf("Do", fns), opts)
	c.each(len(fns), each(func(i int) { fns[i]() }))
}

// DoErr is [Do] for functions that may fail, and that want a context, as [ForErr] is For with
// errors: the error is that of the first in order that fails.
func DoErr(ctx context.Context, fns []func(context.Context) error, opts ...Option) error {
	mustContext("DoErr", ctx)
	var c config
	c.within(ctx, codesOf("DoErr", fns), opts)
	return c.each(len(fns), tries(func(ctx context.Context, i int) error { return fns[i](ctx) }))
}

// codesOf returns a number for functions by their code, and refuses nil. Neighbours that are closures
// of one line count once: so it does not depend on how many there are.
func codesOf[F func() | func(context.Context) error](what string, fns []F) (code uintptr) {
	last := uintptr(0)
	for _, fn := range fns {
		refuse(what, 0, fn == nil)
		if at := codeOf(fn); at != last {
			code, last = code*31+at, at
		}
	}
	return code
}

// ForErr is [For] for a body that may fail, and that wants a context. It returns the error
// of the lowest index that fails: all below that have run, and some above may have.
//
// The context that a body is handed ends with ctx, and when a lower index has failed: nobody
// wants its result then. So the error is the same on every schedule, unless a body calls
// [runtime.Goexit] at the end of its context, as a failed test does.
//
// Indices next to each other share a context. It ends when all of them have run: that may be
// long after body has returned, and is at the latest when the call returns. So do not take its end
// for the end of body: body itself must end what it has begun. Code that outlives the call uses ctx
// itself. A call that the caller does alone hands on ctx, which does not end with the call.
//
// When ctx ends, no further range of indices begins: those under way take some
// microseconds, or a body if that takes longer. If an index is left out, and none below it
// has failed, ForErr returns an error for which [errors.Is] is true with that of ctx, and with
// its cause. A nil ctx panics.
func ForErr(ctx context.Context, n int, body func(ctx context.Context, i int) error, opts ...Option) error {
	refuse("ForErr", n, body == nil)
	mustContext("ForErr", ctx)
	var c config
	c.within(ctx, codeOf(body), opts)
	return c.each(n, tries(body))
}

type tries func(ctx context.Context, i int) error

func (f tries) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	for ; hi-lo >= 4; lo += 4 {
		err = f(ctx, lo)
		if err == nil {
			err = f(ctx, lo+1)
		}
		if err == nil {
			err = f(ctx, lo+2)
		}
		if err == nil {
			err = f(ctx, lo+3)
		}
		if err != nil || stop.Load() {
			return lo + 4, err
		}
	}
	for lo < hi && err == nil {
		err = f(ctx, lo)
		if lo++; stop.Load() {
			break
		}
	}
	return lo, err
}

// ForRangeErr is [ForRange] with errors, as [ForErr] is For with errors: the error is that
// of the lowest range that fails. The ranges differ from call to call, so a body that wants
// the same error each time fails at the first element that it must.
func ForRangeErr(ctx context.Context, n int, body func(ctx context.Context, lo, hi int) error, opts ...Option) error {
	refuse("ForRangeErr", n, body == nil)
	mustContext("ForRangeErr", ctx)
	var c config
	c.within(ctx, codeOf(body), opts)
	c.whole = true
	return c.each(n, rangeTries(body))
}

type rangeTries func(ctx context.Context, lo, hi int) error

func (f rangeTries) run(ctx context.Context, lo, hi int, _ *prim.Bool) (at int, err error) {
	return hi, f(ctx, lo, hi)
}

// EachErr is [Each] with errors, as [ForErr] is For with errors.
func EachErr[S ~[]E, E any](ctx context.Context, s S, body func(ctx context.Context, i int, x *E) error, opts ...Option) error {
	refuse("EachErr", 0, body == nil)
	mustContext("EachErr", ctx)
	var c config
	c.within(ctx, codeOf(body), opts)
	return c.each(len(s), tries(func(ctx context.Context, i int) error { return body(ctx, i, &s[i]) }))
}

func mustContext(what string, ctx context.Context) {
	if ctx == nil {
		panic("par: " + what + " with a nil context: use context.Background")
	}
}

func refuse(what string, n int, none bool) {
	if none || n < 0 {
		refused(what, n, none)
	}
}

func refused(what string, n int, none bool) {
	if none {
		panic("par: " + what + " with a nil function")
	}
	panic("par: " + what + " over " + strconv.Itoa(n) + " elements")
}
