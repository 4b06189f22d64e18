package par_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var background = context.Background()

func newPool(t testing.TB, opts ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

// onPools runs f with pools of several sizes.
func onPools(t *testing.T, f func(t *testing.T, p *pool.Pool)) {
	for _, workers := range []int{1, 2, 3, 64} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			f(t, newPool(t, pool.WithWorkers(workers)))
		})
	}
}

// spin keeps the processor busy.
func spin(d time.Duration) {
	for begun := prim.Now(); prim.Now()-begun < d; {
	}
}

// works are bodies of several lengths, for loops that are over at once, and for such as
// are shared.
var works = []struct {
	name string
	do   func(i int)
	most int // the largest loop that such a body is for
}{
	{"nothing", func(int) {}, math.MaxInt},
	{"1us", func(int) { spin(time.Microsecond) }, 5000},
	{"30us", func(int) { spin(30 * time.Microsecond) }, 100},
	{"first", func(i int) {
		if i == 0 {
			spin(300 * time.Microsecond)
		}
	}, math.MaxInt},
	{"skewed", func(i int) { spin(300 * time.Microsecond / time.Duration(i+1)) }, 1000},
	{"gosched", func(int) { runtime.Gosched() }, 10000},
}

// Each element is done once, whatever the loop.
func TestOnce(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 8191, 8192, 8193, 100_000} {
			for _, work := range works {
				if n > work.most {
					continue
				}
				done := make([]atomic.Int32, n)
				once := func(what string) {
					t.Helper()
					for i := range done {
						if got := done[i].Swap(0); got != 1 {
							t.Fatalf("F1: %s over %d elements of %s: element %d was done %d times", what, n, work.name, i, got)
						}
					}
				}
				par.For(n, func(i int) { work.do(i); done[i].Add(1) }, par.On(p))
				once("For")
				par.ForRange(n, func(lo, hi int) {
					if lo >= hi {
						t.Errorf("F1: ForRange over %d has a range %d to %d", n, lo, hi)
					}
					for i := lo; i < hi; i++ {
						work.do(i)
						done[i].Add(1)
					}
				}, par.On(p))
				once("ForRange")
				par.Each(done, func(i int, x *atomic.Int32) {
					work.do(i)
					if x != &done[i] {
						t.Errorf("F1: Each hands element %d another one", i)
					}
					x.Add(1)
				}, par.On(p))
				once("Each")
				if err := par.ForErr(background, n, func(_ context.Context, i int) error {
					work.do(i)
					done[i].Add(1)
					return nil
				}, par.On(p)); err != nil {
					t.Errorf("F1: ForErr without an error returned %v", err)
				}
				once("ForErr")
			}
		}
	})
}

type failure int

func (f failure) Error() string { return fmt.Sprintf("element %d", int(f)) }

// The error is that of the lowest element that fails, and all below have run.
func TestLowestError(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, work := range works {
			n := min(work.most, 3000)
			for _, bad := range [][]int{{0}, {n - 1}, {n / 2, n - 1}, {n / 3, n / 2, n/2 + 1}} {
				done := make([]atomic.Bool, n)
				err := par.ForErr(background, n, func(_ context.Context, i int) error {
					work.do(i)
					done[i].Store(true)
					if slices.Contains(bad, i) {
						return failure(i)
					}
					return nil
				}, par.On(p))
				if err != failure(bad[0]) {
					t.Errorf("F2: ForErr of %d elements of %s, of which %v fail, returned %v", n, work.name, bad, err)
				}
				for i := range bad[0] {
					if !done[i].Load() {
						t.Fatalf("F2: ForErr of %d elements of %s, of which %v fail, left out element %d", n, work.name, bad, i)
					}
				}
			}
		}
	})
}

// The panic is that of the lowest element, also beside errors.
func TestLowestPanic(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, work := range works {
			n := min(work.most, 1000)
			for _, bad := range [][]int{{0}, {n - 1}, {n / 2, n - 1}, {n / 3, n / 2}} {
				var running atomic.Int32
				got := caught(func() {
					par.For(n, func(i int) {
						running.Add(1)
						defer running.Add(-1)
						work.do(i)
						if slices.Contains(bad, i) {
							panic(failure(i))
						}
					}, par.On(p))
				})
				if got != failure(bad[0]) {
					t.Errorf("F2: For of %d elements of %s, of which %v panic, panics with %v", n, work.name, bad, got)
				}
				if r := running.Load(); r != 0 {
					t.Errorf("F2: For of %d elements of %s, of which %v panic: %d run when it has ended", n, work.name, bad, r)
				}
			}
			for _, panics := range []bool{true, false} { // the lower one
				var err error
				got := caught(func() {
					err = par.ForErr(background, n, func(_ context.Context, i int) error {
						work.do(i)
						switch {
						case i == n/3 && panics || i == n/2 && !panics:
							panic(failure(i))
						case i == n/3 || i == n/2:
							return failure(i)
						}
						return nil
					}, par.On(p))
				})
				if want := any(failure(n / 3)); panics && got != want || !panics && (got != nil || err != want) {
					t.Errorf("F2: ForErr of %d elements of %s, of which %d and %d fail, the lower one by a panic: %t: panic %v, error %v", n, work.name, n/3, n/2, panics, got, err)
				}
			}
		}
	})
}

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// Goexit in an element ends the caller, when nothing runs any more.
func TestGoexit(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, work := range works {
			n := min(work.most, 1000)
			for _, at := range []int{0, n / 2, n - 1} {
				var running atomic.Int32
				returned := false
				var wg sync.WaitGroup
				wg.Go(func() {
					par.For(n, func(i int) {
						running.Add(1)
						defer running.Add(-1)
						work.do(i)
						if i == at {
							runtime.Goexit()
						}
					}, par.On(p))
					returned = true
				})
				wg.Wait()
				if returned || running.Load() != 0 {
					t.Errorf("F4: For, of which element %d of %d calls Goexit: it returned: %t; %d run", at, n, returned, running.Load())
				}
			}
		}
	})
}

type keyOfTest struct{}

// When the context ends, the call does: with the context's error and its cause.
func TestContext(t *testing.T) {
	cause := errors.New("enough")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		ctx, cancel := context.WithCancelCause(background)
		cancel(cause)
		runs := func(context.Context, int) error { t.Error("F3: a body runs though the context has ended"); return nil }
		if err := par.ForErr(ctx, 1, runs, par.On(p)); !errors.Is(err, cause) {
			t.Errorf("F3: ForErr of one element with a context that has ended returned %v", err)
		}
		err := par.ForErr(ctx, 10, runs, par.On(p))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
			t.Errorf("F3: ForErr with a context that has ended returned %v", err)
		}
		ctx, cancel = context.WithCancelCause(context.WithValue(background, keyOfTest{}, p))
		var ran atomic.Int64
		err = par.ForErr(ctx, math.MaxInt, func(got context.Context, i int) error {
			if got.Value(keyOfTest{}) != p {
				t.Error("F3: ForErr hands its bodies a context without the values of the caller's")
			}
			if ran.Add(1) == 100_000 {
				cancel(cause)
			}
			return nil
		}, par.On(p))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || !strings.Contains(err.Error(), "enough") {
			t.Errorf("F3: ForErr whose context ends returned %v", err)
		}
		ctx, cancel = context.WithCancelCause(background)
		err = par.ForErr(ctx, 100_000, func(_ context.Context, i int) error {
			if i == 50_000 {
				cancel(cause)
				return failure(i)
			}
			return nil
		}, par.On(p))
		if err != failure(50_000) && !errors.Is(err, cause) {
			t.Errorf("F3: ForErr that fails as its context ends returned %v", err)
		}
	})
}

// A call that is over in a moment wakes nobody, and allocates nothing.
func TestSmall(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	par.For(1000, func(int) { spin(time.Microsecond) }, par.On(p))
	for p.Stats().Parks < 2 {
		time.Sleep(time.Millisecond)
	}
	to := make([]int, 100)
	body := func(i int) { to[i] = i }
	par.For(100, body) // it is not known to be short yet
	defer pool.SetDefault(pool.SetDefault(p))
	wakes := p.Stats().Wakes
	n := testing.AllocsPerRun(1000, func() { par.For(100, body) })
	if n != 0 {
		t.Errorf("F7: For of 100 elements allocates %v times", n)
	}
	if woken := p.Stats().Wakes - wakes; woken > 10 { // the machine may stand still in a quantum
		t.Errorf("F7: For of 100 elements, 1000 times, wakes %d workers", woken)
	}
}

// A loop that takes longer is shared, also one of a job that does not say which worker it has.
func TestShared(t *testing.T) {
	p := newPool(t, pool.WithWorkers(4))
	for _, in := range []func(loop func()){
		func(loop func()) { loop() },
		func(loop func()) {
			if _, err := pool.Run(background, p, func(*pool.Worker, int) int { loop(); return 0 }, 0); err != nil {
				t.Errorf("F5: a loop in a job: %v", err)
			}
		},
	} {
		for _, n := range []int{12, 100} {
			var running, most atomic.Int32
			in(func() {
				par.For(n, func(int) {
					now := running.Add(1)
					defer running.Add(-1)
					for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
					}
					time.Sleep(5 * time.Millisecond)
				}, par.On(p))
			})
			if most.Load() < 4 {
				t.Errorf("F7: For of %d elements of 5 ms: %d run at once, want 4", n, most.Load())
			}
		}
	}
}

// Loops nest, in one pool and in several, with a lock held over them.
func TestNested(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(1))
	var n atomic.Int64
	var mu sync.Mutex
	par.For(50, func(i int) {
		par.For(20, func(j int) {
			mu.Lock()
			defer mu.Unlock()
			par.For(10, func(int) { spin(time.Microsecond); n.Add(1) }, par.On([]*pool.Pool{p, q}[j%2]))
		}, par.On(q))
	}, par.On(p))
	if n.Load() != 50*20*10 {
		t.Errorf("F5: three nested loops of 50, 20 and 10 did %d elements", n.Load())
	}
	if _, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
		par.For(100, func(int) { spin(10 * time.Microsecond); n.Add(1) }, par.In(w))
		return 0
	}, 0); err != nil || n.Load() != 50*20*10+100 {
		t.Errorf("F5: a loop in a job: %v, %d elements", err, n.Load())
	}
}

// A loop on a pool that is closed runs on the caller.
func TestClosed(t *testing.T) {
	p := newPool(t)
	p.Close()
	n := 0
	par.For(1000, func(int) { spin(time.Microsecond); n++ }, par.On(p))
	if n != 1000 {
		t.Errorf("F5: on a closed pool For did %d elements of 1000", n)
	}
}

// In a bubble the clock stands still, and a loop is shared all the same.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(3))
		begun := time.Now()
		par.For(30, func(int) { time.Sleep(time.Second) }, par.On(p))
		if took := time.Since(begun); took > 12*time.Second {
			t.Errorf("F7: 30 elements of a second on 3 workers took %v", took)
		}
		for call := range 5 { // from the third on it seems to be short
			before := p.Stats().Spawned
			var n atomic.Int64
			par.For(100_000, func(int) { n.Add(1) }, par.On(p))
			if n.Load() != 100_000 || p.Stats().Spawned == before {
				t.Errorf("F7: in a bubble, call %d of For did %d elements, and called for help %d times", call, n.Load(), p.Stats().Spawned-before)
			}
		}
	})
}

func TestProgress(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var calls, last int
		var inside atomic.Int32
		par.For(3000, func(int) { spin(100 * time.Microsecond) }, par.On(p), par.WithProgress(func(done, total int) {
			if inside.Add(1) != 1 {
				t.Error("WithProgress: it is called by two at once")
			}
			defer inside.Add(-1)
			if done < last || total != 3000 {
				t.Errorf("WithProgress: %d of %d after %d", done, total, last)
			}
			calls, last = calls+1, done
		}))
		if last != 3000 || calls < 2 {
			t.Errorf("WithProgress: %d calls, the last with %d of 3000", calls, last)
		}
	})
}

// All n elements of the largest loop can be failed at once.
func TestHuge(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	var ran atomic.Int64
	const fails = 3_000_000
	err := par.ForErr(background, math.MaxInt, func(_ context.Context, i int) error {
		ran.Add(1)
		if i == fails {
			return failure(i)
		}
		return nil
	}, par.On(p))
	if err != failure(fails) {
		t.Errorf("F2: ForErr over math.MaxInt elements returned %v", err)
	}
	ran.Store(0)
	if err := par.ForErr(background, 1_000_000_000, func(_ context.Context, i int) error { ran.Add(1); return failure(i) }, par.On(p)); err != failure(0) || ran.Load() != 1 {
		t.Errorf("F2: ForErr that fails at once returned %v after %d elements", err, ran.Load())
	}
}
