package par_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A span is some elements of a loop, for the simplest way to share one: to halve it by
// Invoke until no more are left than a grain, which somebody must set.
type span struct {
	body      func(i int)
	lo, hi, n int
}

func halve(w *pool.Worker, s span) (none struct{}) {
	if s.hi-s.lo <= s.n {
		for i := s.lo; i < s.hi; i++ {
			s.body(i)
		}
		return
	}
	lower, upper := s, s
	lower.hi = s.lo + (s.hi-s.lo)/2
	upper.lo = lower.hi
	pool.Invoke(w, halve, lower, halve, upper)
	return
}

// BenchmarkSplit compares For with the simplest way to share a loop.
func BenchmarkSplit(b *testing.B) {
	for _, workers := range []int{1, 2} {
		p := newPool(b, pool.WithWorkers(workers))
		for _, loop := range []struct {
			n    int
			each time.Duration
		}{{1000, 0}, {1_000_000, 0}, {1000, 100 * time.Nanosecond}, {100_000, 100 * time.Nanosecond}, {100, 10 * time.Microsecond}} {
			to := make([]int, loop.n)
			body := func(i int) {
				to[i]++
				if loop.each > 0 {
					spin(loop.each)
				}
			}
			name := fmt.Sprintf("workers=%d/n=%d/each=%v/", workers, loop.n, loop.each)
			element := func(b *testing.B) {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(loop.n), "ns/element")
			}
			b.Run(name+"plain", func(b *testing.B) {
				for b.Loop() {
					for i := range loop.n {
						body(i)
					}
				}
				element(b)
			})
			b.Run(name+"For", func(b *testing.B) {
				for b.Loop() {
					par.For(loop.n, body, par.On(p))
				}
				element(b)
			})
			for _, grain := range []int{1, 16, 256, 4096} {
				if grain > 1 && grain >= loop.n {
					continue
				}
				b.Run(fmt.Sprintf("%sInvoke/grain=%d", name, grain), func(b *testing.B) {
					for b.Loop() {
						pool.Run(background, p, halve, span{body, 0, loop.n, grain})
					}
					element(b)
				})
			}
		}
	}
}
