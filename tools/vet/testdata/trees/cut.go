package trees

import loops "github.com/rouse-go/rouse/par"

const grain = 1 << 16

var least = 10_000

type options struct{ grain int }

// A recursion that ends where there are few elements: each path to the loop says that there are many.
func cut(s []int, lo, hi, limit int, o *options) {
	n, next := len(s), func(int) { cut(s[1:], lo, hi, limit, o) }
	if len(s) > grain {
		loops.For(2, next)
	} else {
		loops.For(2, next) // want `the 2 elements of par.For`
	}
	for n >= grain {
		loops.For(2, next)
	}
	switch {
	case n > grain && n%2 == 0:
		loops.For(2, next)
	case n > 10:
		loops.For(2, next) // want `the 2 elements of par.For`
	case grain > n, n == 5000:
		loops.For(2, next) // want `the 2 elements of par.For`
	default:
		func() { loops.For(2, next) }()
	}
	for range s {
		if small := n <= least; small {
			continue
		}
		loops.For(2, next)
	}
	if !(n >= 8000) || n == 0 {
		panic("few")
	}
	for range s {
		loops.For(2, next)
	}
}

// The source does not say how many, but that there is a limit for a length, a difference or a variable.
func limits(s []int, lo, hi, limit int, o *options) {
	next := func(int) { limits(s, lo, hi, limit, o) }
	if limit < len(s) {
		loops.For(2, next)
	}
	if hi-lo > limit {
		loops.For(2, next)
	}
	if hi > o.grain {
		loops.For(2, next)
	}
}

// What it calls cuts itself off.
func outer(s []int) { loops.For(2, func(int) { inner(s) }) }

func inner(s []int) {
	if len(s) > grain {
		outer(s[1:])
	}
}

// A recursion that goes on to a few elements, and conditions that say something else.
func small(s []int, lo, hi int, o *options) {
	next := func(int) { small(s[1:], lo, hi, o) }
	if len(s) < 2 || lo >= hi || lo < 0 || lo > o.grain {
		return
	}
	loops.For(2, next) // want `the 2 elements of par.For`
	if len(s) > 999 {
		loops.For(2, next) // want `the 2 elements of par.For`
	}
	if hi < 100_000 {
		println("few")
	}
	if hi > 100_000 || hi < 100_000 && hi%2 == 0 || hi == 100_000 {
		return
	}
	loops.For(2, next) // want `the 2 elements of par.For`
	if hi < 100_000 {
		return
	}
}

// Comments that suppress a report: with a reason, for this analyzer, and for this line.
func ignored(n int) {
	next := func(int) { ignored(n - 1) }
	//lint:ignore rousetree every leaf takes a second
	loops.For(2, next)
	loops.For(2, next) //lint:ignore rouse*,SA9999 every leaf takes a second
	/* want `this comment gives no reason: want //lint:ignore rousetree and why that is right` */ //lint:ignore rousetree
	loops.For(2, next)                                                                            // want `the 2 elements of par.For`
	//lint:ignore rouseworker of another kind
	loops.For(2, next) // want `the 2 elements of par.For`
	println()          //lint:ignore rousetree of this line
	loops.For(2, next) // want `the 2 elements of par.For`
	//lint:ignore rousetree not of the next but one

	loops.For(2, next) // want `the 2 elements of par.For`
}
