package pool_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkJoinOrder has what a fork and its join take, with one worker, if so many are
// made and then joined in some order.
func BenchmarkJoinOrder(b *testing.B) {
	for _, n := range []int{2, 4, 16, 64, 256, 1000} {
		random := rand.New(rand.NewPCG(1, 2)).Perm(n)
		for name, at := range map[string]func(i int) int{
			"reverse": func(i int) int { return n - 1 - i },
			"forking": func(i int) int { return i },
			"halves":  func(i int) int { return (n/2 - 1 - i + n) % n },
			"random":  func(i int) int { return random[i] },
		} {
			b.Run(fmt.Sprintf("n=%d/order=%s", n, name), func(b *testing.B) {
				p := newPool(b, pool.WithWorkers(1))
				one := func(_ *pool.Worker, i int) int { return i }
				forks := make([]pool.Forked[int, int], n)
				mustRun(b, p, func(w *pool.Worker, _ int) (sum int) {
					for b.Loop() {
						for i := range forks {
							forks[i] = pool.Fork(w, one, i)
						}
						for i := range forks {
							sum += forks[at(i)].Join(w)
						}
					}
					return sum
				}, 0)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/fork")
			})
		}
	}
}
