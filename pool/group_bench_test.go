package pool_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkGroup opens a group in a job, whose body spawns a few jobs that do nothing.
func BenchmarkGroup(b *testing.B) {
	empty := func(context.Context, *pool.Worker) error { return nil }
	for _, jobs := range []int{1, 8, 1000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			onPools(b, func(b *testing.B, p *pool.Pool) {
				mustRun(b, p, func(w *pool.Worker, _ int) int {
					for b.Loop() {
						w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
							for range jobs {
								g.Spawn(w, empty)
							}
							return nil
						})
					}
					return 0
				}, 0)
			})
		})
	}
}
