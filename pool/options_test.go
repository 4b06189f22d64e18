package pool_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// If this fails, a part of your own is made too often, or not at all, or for another
// number of workers, or which option comes first matters.
func TestOptionsInAnyOrder(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var deques []api.Deque[pool.Job]
		var sleeps []int
		opts := []pool.Option{
			pool.WithDeque(func() api.Deque[pool.Job] {
				deques = append(deques, pool.DefaultDeque())
				return deques[len(deques)-1]
			}),
			pool.WithSleep(func(n int) (api.Sleep, error) { sleeps = append(sleeps, n); return pool.DefaultSleep(n) }),
			pool.WithEagerPublish(),
			pool.WithPanicHandler(nil),
			pool.WithQueueLimit(1),
			pool.WithWorkers(workers),
		}
		for range 2 {
			deques, sleeps = nil, nil
			p := newPool(t, opts...)
			if n := p.Workers(); n != workers {
				t.Errorf("P29: WithWorkers: the pool has %d workers, want %d", n, workers)
			}
			if len(deques) != workers {
				t.Errorf("P29: WithDeque: its function was called %d times for %d workers", len(deques), workers)
			}
			if !slices.Equal(sleeps, []int{workers}) {
				t.Errorf("P29: WithSleep: its function was called with %v, want once with %d", sleeps, workers)
			}
			during(t, "P1", "a Run forks on a pool that has all options", func() {
				if got := mustRun(t, p, fib, 10); got != 55 {
					t.Errorf("P1: fib(10) is %d", got)
				}
			})
			during(t, "P26", "the forks of a pool at rest are counted", func() {
				until(t, "as many forks are counted as there were", func() bool { return p.Stats().Forks >= uint64(fibForks(10)) })
			})
			if s := p.Stats(); s.Published != s.Forks || s.Forks != uint64(fibForks(10)) {
				t.Errorf("P29: WithEagerPublish: of %d forks %d are counted, and %d were made visible at once", fibForks(10), s.Forks, s.Published)
			}
			if v := recovered(func() { mustRun(t, p, func(*pool.Worker, int) int { panic(errBoom) }, 0) }); v != errBoom {
				t.Errorf("P29: WithPanicHandler(nil): Run panicked with %v, want its function's value", v)
			}
			slices.Reverse(opts)
		}
	}
}

// If this fails, a pool that is made without an option has not as many workers as
// there are processors when it is made.
func TestOptionsDefaultToProcessors(t *testing.T) {
	for _, n := range []int{1, 3} {
		old := runtime.GOMAXPROCS(n)
		n = runtime.GOMAXPROCS(0) // js/wasm has one, whatever it is told
		p := newPool(t)
		runtime.GOMAXPROCS(old)
		if got := p.Workers(); got != n {
			t.Errorf("P29: New: without WithWorkers it has %d workers, and there were %d processors", got, n)
		}
	}
}

// If this fails, of an option that is given twice the first one holds.
func TestOptionsLastHolds(t *testing.T) {
	if got := newPool(t, pool.WithWorkers(0), pool.WithWorkers(2)).Workers(); got != 2 {
		t.Errorf("P29: WithWorkers: given twice, the pool has %d workers, want 2, the last", got)
	}
}
