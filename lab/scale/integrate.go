package scale

import (
	"context"
	"fmt"
	"math"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

func integrateRow(end float64) *Row {
	whole := work.WholeInterval(end)
	c := integrateCost(whole)
	return &Row{
		Name: "integrate", About: fmt.Sprintf("the integral of (x²+1)x from 0 to %g by halving, a fork at every halving", end), Unit: "interval", Units: int(c.Work / integrateCall), Callers: 1,
		Cost:  c,
		Plain: func() uint64 { return math.Float64bits(plainIntegral(whole)) },
		Pool: func(p *pool.Pool) (uint64, error) {
			area, err := pool.Run(context.Background(), p, integral, whole)
			return math.Float64bits(area), err
		},
		// The pool adds in the same order, so it comes to the same bits.
		Answer: math.Float64bits(plainIntegral(whole)),
	}
}

func plainIntegral(i work.Interval) float64 {
	left, right, area, ok := i.Halves()
	if ok {
		return area
	}
	return plainIntegral(left) + plainIntegral(right)
}

func integral(w *pool.Worker, i work.Interval) float64 {
	own(integrateCall)
	left, right, area, ok := i.Halves()
	if ok {
		return area
	}
	a, b := pool.Invoke(w, integral, left, integral, right)
	return a + b
}

func integrateCost(i work.Interval) Cost {
	left, right, _, ok := i.Halves()
	if ok {
		return step(integrateCall)
	}
	return step(integrateCall).then(integrateCost(left).beside(integrateCost(right)))
}
