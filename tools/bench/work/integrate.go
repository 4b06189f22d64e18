package work

import (
	"math"

	"github.com/rouse-go/rouse/pool"
)

// Integrate is the integral of (x²+1)x from 0 to the given end by the trapezoid
// rule, which halves an interval until that changes its area by less than
// 1e-9, with a fork at every halving; after the example in Cilk. The result is
// a float64, as bits.
func Integrate(end float64) *Program {
	whole := newInterval(0, end)
	return &Program{
		Sequential: func() uint64 { return math.Float64bits(integrate(whole)) },
		Nested:     func(groups Groups) uint64 { return math.Float64bits(nestedIntegrate(groups, whole)) },
		Flat:       func(groups Groups, pieces int) uint64 { return math.Float64bits(flatIntegrate(groups, pieces, end)) },
		Pool: onPool(func(w *pool.Worker, i interval) uint64 {
			return math.Float64bits(forkIntegrate(w, i))
		}, whole),
	}
}

const epsilon = 1e-9

func curve(x float64) float64 { return (x*x + 1) * x }

// An interval is one from x1 to x2, with the values of the curve there and the
// area of the trapezoid between. The functions that recurse take it apart:
// the compiler keeps no struct of five fields in registers.
type interval struct {
	x1, x2, y1, y2, area float64
}

func newInterval(x1, x2 float64) interval {
	y1, y2 := curve(x1), curve(x2)
	return interval{x1, x2, y1, y2, (y1 + y2) / 2 * (x2 - x1)}
}

// halve returns the middle and the value there, and the areas of both halves.
func halve(x1, x2, y1, y2 float64) (x, y, left, right float64) {
	half := (x2 - x1) / 2
	x = x1 + half
	y = curve(x)
	return x, y, (y1 + y) / 2 * half, (y + y2) / 2 * half
}

func isFine(left, right, area float64) bool { return math.Abs(left+right-area) < epsilon }

func integrate(i interval) float64 { return between(i.x1, i.x2, i.y1, i.y2, i.area) }

func between(x1, x2, y1, y2, area float64) float64 {
	x, y, left, right := halve(x1, x2, y1, y2)
	if isFine(left, right, area) {
		return left + right
	}
	return between(x1, x, y1, y, left) + between(x, x2, y, y2, right)
}

func nestedIntegrate(groups Groups, i interval) float64 {
	x, y, left, right := halve(i.x1, i.x2, i.y1, i.y2)
	if isFine(left, right, i.area) {
		return left + right
	}
	g := groups()
	g.Go(func() { left = nestedIntegrate(groups, interval{i.x1, x, i.y1, y, left}) })
	right = nestedIntegrate(groups, interval{x, i.x2, y, i.y2, right})
	g.Wait()
	return left + right
}

// flatIntegrate cuts the interval into equal ones.
func flatIntegrate(groups Groups, pieces int, end float64) (total float64) {
	areas := make([]float64, pieces)
	g := groups()
	for i := range areas {
		piece := newInterval(end*float64(i)/float64(pieces), end*float64(i+1)/float64(pieces))
		g.Go(func() { areas[i] = integrate(piece) })
	}
	g.Wait()
	for _, a := range areas {
		total += a
	}
	return total
}

func forkIntegrate(w *pool.Worker, i interval) float64 {
	return forkBetween(w, i.x1, i.x2, i.y1, i.y2, i.area)
}

func forkBetween(w *pool.Worker, x1, x2, y1, y2, area float64) float64 {
	x, y, left, right := halve(x1, x2, y1, y2)
	if isFine(left, right, area) {
		return left + right
	}
	f := pool.Fork(w, forkIntegrate, interval{x1, x, y1, y, left})
	right = forkBetween(w, x, x2, y, y2, right)
	return f.Join(w) + right
}
