package pool_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What comes from outside finds a pool at rest, with few workers or with many.
func BenchmarkAtRest(b *testing.B) {
	for _, workers := range []int{2, 16, 64, 256} {
		p := asleep(b, newPool(b, pool.WithWorkers(workers)))
		b.Run(fmt.Sprintf("Run/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				mustRun(b, p, func(*pool.Worker, int) int { return 1 }, 0)
			}
		})
		b.Run(fmt.Sprintf("Submit/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
				if err != nil {
					b.Fatal(err)
				}
				h.Wait(background)
			}
		})
	}
}
