package flat

import "github.com/rouse-go/rouse/par"

const grain = 1 << 16

var least = 10_000

// A recursion that ends where there are few elements.
func total(s []int) (sum int) {
	if len(s) < 65536 {
		for _, x := range s {
			sum += x
		}
		return sum
	}
	var l, r int
	mid := len(s) / 2
	par.Do([]func(){
		func() { l = total(s[:mid]) },
		func() { r = total(s[mid:]) },
	})
	return l + r
}

func sorted(s []int) {
	mid := len(s) / 2
	if len(s) > grain {
		par.For(2, func(i int) { sorted(s[i*mid : (i+1)*mid]) })
	} else {
		sorted(s[:mid])
		sorted(s[mid:])
	}
}

func between(lo, hi int) {
	if hi-lo <= least || lo == 0 {
		return
	}
	mid := (lo + hi) / 2
	par.Do([]func(){func() { between(lo, mid) }, func() { between(mid, hi) }})
}

func cases(s []int, n int) {
	switch {
	case n <= 1, n < 4096:
		return
	case n == 5000:
		panic("no")
	default:
		par.For(2, func(int) { cases(s, n/2) })
	}
	if small := n < 5000; small {
		return
	} else if !(n >= 8000) {
		return
	}
	par.For(2, func(int) { cases(s, n/2) })
}

func caseOf(n int) {
	switch {
	case n > grain && n%2 == 0:
		par.For(2, func(int) { caseOf(n / 2) })
	case n > 10:
		caseOf(n - 1)
	}
	for n >= grain {
		par.For(2, func(int) { caseOf(n / 2) })
	}
	switch {
	case grain > n:
		return
	}
	par.For(2, func(int) { caseOf(n / 2) })
}

// The source does not say how many, but that there is a limit for a length.
func upTo(s []int, limit int) {
	if len(s) <= limit {
		return
	}
	mid := len(s) / 2
	par.Do([]func(){func() { upTo(s[:mid], limit) }, func() { upTo(s[mid:], limit) }})
}

type options struct{ grain, depth int }

func (o *options) upTo(n int) {
	if n <= o.grain {
		return
	}
	par.For(2, func(int) { o.upTo(n / 2) })
}

// What it calls cuts itself off.
func outer(s []int) {
	par.Do([]func(){func() { inner(s) }, func() { inner(s) }})
}

func inner(s []int) {
	if len(s) > grain {
		outer(s[len(s)/2:])
	}
}

// This is what the author wants.
func slow(n int) {
	//lint:ignore rousetree every leaf takes a second
	par.For(2, func(int) { slow(n - 1) })
	par.For(2, func(int) { slow(n - 1) }) //lint:ignore rousetree every leaf takes a second
}
