package explore_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/latch"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// The owner and two thieves compete for the last items of a Chase-Lev deque.
func lastItems(items int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		d := deque.NewChaseLevAt[int](2, 0)
		var taken prim.Uint32
		take := func(item *int) {
			if item != nil && taken.Or(1<<*item)&(1<<*item) != 0 {
				x.Errorf("D1: item %d came out twice", *item)
			}
		}
		for range 2 {
			x.Go("thief", func() {
				item, _ := d.Steal()
				take(item)
			})
		}
		for i := range items {
			d.Push(&i)
		}
		take(d.Pop())
		x.Wait()
		for item := d.Pop(); item != nil; item = d.Pop() {
			take(item)
		}
		if taken.Load() != 1<<items-1 {
			x.Errorf("D1: %b came out, of %d items", taken.Load(), items)
		}
	}
}

// atOnce is to fall asleep after the first search that finds nothing: yields
// make a scenario longer and show nothing.
var atOnce = api.Rounds{Sleepy: 1}

// onePost has workers take a job each that is posted, and then sleep until they
// are stopped.
func onePost(newSleep func(workers int) (api.Sleep, error), workers, jobs int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		s, err := newSleep(workers)
		if err != nil {
			x.Fatalf("%v", err)
		}
		var queued, done prim.Int32
		done.Store(int32(jobs))
		take := func() bool {
			for n := queued.Load(); n > 0; n = queued.Load() {
				if queued.CompareAndSwap(n, n-1) {
					return true
				}
			}
			return false
		}
		stops := make([]latch.Core, workers)
		for w := range workers {
			x.Go("worker", func() {
				for !stops[w].Probe() {
					found := take()
					if !found {
						idle := s.StartLooking(w)
						for !stops[w].Probe() && !found {
							if found = take(); !found && s.NoWork(&idle) {
								s.Park(&idle, &stops[w], func() bool { return queued.Load() > 0 })
							}
						}
						s.Found(&idle)
					}
					if found && done.Add(-1) == 0 {
						for v := range stops {
							if stops[v].Set() {
								s.Wake(v)
							}
						}
					}
				}
			})
		}
		for range jobs {
			wasEmpty := queued.Add(1) == 1
			s.Post(1, wasEmpty)
		}
		x.Wait()
		if inactive, sleeping := s.Counts(); inactive != 0 || sleeping != 0 {
			x.Errorf("C4: %d are counted as inactive and %d as sleeping", inactive, sleeping)
		}
	}
}

func newJEC(workers int) (api.Sleep, error) { return jec.New(workers, jec.WithRounds(atOnce)) }

func newFutex(workers int) (api.Sleep, error) {
	return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(atOnce))
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

func smallPool(newSleep func(workers int) (api.Sleep, error), workers, n int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		p, err := pool.New(pool.WithWorkers(workers), pool.WithSleep(newSleep),
			pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewChaseLevAt[pool.Job](2, 0) }))
		if err != nil {
			x.Fatalf("%v", err)
		}
		got, err := pool.Run(context.Background(), p, fib, n)
		if want := []int{0, 1, 1, 2, 3, 5}[n]; err != nil || got != want {
			x.Errorf("P1: fib(%d) is %d, %v", n, got, err)
		}
		if err := p.Close(); err != nil {
			x.Errorf("P6: %v", err)
		}
	}
}

// rouseScenarios are a few on the code of this repository. The full set is in
// package scenarios.
var rouseScenarios = []struct {
	name     string
	scenario func(x *explore.Exec)
}{
	{"deque/items=1", lastItems(1)},
	{"deque/items=2", lastItems(2)},
	{"sleep=jec/workers=1", onePost(newJEC, 1, 1)},
	{"sleep=jec/workers=2", onePost(newJEC, 2, 2)},
	{"sleep=futex/workers=1", onePost(newFutex, 1, 1)},
	{"sleep=futex/workers=2", onePost(newFutex, 2, 2)},
	{"pool/sleep=jec", smallPool(newJEC, 2, 3)},
	{"pool/sleep=futex", smallPool(newFutex, 2, 3)},
}

func TestRouse(t *testing.T) {
	bound := explore.Bound(1)
	if !testing.Short() {
		bound = explore.Bound(2)
	}
	for _, c := range rouseScenarios {
		t.Run(c.name, func(t *testing.T) { explore.Check(t, c.scenario, bound, explore.MaxTime(3*time.Second)) })
	}
}
