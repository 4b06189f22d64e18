//go:build unix

package par_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// BenchmarkSmall prints the time and the processor time of loops that are over soon: one after the
// other; each after a pause, in which the workers fall asleep; and a loop each on a thousand
// goroutines.
func BenchmarkSmall(b *testing.B) {
	p := newPool(b, pool.WithWorkers(2))
	for _, row := range []struct{ n, steps int }{
		{10, 0}, {100, 0}, {1000, 0}, {2000, 0}, {10_000, 0},
		{10, 1000}, {30, 1000}, {50, 1000}, {100, 1000}, {300, 1000}, // of half a microsecond or so
	} {
		loop := func(to []int) {
			par.For(row.n, func(i int) { to[i] = thrice(i, row.steps) }, par.On(p))
		}
		to := make([]int, row.n)
		name := fmt.Sprintf("n=%d/steps=%d/", row.n, row.steps)
		for what, f := range map[string]func(){
			"tight": func() { loop(to) },
			"goroutines=1000": func() {
				var all sync.WaitGroup
				for range 1000 {
					all.Go(func() { loop(make([]int, row.n)) })
				}
				all.Wait()
			},
		} {
			b.Run(name+what, func(b *testing.B) {
				before := processorTime(b)
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
			})
		}
		b.Run(name+"asleep", func(b *testing.B) {
			took := time.Duration(0)
			for range b.N {
				time.Sleep(200 * time.Microsecond)
				took += taken(func() { loop(to) })
			}
			b.ReportMetric(float64(took)/float64(b.N), "ns/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
