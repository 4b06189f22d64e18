package par_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// longRows are loops of few elements, unequal ones, and ones that wait. best is what the best
// schedule takes.
var longRows = []struct {
	name    string
	workers int
	lengths []time.Duration
	best    time.Duration
}{
	{"two-halves", 2, millis(20, 20), 20 * time.Millisecond},
	{"one-each", 8, repeated(8, 20), 20 * time.Millisecond},
	{"one-each", 64, repeated(64, 20), 20 * time.Millisecond},
	{"blocks", 2, millis(41, 23, 23, 13), 50 * time.Millisecond},
	{"long-first", 8, append(millis(40), repeated(9, 10)...), 40 * time.Millisecond},
	{"cheap-first", 2, cheapFirst, 250 * time.Millisecond},
	{"cheap-first", 8, cheapFirst, 65 * time.Millisecond},
	{"cheap-first", 64, cheapFirst, 10 * time.Millisecond},
}

var cheapFirst = append(repeated(100, 0), repeated(100, 5)...)

func millis(all ...time.Duration) []time.Duration {
	for i := range all {
		all[i] *= time.Millisecond
	}
	return all
}

func repeated(n int, ms time.Duration) []time.Duration {
	return slices.Repeat(millis(ms), n)
}

// BenchmarkLong prints, for elements that sleep, how long the first call on a new pool takes, a
// later one, and goroutines, of which as many run as there are workers. All are medians.
func BenchmarkLong(b *testing.B) {
	for _, row := range longRows {
		nap := func(i int) { time.Sleep(row.lengths[i]) }
		n := len(row.lengths)
		calls := func(name string, call func(p *pool.Pool)) {
			name = fmt.Sprintf("row=%s/workers=%d/impl=%s", row.name, row.workers, name)
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
		calls("For", func(p *pool.Pool) { par.For(n, nap, par.On(p)) })
		calls("MapSeq", func(p *pool.Pool) { consumed(n, nap, par.On(p)) })
		b.Run(fmt.Sprintf("row=%s/workers=%d/impl=goroutine", row.name, row.workers), func(b *testing.B) {
			median(b, row.best, func() func() { return func() { atATime(row.workers, n, nap) } })
		})
	}
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
	report(b, took[len(took)/2], best)
}

func report(b *testing.B, took, best time.Duration) {
	b.ReportMetric(took.Seconds()*1e3, "ms")
	b.ReportMetric(took.Seconds()/best.Seconds(), "of-best")
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

// BenchmarkWaits prints how long elements that wait take, with the options for them, and the same
// with goroutines: 40 requests of 50 ms, 16 at a time; a walk through 40 files, for each of which
// the callback waits 2 ms, four at a time; and how long after its event the result of one comes,
// which takes 1 ms.
func BenchmarkWaits(b *testing.B) {
	p := newPool(b, pool.WithWorkers(2))
	for _, row := range []struct {
		name    string
		n, most int
		each    time.Duration
		limited func(n int, nap func(int), o ...par.Option)
	}{
		{"requests", 40, 16, 50 * time.Millisecond, eachAlone["MapErr"]},
		{"walk", 40, 4, 2 * time.Millisecond, consumed},
	} {
		best := time.Duration((row.n+row.most-1)/row.most) * row.each
		nap := func(int) { time.Sleep(row.each) }
		b.Run(fmt.Sprintf("row=%s/impl=par", row.name), func(b *testing.B) {
			median(b, best, func() func() {
				return func() { row.limited(row.n, nap, par.On(p), par.WithLimit(row.most)) }
			})
		})
		b.Run(fmt.Sprintf("row=%s/impl=goroutine", row.name), func(b *testing.B) {
			median(b, best, func() func() { return func() { atATime(row.most, row.n, nap) } })
		})
	}
	b.Run("row=events/impl=par", func(b *testing.B) {
		const work = time.Millisecond
		var late []time.Duration
		for at := range par.MapSeq(background, func(yield func(time.Time) bool) {
			for range b.N {
				if time.Sleep(50 * time.Millisecond); !yield(time.Now()) {
					return
				}
			}
		}, func(_ context.Context, at time.Time) (time.Time, error) { time.Sleep(work); return at, nil }, par.On(p), par.WithLiveSource()) {
			late = append(late, time.Since(at))
		}
		slices.Sort(late)
		report(b, late[len(late)/2], work)
	})
}

// BenchmarkMispredicted prints how long a call takes that follows short ones of the same function,
// known=false, and what it takes where it was known to be long: medians, beside the best schedule.
// In rows with cheap elements these come first, so the range that the caller does alone has grown.
func BenchmarkMispredicted(b *testing.B) {
	const workers = 2
	p := newPool(b, pool.WithWorkers(workers))
	for _, row := range []struct {
		n, cheap int
		each     time.Duration
	}{{2, 0, 20 * time.Millisecond}, {10, 0, time.Millisecond}, {100, 0, 20 * time.Microsecond}, {1000, 0, time.Microsecond}, {1000, 0, 10 * time.Microsecond}, {200, 100, 5 * time.Millisecond}, {10_000, 9900, time.Millisecond}} {
		each := time.Duration(0)
		element := func(i int) {
			switch {
			case i < row.cheap:
			case each >= time.Millisecond:
				time.Sleep(each)
			case each > 0:
				spin(each)
			}
		}
		call := func() { par.For(row.n, element, par.On(p)) }
		best := time.Duration(row.n-row.cheap) * row.each / workers
		for _, known := range []bool{true, false} {
			b.Run(fmt.Sprintf("n=%d/cheap=%d/each=%v/known=%t", row.n, row.cheap, row.each, known), func(b *testing.B) {
				median(b, best, func() func() {
					if each = 0; known {
						each = row.each
					}
					for range 4 { // two short ones at least, also if another program is in the way of one
						call()
					}
					each = row.each
					return call
				})
			})
		}
	}
}
