package pool_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

func TestNewRefuses(t *testing.T) {
	broken := errors.New("no thread to be had")
	for name, c := range map[string]struct {
		want string
		opt  pool.Option
	}{
		"a nil option":      {"a nil option: leave it out", nil},
		"zero workers":      {"WithWorkers(0): must be 1 to 65535", pool.WithWorkers(0)},
		"negative workers":  {"WithWorkers(-3): must be 1 to 65535", pool.WithWorkers(-3)},
		"too many workers":  {"WithWorkers(65536): must be 1 to 65535", pool.WithWorkers(65536)},
		"a full queue":      {"WithQueueLimit(0)", pool.WithQueueLimit(0)},
		"less than a queue": {"WithQueueLimit(-1)", pool.WithQueueLimit(-1)},
		"nil deque factory": {"WithDeque(nil)", pool.WithDeque(nil)},
		"nil sleep factory": {"WithSleep(nil)", pool.WithSleep(nil)},
		"no deque":          {"WithDeque", pool.WithDeque(func() api.Deque[pool.Job] { return nil })},
		"no sleep":          {"WithSleep", pool.WithSleep(func(int) (api.Sleep, error) { return nil, nil })},
		"sleep fails":       {"no thread to be had", pool.WithSleep(func(int) (api.Sleep, error) { return nil, broken })},
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			p, err := pool.New(pool.WithWorkers(1), c.opt)
			if err == nil {
				p.Close()
				t.Fatalf("P29: New: it succeeded, want an error that says %q", c.want)
			}
			expect(t, strings.Contains(err.Error(), c.want), "P29: New: error %q does not say %q", err, c.want)
			n := runtime.NumGoroutine()
			expect(t, n <= before, "P29: New: it failed and left %d goroutines behind", n-before)
		})
	}
}

// If this fails, a part of your own is made too often, or not at all, or for another
// number of workers, or which option comes first matters.
func TestOptionsInAnyOrder(t *testing.T) {
	const forks = 88 // of fib(10)
	for _, workers := range []int{1, 3} {
		var deques int
		var sleeps []int
		opts := []pool.Option{
			pool.WithDeque(func() api.Deque[pool.Job] { deques++; return pool.DefaultDeque() }),
			pool.WithSleep(func(n int) (api.Sleep, error) { sleeps = append(sleeps, n); return pool.DefaultSleep(n) }),
			pool.WithEagerPublish(),
			pool.WithPanicHandler(nil),
			pool.WithQueueLimit(1),
			pool.WithWorkers(workers),
		}
		for range 2 {
			deques, sleeps = 0, nil
			p := newPool(t, opts...)
			equal(t, p.Workers(), workers, "P29: WithWorkers: the number of workers is")
			equal(t, deques, workers, "P29: WithDeque: the number of times that its function was called is")
			expect(t, slices.Equal(sleeps, []int{workers}),
				"P29: WithSleep: its function was called with %v, want once with %d", sleeps, workers)
			during(t, "P26", "a Run forks on a pool that has all options, and the forks are counted at rest", func() {
				equal(t, mustRun(t, p, fib, 10), 55, "P1: fib(10) is")
				until(t, "as many forks are counted as there were", func() bool { return p.Stats().Forks >= forks })
			})
			s := p.Stats()
			expect(t, s.Published == s.Forks && s.Forks == forks,
				"P29: WithEagerPublish: %d forks are counted, and %d were made visible at once", s.Forks, s.Published)
			equal(t, recovered(func() { enter(t, p, raiser) }), any(errBoom), "P29: WithPanicHandler(nil): Run panicked with")
			slices.Reverse(opts)
		}
	}
}

// If this fails, a pool that is made without an option has not as many workers as
// there are processors when it is made; or of an option that is given twice the first one holds.
func TestOptionsDefaultToProcessors(t *testing.T) {
	for _, n := range []int{1, 3} {
		old := runtime.GOMAXPROCS(n)
		n = runtime.GOMAXPROCS(0) // js/wasm has one, whatever it is told
		p := newPool(t)
		runtime.GOMAXPROCS(old)
		equal(t, p.Workers(), n, "P29: New: without WithWorkers, on %d processors, the number of workers is", n)
	}
	equal(t, newPool(t, pool.WithWorkers(0), pool.WithWorkers(2)).Workers(), 2,
		"P29: WithWorkers: given twice, the number of workers is")
}

// If this fails, a test with the option sees no more than one without.
func TestRandomScheduleHasForksTaken(t *testing.T) {
	p := newPool(t, pool.WithWorkers(8), pool.WithRandomSchedule(1))
	const forks, tries = 200, 20
	during(t, "P29", "forks run, here or elsewhere", func() {
		do(t, p, func(w *pool.Worker) {
			elsewhere := 0
			// Where other programs have the processors, workers come late: so it tries again.
			for try := 0; try < tries && elsewhere < forks/20; try++ {
				elsewhere = 0
				for range forks {
					// A fork that nobody takes runs in Join, as the one that forked it.
					if fork(w, func(by *pool.Worker) *pool.Worker { return by }).Join(w) != w {
						elsewhere++
					}
				}
			}
			expect(t, elsewhere >= forks/20, "P29: WithRandomSchedule: %d of %d forks ran on another goroutine, want about half", elsewhere, forks)
		})
	})
}
