package par_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// onLimits calls f on pools, with and without a limit, and with one on a closed pool.
func onLimits(t *testing.T, f func(t *testing.T, where string, o ...par.Option)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		f(t, "", par.On(p))
		f(t, " with a limit", par.On(p), par.WithLimit(4))
		f(t, " with a limit on a closed pool", par.On(closedPool(t, pool.WithWorkers(p.Workers()))), par.WithLimit(4))
	})
}

// A failing call ends as its lowest failing element does, whether by an error or a panic, and gives no
// result. All elements below have run, and nothing runs any more.
func TestLowest(t *testing.T) {
	t.Parallel()
	onLimits(t, func(t *testing.T, where string, o ...par.Option) {
		for c := range having(each|inParts|tries, 0) {
			for _, work := range works {
				n := min(work.most, 3000)
				if c.name != "ForErr" && work.name != "nothing" && work.name != "1us" {
					continue // how long elements are matters to the engine alone
				}
				bads := [][]int{{n * 1234 / 3000, n * 2345 / 3000, n*2345/3000 + 1}}
				if c.holds&each != 0 { // of parts not each element is handed over by itself
					bads = append(bads, indices(n)[n/3:])
				}
				if c.name == "ForErr" {
					bads = append(bads, []int{0}, []int{n - 1})
				}
				for _, bad := range bads {
					for how := byError; how <= byPanic; how++ {
						if how == byError && c.holds&tries != 0 || how == byPanic && c.holds&(each|inParts) != 0 {
							c.endsAsLowest(t, n, bad, how, work.do, where, o...)
						}
					}
				}
			}
		}
	})
	v := caught(func() { par.GroupBy(indices(100), func(int) any { return []int{} }) })
	if v == nil || !strings.Contains(fmt.Sprint(v), "unhashable") {
		t.Errorf("F2: GroupBy by a slice: panic %v", v)
	}
}

func (c operation) endsAsLowest(t *testing.T, n int, bad []int, how end, work func(int), where string, o ...par.Option) {
	in, ran := newInput(indices(n)), make([]atomic.Bool, n)
	var running level
	fails := func(i int, as end) (err error) {
		if k, ok := slices.BinarySearch(bad, i); ok && (how+end(k))%2 == as { // by turns, if it can
			err = as.fail(i)
		}
		return err
	}
	in.do = func(i int) {
		running.during(func() {
			work(i)
			ran[i].Store(true)
			_ = fails(i, byPanic)
		})
	}
	in.fails = func(i int) error { return fails(i, byError) }
	value, exited, err := ended(func() error { c.call(in, o...); return in.err })
	what := fmt.Sprintf("%s%s of %d elements, of which %d fail, the first one by %d", c.name, where, n, len(bad), how)
	if !how.is(bad[0], value, exited, err) || in.result != nil || running.now.Load() != 0 {
		t.Errorf("F2: %s: %d elements, error %v, panic %v, and %d run, want those of element %d", what, len(in.result), err, value, running.now.Load(), bad[0])
	}
	for i := range bad[0] {
		if c.holds&each != 0 && !ran[i].Load() {
			t.Fatalf("F2: %s: element %d has not run", what, i)
		}
	}
}
