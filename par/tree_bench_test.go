package par_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// treeLeaf is what a leaf of BenchmarkTree takes.
const treeLeaf = 20 * time.Microsecond

// halves is a function that calls itself twice, by both.
func halves(depth int, both func(a, b func())) {
	if depth == 0 {
		spin(treeLeaf)
		return
	}
	both(func() { halves(depth-1, both) }, func() { halves(depth-1, both) })
}

func halvesForked(w *pool.Worker, depth int) (none struct{}) {
	if depth == 0 {
		spin(treeLeaf)
		return
	}
	pool.Invoke(w, halvesForked, depth-1, halvesForked, depth-1)
	return
}

// BenchmarkTree compares Do at each node of a tree with what is to be taken there.
func BenchmarkTree(b *testing.B) {
	const depth = 8
	for _, workers := range []int{1, 2} {
		p := newPool(b, pool.WithWorkers(workers))
		for _, way := range []struct {
			impl string
			tree func()
		}{
			{"plain", func() { halves(depth, func(a, b func()) { a(); b() }) }},
			{"goroutine", func() {
				halves(depth, func(a, b func()) {
					var other sync.WaitGroup
					other.Go(a)
					b()
					other.Wait()
				})
			}},
			{"Do", func() { halves(depth, func(a, b func()) { par.Do([]func(){a, b}, par.On(p)) }) }},
			{"Invoke", func() { pool.Run(background, p, halvesForked, depth) }},
		} {
			b.Run(fmt.Sprintf("workers=%d/impl=%s", workers, way.impl), func(b *testing.B) {
				for b.Loop() {
					way.tree()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<depth), "ns/leaf")
			})
		}
	}
}
