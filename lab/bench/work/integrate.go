package work

import (
	"math"

	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// Integrate is the integral of (x²+1)x from 0 to the given end by the trapezoid
// rule, which halves an interval until that changes its area by less than
// 1e-9, with a fork at every halving; after the example in Cilk. The result is
// a float64, as bits.
func Integrate(end float64) *Program {
	h := halving[Interval, float64]{
		halves: Interval.Halves,
		plain:  integrate,
		join:   func(_ Interval, left, right float64) float64 { return left + right },
	}
	return h.program(WholeInterval(end), math.Float64bits, func(w *pool.Worker, i Interval) uint64 {
		return math.Float64bits(forkIntegrate(w, i))
	})
}

const epsilon = 1e-9

// Conversions keep products from being fused with sums, so that all shapes, and
// the programs in other languages, come to the same bits on every platform. A
// product with one half is exact.

func curve(x float64) float64 { return float64((float64(x*x) + 1) * x) }

// An Interval is one from x1 to x2, with the values of the curve there. The
// area of the trapezoid between is computed anew where it is needed, although
// whoever halved the interval knew it: the compiler keeps no struct of five
// fields in registers.
type Interval struct {
	x1, x2, y1, y2 float64
}

func newInterval(x1, x2 float64) Interval { return Interval{x1, x2, curve(x1), curve(x2)} }

// WholeInterval returns the interval from 0 to the given end.
func WholeInterval(end float64) Interval { return newInterval(0, end) }

func (i Interval) area() float64 { return float64((i.y1 + i.y2) / 2 * (i.x2 - i.x1)) }

func (i Interval) halves() (left, right Interval) {
	x := i.x1 + (i.x2-i.x1)/2
	y := curve(x)
	return Interval{i.x1, x, i.y1, y}, Interval{x, i.x2, y, i.y2}
}

// isFine reports whether the area of both halves is that of the whole interval.
func (i Interval) isFine(area float64) bool { return math.Abs(area-i.area()) < epsilon }

// Halves returns both halves of the interval. rough reports whether their area is not that of
// the interval, so that these are to be halved, too.
func (i Interval) Halves() (left, right Interval, rough bool) {
	left, right = i.halves()
	return left, right, !i.isFine(left.area() + right.area())
}

func integrate(i Interval) float64 {
	left, right := i.halves()
	if area := left.area() + right.area(); i.isFine(area) {
		return area
	}
	return integrate(left) + integrate(right)
}

func forkIntegrate(w *pool.Worker, i Interval) float64 {
	user.Own(IntegrateCall)
	left, right := i.halves()
	if area := left.area() + right.area(); i.isFine(area) {
		return area
	}
	first, second := pool.Invoke(w, forkIntegrate, left, forkIntegrate, right)
	return first + second
}
