//go:build explore

package simulate_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

func fib(w *pool.Worker, n int) int {
	simulate.Work(2 * ns)
	if n < 2 {
		return n
	}
	a, b := pool.Invoke(w, fib, n-1, fib, n-2)
	return a + b
}

// BenchmarkSpeed is how fast the simulator is: operations of the program in a
// second of the reader's time.
func BenchmarkSpeed(b *testing.B) {
	for _, p := range []int{1, 2, 16, 64, 256} {
		for _, part := range parts[:2] {
			b.Run(fmt.Sprintf("fib/sleep=%s/workers=%d", part.name, p), func(b *testing.B) {
				m, err := simulate.Load("two-sockets-256")
				if err != nil {
					b.Fatal(err)
				}
				m.Processors = p
				ops := 0
				for range b.N {
					r := run(b, m, func() { onPool(p, func(w *pool.Worker) { fib(w, 25) }, part.opts...) })
					for _, s := range r.Sections {
						ops += s.Ops
					}
				}
				b.ReportMetric(float64(ops)/1e6/b.Elapsed().Seconds(), "Mops/s")
			})
		}
	}
}
