package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

var background = context.Background()

// newPool makes a pool that is closed at the end of the test.
func newPool(t testing.TB, opts ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(opts...)
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	watched.Store(weak.Make(p), nil)
	t.Cleanup(func() {
		if hung.Load() {
			return // and so would Close
		}
		defer watched.Delete(weak.Make(p))
		during(t, "P6", "Close returns after the test's last job", func() {
			if err := p.Close(); err != nil {
				t.Errorf("P6: Close returned the error %v", err)
			}
		})
	})
	return p
}

// asleep waits until all workers of a new pool sleep, so that the next Run
// borrows a seat.
func asleep(t testing.TB, p *pool.Pool) *pool.Pool {
	t.Helper()
	during(t, "S7", "the workers of a new pool sleep", func() {
		until(t, "all workers sleep", func() bool { return p.Stats().Parks >= uint64(p.Workers()) })
	})
	return p
}

// mustRun is Run where no error can be.
func mustRun[A, R any](t testing.TB, p *pool.Pool, fn func(*pool.Worker, A) R, arg A) R {
	t.Helper()
	r, err := pool.Run(background, p, fn, arg)
	if err != nil {
		t.Fatalf("P1: Run returned the error %v", err)
	}
	return r
}

// eachMode runs a test, under the watchdog, on pools that differ in what a fork
// does.
func eachMode(t *testing.T, rule, what string, f func(t *testing.T, opts ...pool.Option)) {
	t.Helper()
	for _, m := range []struct {
		name string
		opts []pool.Option
	}{
		{"workers=1", []pool.Option{pool.WithWorkers(1)}},
		{"workers=4", []pool.Option{pool.WithWorkers(4)}},
		{"workers=4/eager", []pool.Option{pool.WithWorkers(4), pool.WithEagerPublish()}},
	} {
		subtest(t, m.name, rule, what, func(t *testing.T) { f(t, m.opts...) })
	}
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

func TestFib(t *testing.T) {
	eachMode(t, "P1", "Run returns fib(20)", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		for range 20 {
			for by, fn := range map[string]func(*pool.Worker, int) int{"Fork": fib, "Invoke": invokeFib} {
				if got := mustRun(t, p, fn, 20); got != 6765 {
					t.Fatalf("P1: fib(20) by %s = %d, want 6765: a fork was lost, run twice or mixed up", by, got)
				}
			}
		}
		t.Logf("%+v", p.Stats())
	})
}

// Forks of one slot alternate between types, and between depths.
func TestTypesAlternate(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "forks of alternating types are joined, with one worker", func() {
		num := func(_ *pool.Worker, n int) int { return n + 1 }
		str := func(_ *pool.Worker, s string) string { return s + "!" }
		var allocs float64
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			allocs = testing.AllocsPerRun(100, func() {
				a := pool.Fork(w, num, 1)
				if got := a.Join(w); got != 2 {
					t.Errorf("P1: forks of two types gave %d together, want 2", got)
				}
				b := pool.Fork(w, str, "a")
				b.Join(w)
			})
			return 0
		}, 0)
		// The string itself.
		if allocs > 1 {
			t.Errorf("Cost: forks of alternating types allocate %v times each round, want 1 (the result): a slot forgets its frames", allocs)
		}
	})
}

func TestOutOfOrder(t *testing.T) {
	eachMode(t, "P1", "forks are joined in any order", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		const n = 10
		square := func(w *pool.Worker, i int) int {
			// The join that runs it has moved the forks above. What is wrong then hangs
			// the next fork.
			if err := w.CheckStack(); err != nil {
				t.Errorf("P1: as fork %d begins: %v", i, err)
				return 0
			}
			return fib(w, 5) + i*i - 5
		}
		for _, order := range [][n]int{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
			{9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
			{5, 3, 9, 0, 1, 8, 2, 7, 6, 4},
			{1, 0, 3, 2, 5, 4, 7, 6, 9, 8},
		} {
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				for range 100 {
					var f [n]pool.Forked[int, int]
					for i := range f {
						f[i] = pool.Fork(w, square, i)
					}
					for _, i := range order {
						if got := f[i].Join(w); got != i*i {
							t.Errorf("P1: order %v: fork %d gave %d, want %d", order, i, got, i*i)
						}
						if err := w.CheckStack(); err != nil {
							t.Errorf("P1: order %v: after the join of fork %d: %v", order, i, err)
							return 0
						}
					}
				}
				if d := w.Depth(); d != 0 {
					t.Errorf("Cost: order %v: %d slots in use after all joins, want 0: holes grow", order, d)
				}
				return 0
			}, 0)
		}
	})
}

// Forks joined first in, first out with one always live, and at random: the
// stack must stay in proportion to the forks that are live.
func TestHolesDoNotGrow(t *testing.T) {
	eachMode(t, "P1", "forks are joined in any order while others stay live", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		for _, live := range []int{2, 8, 200} {
			for name, pick := range map[string]func(rng *rand.Rand) int{
				"oldest":         func(*rand.Rand) int { return 0 },
				"random":         func(rng *rand.Rand) int { return rng.IntN(live) },
				"newest but one": func(*rand.Rand) int { return live - 1 },
			} {
				subtest(t, fmt.Sprintf("live=%d/%s", live, name), "P1", "forks are joined while so many others stay live", func(t *testing.T) {
					mustRun(t, p, func(w *pool.Worker, _ int) int {
						rollForks(t, w, live, pick)
						return 0
					}, 0)
				})
			}
		}
	})
}

// rollForks forks and joins many times, the one that pick says, with a number
// of forks always live.
func rollForks(t *testing.T, w *pool.Worker, live int, pick func(*rand.Rand) int) {
	rng := rand.New(rand.NewPCG(1, 2))
	echo := func(w *pool.Worker, i int) int { return fib(w, 3) + i - 2 }
	type forked struct {
		pool.Forked[int, int]
		want int
	}
	var forks []forked
	most := 0
	for i := range 100 * live {
		forks = append(forks, forked{pool.Fork(w, echo, i), i})
		if len(forks) > live {
			j := pick(rng)
			if got := forks[j].Join(w); got != forks[j].want {
				t.Errorf("P1: a fork gave %d, want %d", got, forks[j].want)
			}
			forks = slices.Delete(forks, j, j+1)
		}
		most = max(most, w.Depth())
	}
	if most > 10*live {
		t.Errorf("Cost: %d slots were in use for %d forks: holes grow", most, live)
	}
	for _, f := range forks {
		if got := f.Join(w); got != f.want {
			t.Errorf("P1: a fork gave %d, want %d", got, f.want)
		}
	}
	if d := w.Depth(); d != 0 {
		t.Errorf("Cost: %d slots are in use after all joins", d)
	}
}

func TestNeverJoined(t *testing.T) {
	eachMode(t, "P1", "a job returns after the forks that it has not joined", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		var ran atomic.Int32
		leaf := func(*pool.Worker, int) int { ran.Add(1); return 0 }
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			f := pool.Fork(w, func(w *pool.Worker, _ int) int {
				pool.Fork(w, leaf, 0)
				pool.Fork(w, leaf, 0)
				return 0
			}, 0)
			f.Join(w)
			if n := ran.Load(); n != 2 {
				t.Errorf("P1: %d of 2 forks ran before the job that forked them returned", n)
			}
			pool.Fork(w, leaf, 0)
			return 0
		}, 0)
		if n := ran.Load(); n != 3 {
			t.Errorf("P1: %d of 3 forks ran before Run returned", n)
		}
	})
}

// A million forks are pending at once, once: that takes long.
func TestMillionForks(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P9", "pending forks are joined", func() {
		sum := enter(t, p, func(w *pool.Worker) (sum int64) {
			forks := make([]pool.Forked[int, int64], n)
			for i := range forks {
				forks[i] = pool.Fork(w, func(_ *pool.Worker, i int) int64 { return int64(i) }, i)
			}
			for _, f := range slices.Backward(forks) {
				sum += f.Join(w)
			}
			return sum
		})
		if want := int64(n) * int64(n-1) / 2; sum != want {
			t.Errorf("P9: the sum of %d forks is %d, want %d", n, sum, want)
		}
	})
}

// wantPanic fails unless f panics with what says so. Then what is promised is broken.
func wantPanic(t *testing.T, promise, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got == nil || !strings.Contains(toString(got), want) {
			t.Errorf("%s: panic %v, want one that says %q", promise, got, want)
		}
	}()
	f()
}

func toString(v any) string {
	switch v := v.(type) {
	case error:
		return v.Error()
	case string:
		return v
	}
	return ""
}

func TestMisuse(t *testing.T) {
	eachMode(t, "P1", "a job goes on after a join that was refused", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			f := pool.Fork(w, fib, 3)
			f.Join(w)
			wantPanic(t, "P1", "joined twice", func() { f.Join(w) })
			g := pool.Fork(w, fib, 3) // the same slot
			wantPanic(t, "P1", "joined twice", func() { f.Join(w) })
			g.Join(w)
			var kept pool.Forked[int, int]
			pool.Fork(w, func(w *pool.Worker, _ int) int {
				kept = pool.Fork(w, fib, 3)
				return 0
			}, 0).Join(w)
			// Unless that job was stolen, when it is another worker's fork.
			wantPanic(t, "P1", "job that forked it", func() { kept.Join(w) })
			// Again and again, so that beside a thief the stale one has not always been public.
			for range 100 {
				f := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
				f.Join(w)
				h := pool.Fork(w, func(_ *pool.Worker, s string) string { return s }, "live")
				wantPanic(t, "P1", "joined twice", func() { f.Join(w) })
				if h.Join(w) != "live" {
					t.Error("P1: a fork gives a wrong result after the misuse of another, of another type")
				}
			}
			if p.Workers() > 1 {
				f := pool.Fork(w, fib, 3)
				stolen(t, w, func(v *pool.Worker) int {
					wantPanic(t, "P1", "joined by another worker", func() { f.Join(v) })
					return 0
				}).Join(w)
				if f.Join(w) != 2 {
					t.Error("P1: a fork gives a wrong result after another worker tried to join it")
				}
			}
			return 0
		}, 0)
		meet(t, p)
	})
	p, q := newPool(t, pool.WithWorkers(1)), newPool(t, pool.WithWorkers(1))
	during(t, "P4", "a fork is joined after a Run on another pool, whose worker tried to join it", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			f := pool.Fork(w, fib, 3)
			mustRun(t, q, func(v *pool.Worker, _ int) int {
				wantPanic(t, "P1", "join it in the job that forked it", func() { f.Join(v) })
				return 0
			}, 0)
			return f.Join(w)
		}, 0)
	})
}

// A handle outlives its frame, which the worker has given back before it slept,
// and the next fork at that depth has a new one.
func TestStaleHandleOfDeepFork(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "a worker returns from a deep stack of forks, and sleeps, twice", func() {
		leaf := func(*pool.Worker, int) int { return 7 }
		var stale pool.Forked[int, int]
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			var forks []pool.Forked[int, int]
			for i := range 50 {
				forks = append(forks, pool.Fork(w, leaf, i))
			}
			stale = forks[40]
			for _, f := range slices.Backward(forks) {
				f.Join(w)
			}
			return 0
		}, 0)
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			var forks []pool.Forked[int, int]
			for i := range 41 {
				forks = append(forks, pool.Fork(w, leaf, i))
			}
			wantPanic(t, "P1", "joined twice", func() { stale.Join(w) })
			for _, f := range slices.Backward(forks) {
				if f.Join(w) != 7 {
					t.Error("P1: a fork gives a wrong result after the misuse of another from as deep down")
				}
			}
			return 0
		}, 0)
	})
}

func TestNewRefuses(t *testing.T) {
	broken := errors.New("no thread to be had")
	for _, c := range []struct {
		name, want string
		opt        pool.Option
	}{
		{"zero workers", "WithWorkers(0): must be 1 to 65535", pool.WithWorkers(0)},
		{"negative workers", "WithWorkers(-3): must be 1 to 65535", pool.WithWorkers(-3)},
		{"too many workers", "WithWorkers(65536): must be 1 to 65535", pool.WithWorkers(65536)},
		{"a full queue", "WithQueueLimit(0)", pool.WithQueueLimit(0)},
		{"less than a queue", "WithQueueLimit(-1)", pool.WithQueueLimit(-1)},
		{"nil deque factory", "WithDeque(nil)", pool.WithDeque(nil)},
		{"nil sleep factory", "WithSleep(nil)", pool.WithSleep(nil)},
		{"no deque", "WithDeque", pool.WithDeque(func() api.Deque[pool.Job] { return nil })},
		{"no sleep", "WithSleep", pool.WithSleep(func(int) (api.Sleep, error) { return nil, nil })},
		{"sleep fails", "no thread to be had", pool.WithSleep(func(int) (api.Sleep, error) { return nil, broken })},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			p, err := pool.New(c.opt)
			if err == nil {
				p.Close()
				t.Fatalf("P29: New: it succeeded, want an error that says %q", c.want)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("P29: New: error %q does not say %q", err, c.want)
			}
			if n := runtime.NumGoroutine(); n > before {
				t.Errorf("P29: New: it failed and left %d goroutines behind", n-before)
			}
		})
	}
}

// Workers that sleep hold no thread, so there may be more of them than threads,
// of which a program can have 10,000.
func TestManyWorkers(t *testing.T) {
	workers := 2000
	if raceEnabled && testing.Short() {
		// Before a worker sleeps it looks at all others, so the time is in
		// proportion to the square of their number.
		workers = 300
	}
	threads := pprof.Lookup("threadcreate")
	before := threads.Count()
	p := asleep(t, newPool(t, pool.WithWorkers(workers)))
	if n := threads.Count() - before; n > workers/4 {
		t.Errorf("P10: %d sleeping workers made the program start %d threads: they hold one each", workers, n)
	}
	during(t, "P10", "Run returns on a pool of many workers", func() {
		if got := mustRun(t, p, fib, 10); got != 55 {
			t.Errorf("P10: fib(10) is %d, want 55", got)
		}
	})
}
