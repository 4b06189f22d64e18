package pool_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkProcessors shows what it costs that GOMAXPROCS changes while a pool lives: the
// pool is made with as many workers as there are processors then, and used with another
// number, beside one that is made at that. They alternate in short pieces; the lower tenth
// of each counts, and the median.
func BenchmarkProcessors(b *testing.B) {
	small, large := newTree(10), newTree(16)
	for _, c := range []struct {
		name string
		op   func(p *pool.Pool)
	}{
		{"fib", func(p *pool.Pool) { mustRun(b, p, fib, 20) }},
		{"tree/nodes=1023", func(p *pool.Pool) { mustRun(b, p, sum, small) }},
		{"tree/nodes=65535", func(p *pool.Pool) { mustRun(b, p, sum, large) }},
		{"submit", func(p *pool.Pool) {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
			if err != nil {
				b.Fatal(err)
			}
			h.Wait(background)
		}},
		{"burst", func(p *pool.Pool) { // 16 jobs of some microseconds each
			var all [16]*pool.Handle[int]
			for i := range all {
				h, err := pool.Submit(p, func(w *pool.Worker) int { return fib(w, 12) })
				if err != nil {
					b.Fatal(err)
				}
				all[i] = h
			}
			for _, h := range all {
				h.Wait(background)
			}
		}},
	} {
		for _, change := range [][2]int{{2, 1}, {1, 2}} {
			made, used := change[0], change[1]
			b.Run(fmt.Sprintf("%s/made=%d/used=%d", c.name, made, used), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
				runtime.GOMAXPROCS(made)
				before := newPool(b)
				runtime.GOMAXPROCS(used)
				after := newPool(b)
				times := make(map[*pool.Pool][]float64)
				for b.Loop() {
					for _, p := range []*pool.Pool{before, after} {
						start := time.Now()
						for range 16 {
							c.op(p)
						}
						times[p] = append(times[p], float64(time.Since(start))/16)
					}
				}
				for p, name := range map[*pool.Pool]string{before: "before", after: "after"} {
					low := lowerTenth(times[p]) // sorts
					b.ReportMetric(low, name+"-ns/op")
					b.ReportMetric(times[p][len(times[p])/2], name+"-median-ns/op")
				}
			})
		}
	}
}
