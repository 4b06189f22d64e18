package work

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Fib computes the n-th Fibonacci number with a fork at every call, the usual
// measure of what a fork costs.
func Fib(n int) *Program {
	return &Program{
		Plain: func() uint64 { return fib(n) },
		InGo:  forks(func() uint64 { return goFib(n) }),
		Pool:  onPool(forkFib, n),
	}
}

// FibForks is the number of forks of Fib(n).
func FibForks(n int) int { return int(FibNumber(n+1)) - 1 }

// FibNumber is the n-th Fibonacci number, by addition.
func FibNumber(n int) uint64 {
	var a, b uint64 = 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}

func fib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fib(n-1) + fib(n-2)
}

func goFib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	var x, y uint64
	goBoth(func() { x = goFib(n - 2) }, func() { y = goFib(n - 1) })
	return x + y
}

func forkFib(w *pool.Worker, n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	x, y := pool.Invoke(w, forkFib, n-1, forkFib, n-2)
	return x + y
}

// Tree sums the values of a complete binary tree of 2^depth-1 nodes, with a
// fork at every inner node. Before each run it leaves the workers alone for
// the pause, so that they sleep.
func Tree(depth int, pause time.Duration) *Program {
	t := newTree(1, depth)
	return &Program{
		Prepare: func() { time.Sleep(pause) },
		Plain:   t.sum,
		InGo:    forks(t.goSum),
		Pool:    onPool(forkSum, t),
	}
}

type tree struct {
	left, right *tree
	value       uint64
}

// newTree numbers the nodes as a heap does, from 1. It allocates parents before
// their children, left before right, so that the sum reads them in the order
// that they lie in.
func newTree(i uint64, depth int) *tree {
	if depth == 0 {
		return nil
	}
	t := &tree{value: i}
	t.left = newTree(2*i, depth-1)
	t.right = newTree(2*i+1, depth-1)
	return t
}

func (t *tree) sum() uint64 {
	if t.left == nil {
		return t.value
	}
	return t.left.sum() + t.value + t.right.sum()
}

func (t *tree) goSum() uint64 {
	if t.left == nil {
		return t.value
	}
	var left, right uint64
	goBoth(func() { right = t.right.goSum() }, func() { left = t.left.goSum() })
	return left + t.value + right
}

func forkSum(w *pool.Worker, t *tree) uint64 {
	if t.left == nil {
		return t.value
	}
	left, right := pool.Invoke(w, forkSum, t.left, forkSum, t.right)
	return left + t.value + right
}

// Integrate is the integral of (x²+1)x from 0 to the given end by the trapezoid
// rule, which halves an interval until that changes its area by less than
// 1e-9, with a fork at every halving; after the example in Cilk. The result is
// a float64, as bits.
func Integrate(end float64) *Program {
	whole := interval{0, end, curve(0), curve(end)}
	return &Program{
		Plain: func() uint64 { return math.Float64bits(integrate(whole)) },
		InGo:  forks(func() uint64 { return math.Float64bits(goIntegrate(whole)) }),
		Pool: onPool(func(w *pool.Worker, i interval) uint64 {
			return math.Float64bits(forkIntegrate(w, i))
		}, whole),
	}
}

const epsilon = 1e-9

// Conversions keep products from being fused with sums, so that all shapes, and
// the programs in other languages, come to the same bits on every platform. A
// product with one half is exact.

func curve(x float64) float64 { return float64((float64(x*x) + 1) * x) }

// An interval is one from x1 to x2, with the values of the curve there. The
// area of the trapezoid between is computed anew where it is needed, although
// whoever halved the interval knew it: the compiler keeps no struct of five
// fields in registers.
type interval struct {
	x1, x2, y1, y2 float64
}

func (i interval) area() float64 { return float64((i.y1 + i.y2) / 2 * (i.x2 - i.x1)) }

func (i interval) halves() (left, right interval) {
	x := i.x1 + (i.x2-i.x1)/2
	y := curve(x)
	return interval{i.x1, x, i.y1, y}, interval{x, i.x2, y, i.y2}
}

// isFine reports whether the area of both halves is that of the whole interval.
func (i interval) isFine(area float64) bool { return math.Abs(area-i.area()) < epsilon }

func integrate(i interval) float64 {
	left, right := i.halves()
	if area := left.area() + right.area(); i.isFine(area) {
		return area
	}
	return integrate(left) + integrate(right)
}

func goIntegrate(i interval) float64 {
	left, right := i.halves()
	if area := left.area() + right.area(); i.isFine(area) {
		return area
	}
	var x, y float64
	goBoth(func() { x = goIntegrate(left) }, func() { y = goIntegrate(right) })
	return x + y
}

func forkIntegrate(w *pool.Worker, i interval) float64 {
	left, right := i.halves()
	if area := left.area() + right.area(); i.isFine(area) {
		return area
	}
	first, second := pool.Invoke(w, forkIntegrate, left, forkIntegrate, right)
	return first + second
}
