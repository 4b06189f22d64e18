package par_test

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// perElement runs a benchmark of f, which has n elements.
func perElement(b *testing.B, name string, n int, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
	})
}

// median prints how long the middle one of all calls takes, in milliseconds, and how many times as
// long as the best schedule. Prepare is called before each, and returns the call.
func median(b *testing.B, best time.Duration, prepare func() (call func())) {
	var took []time.Duration
	for range b.N {
		call := prepare()
		begun := time.Now()
		call()
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	half := took[len(took)/2].Seconds()
	b.ReportMetric(half*1e3, "ms")
	b.ReportMetric(half/best.Seconds(), "of-best")
	b.ReportMetric(0, "ns/op")
}

// atATime runs goroutines, at most so many at the same time.
func atATime(most, n int, f func(i int)) {
	var all sync.WaitGroup
	room := make(chan struct{}, most)
	for i := range n {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			f(i)
		})
	}
	all.Wait()
}

// BenchmarkLong prints, for few elements, unequal ones, and ones that wait, how long the first call
// on a new pool takes, a later one, and goroutines, of which as many run as there are workers, or as the
// limit says. All are medians, beside the best schedule.
func BenchmarkLong(b *testing.B) {
	cheapFirst := append(millis(100, 0), millis(100, 5)...)
	for _, row := range []struct {
		name           string
		workers, limit int
		lengths        []time.Duration
		best           time.Duration
	}{
		{"two-halves", 2, 0, millis(2, 20), 20 * time.Millisecond},
		{"one-each", 8, 0, millis(8, 20), 20 * time.Millisecond},
		{"one-each", 64, 0, millis(64, 20), 20 * time.Millisecond},
		{"blocks", 2, 0, slices.Concat(millis(1, 41), millis(2, 23), millis(1, 13)), 50 * time.Millisecond},
		{"long-first", 8, 0, append(millis(1, 40), millis(9, 10)...), 40 * time.Millisecond},
		{"cheap-first", 2, 0, cheapFirst, 250 * time.Millisecond},
		{"cheap-first", 8, 0, cheapFirst, 65 * time.Millisecond},
		{"cheap-first", 64, 0, cheapFirst, 10 * time.Millisecond},
		{"requests", 2, 16, millis(40, 50), 150 * time.Millisecond},
		{"walk", 2, 4, millis(40, 2), 20 * time.Millisecond},
	} {
		nap := func(i int) { time.Sleep(row.lengths[i]) }
		var limit []par.Option
		if row.limit > 0 {
			limit = append(limit, par.WithLimit(row.limit))
		}
		for _, c := range table {
			if c.name != "For" && c.name != "MapSeq" {
				continue
			}
			name := fmt.Sprintf("row=%s/workers=%d/impl=%s", row.name, row.workers, c.name)
			call := func(p *pool.Pool) { c.over(len(row.lengths), nap, append(limit, par.On(p))...) }
			b.Run(name+"/call=first", func(b *testing.B) {
				median(b, row.best, func() func() {
					p := newPool(b, pool.WithWorkers(row.workers))
					return func() { call(p) }
				})
			})
			b.Run(name+"/call=later", func(b *testing.B) {
				p := newPool(b, pool.WithWorkers(row.workers))
				call(p)
				median(b, row.best, func() func() { return func() { call(p) } })
			})
		}
		b.Run(fmt.Sprintf("row=%s/workers=%d/impl=goroutine", row.name, row.workers), func(b *testing.B) {
			atOnce := cmp.Or(row.limit, row.workers)
			median(b, row.best, func() func() { return func() { atATime(atOnce, len(row.lengths), nap) } })
		})
	}
}

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
		for impl, both := range map[string]func(x, y func()){
			"plain": func(x, y func()) { x(); y() },
			"Do":    func(x, y func()) { par.Do([]func(){x, y}, par.On(p)) },
		} {
			perElement(b, fmt.Sprintf("workers=%d/impl=%s", workers, impl), 1<<depth, func() { halves(depth, both) })
		}
		perElement(b, fmt.Sprintf("workers=%d/impl=Invoke", workers), 1<<depth, func() { pool.Run(background, p, halvesForked, depth) })
	}
}

// BenchmarkGroup compares FoldBy with a loop over one map.
func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		for _, keys := range []int{256, 100_000} {
			s := members(n, keys)
			for what, f := range map[string]func(){
				"op=FoldBy/impl=sequential": func() {
					sums := make(map[int]int)
					for _, m := range s {
						sums[m.in()] += m.index
					}
				},
				"op=FoldBy/impl=par": func() {
					par.FoldBy(s, member.in, zero, func(a int, m member) int { return a + m.index }, add)
				},
			} {
				perElement(b, fmt.Sprintf("%s/n=%d/keys=%d", what, n, keys), n, f)
			}
		}
	}
}
