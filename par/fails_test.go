package par_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A failing call ends as its lowest failing element does, whether by an error or a panic, and gives
// no result.
func TestLowestOfEach(t *testing.T) {
	const n = 3000
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for c := range having(each|inParts|tries, 0) {
			for _, d := range []time.Duration{0, time.Microsecond} {
				bad := func(i int) bool { return i == 1234 || i == 2345 || i == 2346 }
				in := newInput(indices(n))
				var ran []atomic.Bool
				allRan := func() {
					for i := range 1234 {
						if c.holds&each != 0 && !ran[i].Load() {
							t.Fatalf("F2: %s, of which elements 1234, 2345 and 2346 fail, left out element %d", c.name, i)
						}
					}
				}
				if c.holds&tries != 0 {
					ran = make([]atomic.Bool, n)
					in.do = func(i int) { ran[i].Store(true); spin(d) }
					in.fails = func(i int) error {
						if bad(i) {
							return failure(i)
						}
						return nil
					}
					if c.call(in, par.On(p)); in.err != failure(1234) || in.result != nil {
						t.Errorf("F2: %s, of which elements 1234, 2345 and 2346 fail, returns %d elements and %v", c.name, len(in.result), in.err)
					}
					allRan()
					in.fails = nil
				}
				if c.holds&(each|inParts) != 0 {
					ran = make([]atomic.Bool, n)
					in.do = func(i int) {
						ran[i].Store(true)
						if spin(d); bad(i) {
							panic(failure(i))
						}
					}
					if v := caught(func() { c.call(in, par.On(p)) }); v != failure(1234) {
						t.Errorf("F2: %s, of which elements 1234, 2345 and 2346 panic, panics with %v", c.name, v)
					}
					allRan()
				}
			}
		}
	})
	v := caught(func() { par.GroupBy(indices(100), func(int) any { return []int{} }) })
	if v == nil || !strings.Contains(fmt.Sprint(v), "unhashable") {
		t.Errorf("F2: GroupBy by a slice: panic %v", v)
	}
}

// onLimits calls f on pools, with and without a limit, and with one on a closed pool.
func onLimits(t *testing.T, f func(t *testing.T, where string, o ...par.Option)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		f(t, "", par.On(p))
		f(t, " with a limit", par.On(p), par.WithLimit(4))
		f(t, " with a limit on a closed pool", par.On(closedPool(t, pool.WithWorkers(p.Workers()))), par.WithLimit(4))
	})
}

// The error, or the panic, is that of the lowest element that fails, and all below have run.
// Nothing runs any more.
func TestLowest(t *testing.T) {
	onLimits(t, func(t *testing.T, where string, o ...par.Option) {
		for _, work := range works {
			n := min(work.most, 1000)
			for _, bad := range [][]int{{0}, {n - 1}, {n / 2, n - 1}, {n / 3, n / 2, n/2 + 1}, indices(n)[n/3:]} {
				for how := byError; how <= byPanic; how++ {
					done := make([]atomic.Bool, n)
					var running level
					value, exited, err := ended(func() error {
						return par.ForErr(background, n, func(_ context.Context, i int) (err error) {
							running.during(func() {
								work.do(i)
								done[i].Store(true)
								if k := slices.Index(bad, i); k >= 0 {
									err = ((how + end(k)) % 2).fail(i) // by the other one above
								}
							})
							return err
						}, o...)
					})
					if !how.is(bad[0], value, exited, err) || running.now.Load() != 0 {
						t.Errorf("F2: ForErr of %d elements of %s%s, of which %v fail, the lowest by %d: panic %v, error %v, %d run", n, work.name, where, bad, how, value, err, running.now.Load())
					}
					for i := range bad[0] {
						if !done[i].Load() {
							t.Fatalf("F2: ForErr of %d elements of %s%s, of which %v fail, left out element %d", n, work.name, where, bad, i)
						}
					}
				}
			}
		}
	})
}
