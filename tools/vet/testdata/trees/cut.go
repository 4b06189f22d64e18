package trees

import loops "github.com/rouse-go/rouse/par"

// A recursion that goes on to a few elements.
func toTheEnd(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	loops.Do([]func(){func() { toTheEnd(s[:mid]) }, func() { toTheEnd(s[mid:]) }}) // want `the 2 elements of par.Do`
}

func few100(s []int) {
	if len(s) > 100 {
		mid := len(s) / 2
		loops.Do([]func(){func() { few100(s[:mid]) }, func() { few100(s[mid:]) }}) // want `the 2 elements of par.Do`
	}
}

func between(lo, hi int) {
	if lo >= hi {
		return
	}
	mid := (lo + hi) / 2
	loops.Do([]func(){func() { between(lo, mid) }, func() { between(mid, hi) }}) // want `the 2 elements of par.Do`
}

// Conditions of large numbers that say something else.
func limits(n int) {
	if n > 100_000 {
		return
	}
	if n < 100_000 {
		loops.For(2, func(int) { limits(n / 2) }) // want `the 2 elements of par.For`
	}
	if n < 100_000 {
		println("few")
	}
	if n < 100_000 && n%2 == 0 {
		return
	}
	if n == 100_000 || n < 0 {
		return
	}
	switch {
	case n < 100_000:
		loops.For(2, func(int) { limits(n / 2) }) // want `the 2 elements of par.For`
	}
	loops.For(2, func(int) { limits(n / 2) }) // want `the 2 elements of par.For`
	if n < 100_000 {
		return
	}
}

type ranged struct{ lo, hi, depth int }

func (r ranged) halves(depth int) {
	if r.lo >= r.hi || depth > r.depth {
		return
	}
	loops.For(2, func(i int) { ranged{r.lo + i, r.hi - i, r.depth}.halves(depth + 1) }) // want `the 2 elements of par.For`
}

// Without a reason, for another analyzer, or for another line.
func reasons(n int) {
	/* want `this comment gives no reason: want //lint:ignore rousetree and why that is right` */ //lint:ignore rousetree
	loops.For(2, func(int) { reasons(n - 1) })                                                    // want `the 2 elements of par.For`
	//lint:ignore rouseworker of another kind
	loops.For(2, func(int) { reasons(n - 1) }) // want `the 2 elements of par.For`
	println()                                  //lint:ignore rousetree of this line
	loops.For(2, func(int) { reasons(n - 1) }) // want `the 2 elements of par.For`
	//lint:ignore rousetree not of the next but one

	loops.For(2, func(int) { reasons(n - 1) }) // want `the 2 elements of par.For`
}
