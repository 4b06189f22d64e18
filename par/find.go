package par

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// IndexFunc returns the lowest index i with ok(s[i]), or -1. It calls ok for all elements
// below that, and for some above.
func IndexFunc[S ~[]E, E any](s S, ok func(E) bool, opts ...Option) int {
	refuse("IndexFunc", 0, ok == nil)
	return indexOf(s, ok, true, opts)
}

// ContainsFunc reports whether ok is true for any element: see [IndexFunc]. Other libraries call
// it Any, AnyFunc or Some.
func ContainsFunc[S ~[]E, E any](s S, ok func(E) bool, opts ...Option) bool {
	refuse("ContainsFunc", 0, ok == nil)
	return indexOf(s, ok, true, opts) >= 0
}

// AllFunc reports whether ok is true for every element. It calls ok for all below the first for
// which it is false, and for some above.
func AllFunc[S ~[]E, E any](s S, ok func(E) bool, opts ...Option) bool {
	refuse("AllFunc", 0, ok == nil)
	return indexOf(s, ok, false, opts) < 0
}

func indexOf[E any](s []E, ok func(E) bool, want bool, opts []Option) int {
	var c config
	c.heeds(codeOf(ok), opts)
	if at, found := c.each(len(s), &search[E]{s, ok, want}).(foundAt); found {
		c.left()
		return int(at)
	}
	return -1
}

// A foundAt ends a loop as an error does: the lowest counts.
type foundAt int

func (foundAt) Error() string { return "found" }

type search[E any] struct {
	s    []E
	ok   func(E) bool
	want bool
}

func (f *search[E]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	s, ok, want := f.s[lo:hi], f.ok, f.want
	for ; len(s) >= 4; s = s[4:] {
		switch want {
		case ok(s[0]):
			return 0, foundAt(hi - len(s))
		case ok(s[1]):
			return 0, foundAt(hi - len(s) + 1)
		case ok(s[2]):
			return 0, foundAt(hi - len(s) + 2)
		case ok(s[3]):
			return 0, foundAt(hi - len(s) + 3)
		}
		if stop.Load() {
			return hi - len(s) + 4, nil
		}
	}
	for i, x := range s {
		if at = hi - len(s) + i; ok(x) == want {
			return at, foundAt(at)
		}
		if stop.Load() {
			return at + 1, nil
		}
	}
	return hi, nil
}

// CountFunc returns for how many elements ok is true.
func CountFunc[S ~[]E, E any](s S, ok func(E) bool, opts ...Option) int {
	refuse("CountFunc", 0, ok == nil)
	var c config
	c.heeds(codeOf(ok), opts)
	return folded(len(s), rangeOf(len(s)), counting[E]{s, ok}, &c)
}

type counting[E any] struct {
	s  []E
	ok func(E) bool
}

func (c counting[E]) join(a, b int) int { return a + b }

func (c counting[E]) fold(_ context.Context, lo, hi int) (n int, _ error) {
	for _, x := range c.s[lo:hi] {
		if c.ok(x) {
			n++
		}
	}
	return n, nil
}
