package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/record"
)

// BenchmarkRecord measures what a recording costs the jobs that are short: a Run of an empty
// function, by a caller that takes the seat of a worker that sleeps; a job that is submitted and
// waited for; and a scope of empty jobs.
func BenchmarkRecord(b *testing.B) {
	for _, c := range []struct {
		name string
		op   func(p *pool.Pool)
	}{
		{"run", func(p *pool.Pool) { _, _ = pool.Run(background, p, fib, 0) }},
		{"submit", func(p *pool.Pool) {
			if h, err := pool.Submit(p, nothing); err == nil {
				_, _ = h.Wait(background)
			}
		}},
		{"scope", func(p *pool.Pool) {
			_, _ = pool.Run(background, p, func(w *pool.Worker, n int) int {
				scopeOfMany(w, n, func(*pool.Worker) {})
				return 0
			}, 100)
		}},
	} {
		for _, on := range []string{"off", "on"} {
			b.Run(c.name+"/"+on, func(b *testing.B) {
				p := asleep(b, newPool(b, pool.WithWorkers(1)))
				var r func() *record.Recording
				n := 0
				for b.Loop() {
					if on == "on" && n%1000 == 0 { // there is room for all
						b.StopTimer()
						if r != nil {
							r()
						}
						r = recording(b, p, 250_000)
						b.StartTimer()
					}
					n++
					c.op(p)
				}
			})
		}
	}
}
