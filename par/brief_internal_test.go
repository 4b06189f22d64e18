package par

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkBrief prints how long loops take on two workers, as a part of what they take
// without par, for several of what counts as brief: the one that ships is the least one that does no harm to
// loops that are too short to be shared. Plain loops and calls take turns, so the workers
// sleep when a call begins. It is to run as long as it takes: with -benchtime 1x.
func BenchmarkBrief(b *testing.B) {
	defer func(d time.Duration) { brief = d }(brief)
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for _, loop := range []struct {
		n    int
		each time.Duration
	}{{10, time.Microsecond}, {10, 2 * time.Microsecond}, {10, 5 * time.Microsecond}, {10, 10 * time.Microsecond}, {100, 300 * time.Nanosecond}, {100, time.Microsecond}, {1000, 30 * time.Nanosecond}, {1000, 100 * time.Nanosecond}, {1000, time.Microsecond}} {
		many := stepsFor(loop.each)
		to := make([]int, loop.n)
		body := func(i int) { to[i] = steps(many) }
		for _, brief = range []time.Duration{25 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond, 200 * time.Microsecond} {
			b.Run(fmt.Sprintf("n=%d/each=%v/brief=%v", loop.n, loop.each, brief), func(b *testing.B) {
				for b.Loop() {
					var plain, shared []time.Duration
					for range 500 {
						plain = append(plain, taken(func() {
							for i := range loop.n {
								body(i)
							}
						}))
						shared = append(shared, taken(func() { For(loop.n, body, On(p)) }))
					}
					b.ReportMetric(middle(plain).Seconds()*1e6, "plain-µs")
					b.ReportMetric(middle(shared).Seconds()/middle(plain).Seconds(), "of-plain")
				}
			})
		}
	}
}

// steps takes a time that is in proportion to n.
//
//go:noinline
func steps(n int) (x int) {
	for i := range n {
		x = x*3 + i
	}
	return x
}

// sink keeps what is not needed from being left out.
var sink int

// stepsFor returns how many steps take so long.
func stepsFor(d time.Duration) int {
	n := 1
	for ; ; n += n/8 + 1 {
		var took []time.Duration
		for range 5 {
			took = append(took, taken(func() {
				for range 100 {
					sink += steps(n)
				}
			}))
		}
		if slices.Min(took) >= 100*d {
			return n
		}
	}
}

func taken(f func()) time.Duration {
	begun := time.Now()
	f()
	return time.Since(begun)
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
