package trees

import loops "github.com/rouse-go/rouse/par"

const grain = 1 << 16

var least = 10_000

type options struct{ grain int }

// A recursion that ends where there are few elements.
func cut(s []int, limit int, o *options) {
	n, next := len(s), func(int) { cut(s[1:], limit, o) }
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
	case n < 4096, n == 5000:
		loops.For(2, next) // want `the 2 elements of par.For`
	default:
		loops.For(2, next)
	}
}

func after(n int, some bool) {
	next := func(int) { after(n/2, some) }
	if small := n < 5000; small {
		return
	}
	loops.For(2, next)
}

func afterNot(n int) {
	if !(n >= 8000) || n == 0 {
		panic("few")
	}
	loops.For(2, func(int) { afterNot(n / 2) })
}

func afterCase(n int) {
	switch {
	case grain > n:
		return
	}
	loops.For(2, func(int) { afterCase(n / 2) })
}

func inDefault(n int) {
	switch {
	case n > 10:
		if n < 5000 {
			break
		}
		loops.For(2, func(int) { inDefault(n / 2) })
	}
}

// The source does not say how many, but that there is a limit for a length, a difference or a variable.
func upTo(s []int, limit int) {
	if len(s) <= limit {
		return
	}
	loops.For(2, func(int) { upTo(s[1:], limit) })
}

func between(lo, hi int) {
	if hi-lo <= least {
		return
	}
	loops.For(2, func(int) { between(lo+1, hi) })
}

func (o *options) upTo(n int) {
	if n <= o.grain {
		return
	}
	loops.For(2, func(int) { o.upTo(n / 2) })
}

// What it calls cuts itself off.
func outer(s []int) { loops.For(2, func(int) { inner(s) }) }

func inner(s []int) {
	if len(s) > grain {
		outer(s[1:])
	}
}

// A recursion that goes on to a few elements, and conditions that say something else.
func small(s []int, lo, hi int) {
	next := func(int) { small(s[1:], lo, hi) }
	if len(s) < 2 || lo >= hi {
		return
	}
	loops.For(2, next) // want `the 2 elements of par.For`
	if len(s) > 999 {
		loops.For(2, next) // want `the 2 elements of par.For`
	}
	if hi > 100_000 {
		return
	}
	if hi < 100_000 {
		println("few")
	}
	if hi < 100_000 && hi%2 == 0 || hi == 100_000 {
		return
	}
	switch hi {
	case 100_000:
		return
	}
	loops.For(2, next) // want `the 2 elements of par.For`
	if hi < 100_000 {
		return
	}
}

func (o *options) depth(depth int) {
	if depth < 0 || depth > o.grain {
		return
	}
	loops.For(2, func(i int) { o.depth(depth + 1) }) // want `the 2 elements of par.For`
}

// Comments that suppress a report: with a reason, for this analyzer, and for this line.
func ignored(n int) {
	next := func(int) { ignored(n - 1) }
	//lint:ignore rousetree every leaf takes a second
	loops.For(2, next)
	loops.For(2, next) //lint:ignore rousetree every leaf takes a second
	/* want `this comment gives no reason: want //lint:ignore rousetree and why that is right` */ //lint:ignore rousetree
	loops.For(2, next)                                                                            // want `the 2 elements of par.For`
	//lint:ignore rouseworker of another kind
	loops.For(2, next) // want `the 2 elements of par.For`
	println()          //lint:ignore rousetree of this line
	loops.For(2, next) // want `the 2 elements of par.For`
	//lint:ignore rousetree not of the next but one

	loops.For(2, next) // want `the 2 elements of par.For`
}
