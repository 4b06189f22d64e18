package work

import (
	"math"

	"github.com/rouse-go/rouse/pool"
)

// Integrate is the integral of a cubic from 0 to end, by halving intervals until their areas add up to
// that of the whole, after the example in Cilk. There is a fork at every halving.
func Integrate(end int) *Program {
	x := float64(end)
	whole := interval{0, cubic(0), x, cubic(x)}
	return &Program{
		Plain:      func() uint64 { return math.Float64bits(whole.area()) },
		Goroutines: func(int) uint64 { return math.Float64bits(whole.goArea()) },
		Pool: onPool(func(w *pool.Worker, i interval) uint64 {
			return math.Float64bits(forkArea(w, i))
		}, whole),
	}
}

func cubic(x float64) float64 { return (x*x + 1) * x }

type interval struct{ x1, y1, x2, y2 float64 }

func (i interval) trapezoid() float64 { return (i.y1 + i.y2) / 2 * (i.x2 - i.x1) }

// halve returns the two halves and their area, and whether that is exact enough.
func (i interval) halve() (left, right interval, area float64, done bool) {
	x := i.x1 + (i.x2-i.x1)/2
	y := cubic(x)
	left, right = interval{i.x1, i.y1, x, y}, interval{x, y, i.x2, i.y2}
	area = left.trapezoid() + right.trapezoid()
	return left, right, area, math.Abs(area-i.trapezoid()) < 1e-9
}

func (i interval) area() float64 {
	left, right, area, done := i.halve()
	if done {
		return area
	}
	return left.area() + right.area()
}

func (i interval) goArea() float64 {
	left, right, area, done := i.halve()
	if done {
		return area
	}
	var l, r float64
	goBoth(func() { r = right.goArea() }, func() { l = left.goArea() })
	return l + r
}

func forkArea(w *pool.Worker, i interval) float64 {
	left, right, area, done := i.halve()
	if done {
		return area
	}
	l, r := pool.Invoke(w, forkArea, left, forkArea, right)
	return l + r
}
