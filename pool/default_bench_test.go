package pool_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkDefault compares the built-in default pool, whose workers sleep without a
// goroutine, with a pool of New of the same size. They alternate in short pieces; the
// lower tenth of each counts, and the median.
func BenchmarkDefault(b *testing.B) {
	of := newPool(b, pool.WithWorkers(runtime.GOMAXPROCS(0)))
	small, large := newTree(10), newTree(16)
	for _, c := range []struct {
		name string
		op   func(p *pool.Pool)
	}{
		{"run", func(p *pool.Pool) { mustRun(b, p, func(*pool.Worker, int) int { return 1 }, 0) }},
		{"submit", func(p *pool.Pool) {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
			if err != nil {
				b.Fatal(err)
			}
			h.Wait(background)
		}},
		{"tree/nodes=1023", func(p *pool.Pool) { mustRun(b, p, sum, small) }},
		{"tree/nodes=65535", func(p *pool.Pool) { mustRun(b, p, sum, large) }},
		{"fib/n=20", func(p *pool.Pool) { mustRun(b, p, fib, 20) }},
		{"fill", func(p *pool.Pool) { mustRun(b, p, spread, of.Workers()) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			times := make(map[*pool.Pool][]float64)
			for b.Loop() {
				for _, p := range []*pool.Pool{of, pool.Default()} {
					start := time.Now()
					for range 16 {
						c.op(p)
					}
					times[p] = append(times[p], float64(time.Since(start))/16)
				}
			}
			for p, name := range map[*pool.Pool]string{of: "new", pool.Default(): "default"} {
				low := lowerTenth(times[p]) // sorts
				b.ReportMetric(low, name+"-ns/op")
				b.ReportMetric(times[p][len(times[p])/2], fmt.Sprintf("%s-median-ns/op", name))
			}
		})
	}
}

// BenchmarkDefaultCall shows what the call of Default costs: alone, and before a Run of nothing.
func BenchmarkDefaultCall(b *testing.B) {
	p := pool.Default()
	nothing := func(*pool.Worker, int) int { return 1 }
	for _, c := range []struct {
		name string
		op   func()
	}{
		{"last", func() { p = pool.LastDefault() }},
		{"default", func() { p = pool.Default() }},
		{"run", func() { mustRun(b, p, nothing, 0) }},
		{"default-run", func() { mustRun(b, pool.Default(), nothing, 0) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.op()
			}
		})
	}
}

// spread has each worker begin one of n jobs, which all wait until all have begun: so
// each worker that sleeps must be woken.
func spread(w *pool.Worker, n int) int {
	begun := make(chan bool, n)
	all := make(chan bool)
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range n - 1 {
			s.Spawn(w, func(*pool.Worker) { begun <- true; <-all })
		}
		for range n - 1 {
			<-begun
		}
		close(all)
	})
	return n
}
