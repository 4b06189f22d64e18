package scale

import (
	"fmt"
	"math"

	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// powerRow is a loop whose k-th longest element takes as long as the longest, divided by
// the root of k. n is a power of two.
func powerRow(n int, longest simulate.Time) *Row {
	times := make([]simulate.Time, n)
	var cost Cost
	for i := range times {
		// Multiplied by an odd number, 0 to n-1 come in another order. The product is
		// more than 32 bits hold.
		k := 1 + (uint64(i)*40503+uint64(n/3))%uint64(n)
		times[i] = simulate.Time(float64(longest) / math.Sqrt(float64(k)))
		cost = cost.beside(step(times[i]))
	}
	return &Row{
		Name:  "power",
		About: fmt.Sprintf("%d elements of %d µs and less, the k-th longest by a power law, one call of par.For", n, longest/simulate.Microsecond),
		Unit:  "element", Units: n, Callers: 1, Cost: cost, Answer: uint64(n),
		Plain: func() uint64 {
			for _, d := range times {
				user.Busy(d)
			}
			return uint64(n)
		},
		Pool: func(p *pool.Pool) (uint64, error) {
			par.For(n, func(i int) { user.Busy(times[i]) }, par.On(p))
			return uint64(n), nil
		},
	}
}
