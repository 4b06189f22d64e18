package pool_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, code that asks for the default pool does not get what main has set.
func TestDefault(t *testing.T) {
	builtIn := pool.Default()
	if builtIn == nil || builtIn != pool.Default() {
		t.Fatal("P28: Default: two calls do not return the same pool")
	}
	if n, want := builtIn.Workers(), runtime.GOMAXPROCS(0); n != want {
		t.Errorf("P28: Default: the built-in pool has %d workers, want %d, as many as processors", n, want)
	}
	p := newPool(t, pool.WithWorkers(3))
	if old := pool.SetDefault(p); old != builtIn {
		t.Errorf("P28: SetDefault returned %p, want the built-in pool %p, which was the default", old, builtIn)
	}
	if got := pool.Default(); got != p {
		t.Errorf("P28: Default returned %p, want %p, which was set", got, p)
	}
	if old := pool.SetDefault(nil); old != p {
		t.Errorf("P28: SetDefault returned %p, want %p, which was set", old, p)
	}
	if got := pool.Default(); got != builtIn {
		t.Errorf("P28: Default returned %p after SetDefault(nil), want the built-in pool %p", got, builtIn)
	}
	func() { // the idiom for tests
		defer pool.SetDefault(pool.SetDefault(p))
	}()
	if got := pool.Default(); got != builtIn {
		t.Errorf("P28: Default returned %p after what was there was put back, want the built-in pool %p", got, builtIn)
	}
}

// If this fails, a program goes on with as many workers as there were processors when it first
// used the default pool, or what it has left behind stays.
func TestDefaultFollowsProcessors(t *testing.T) {
	defer pool.ForgetBuiltIn()()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var before []weak.Pointer[pool.Pool]
	for _, n := range []int{1, 2, 4, 2, 1, 3} {
		runtime.GOMAXPROCS(n)
		n = runtime.GOMAXPROCS(0) // js/wasm has one, whatever it is told
		p := pool.Default()
		if got := p.Workers(); got != n {
			t.Errorf("P28: Default: after a rest it has %d workers, and there are %d processors", got, n)
		}
		if p != pool.Default() {
			t.Errorf("P28: Default: two calls do not return the same pool, and there are %d processors at both", n)
		}
		if got := mustRun(t, pool.Default(), fib, 15); got != 610 {
			t.Errorf("P1: fib(15) is %d on the built-in pool of %d workers, want 610", got, n)
		}
		if got, err := submitted(t, pool.Default(), func(w *pool.Worker) int { return fib(w, 10) }).Wait(background); got != 55 || err != nil {
			t.Errorf("P1: a job of the built-in pool of %d workers gave %d, %v, want 55", n, got, err)
		}
		untilSleeping(t, p)
		before = append(before, weak.Make(p))
	}
	last := pool.Default()
	untilAtRest(t)
	for range 10 {
		runtime.GC()
	}
	for i, p := range before {
		if p.Value() != nil && p.Value() != last {
			t.Errorf("P22: built-in pool %d of %d is not collected, although another one has taken its place", i+1, len(before))
		}
	}
}

// If this fails, a call that has got the default pool cannot use it if it is replaced meanwhile.
func TestDefaultReplacedInUse(t *testing.T) {
	defer pool.ForgetBuiltIn()()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	during(t, "P1", "calls return on default pools that are replaced", func() {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range rounds {
					if got := mustRun(t, pool.Default(), fib, 10); got != 55 {
						t.Errorf("P1: fib(10) is %d on the default pool, want 55", got)
					}
					h, err := pool.Submit(pool.Default(), func(w *pool.Worker) int { return mustRun(t, pool.Default(), fib, 8) })
					if err != nil {
						t.Errorf("P1: Submit on the default pool: %v", err)
						return
					}
					if got, err := h.Wait(background); got != 21 || err != nil {
						t.Errorf("P1: a job of the default pool gave %d, %v, want 21", got, err)
					}
				}
			})
		}
		for i := range rounds {
			runtime.GOMAXPROCS(1 + i%3)
			runtime.Gosched()
		}
		wg.Wait()
	})
}

// If this fails, jobs that are there when the number of processors changes run beside those of
// another pool, or whoever has kept a pool that was the built-in one cannot use it.
func TestDefaultKeepsItsJobs(t *testing.T) {
	for name, wait := range map[string]func(w *pool.Worker, over chan bool){
		"a job that runs": func(_ *pool.Worker, over chan bool) { <-over },
		"a job in Block":  func(w *pool.Worker, over chan bool) { w.Block(func() { <-over }) },
	} {
		func() {
			defer pool.ForgetBuiltIn()()
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
			if runtime.GOMAXPROCS(0) != 2 {
				t.Skip("this platform has one processor, whatever it is told")
			}
			p := pool.Default()
			begun, over := make(chan bool), make(chan bool)
			h := submitted(t, p, func(w *pool.Worker) int {
				begun <- true
				wait(w, over)
				return pool.Default().Workers()
			})
			during(t, "P1", name+" begins on the built-in pool", func() { <-begun })
			if name == "a job in Block" {
				untilSleeping(t, p) // the job is all that there is
			}
			runtime.GOMAXPROCS(3)
			if got := pool.Default(); got != p {
				t.Errorf("P28: Default: beside %s it has %d workers, want the pool of that job, which has %d", name, got.Workers(), p.Workers())
			}
			close(over)
			during(t, "P1", name+" ends", func() {
				if n, err := h.Wait(background); n != p.Workers() || err != nil {
					t.Errorf("P28: Default: in %s it has %d workers (%v), want the pool of that job, which has %d", name, n, err, p.Workers())
				}
			})
			untilSleeping(t, p)
			if n := pool.Default().Workers(); n != 3 {
				t.Errorf("P28: Default: after the end of %s it has %d workers, and there are 3 processors", name, n)
			}
			if err := p.Close(); !errors.Is(err, pool.ErrDefault) {
				t.Errorf("P6: Close of a pool that was the built-in one returned %v, want ErrDefault", err)
			}
			nested := mustRun(t, p, func(*pool.Worker, int) int { return mustRun(t, pool.Default(), fib, 10) }, 0)
			if nested != 55 {
				t.Errorf("P1: fib(10) is %d on the built-in pool, in a job of the one before", nested)
			}
			if old := pool.SetDefault(p); old != pool.Default() || pool.Default() == p {
				t.Error("P28: SetDefault of a pool that was the built-in one does not put the built-in one back")
			}
		}()
	}
}

// If this fails, a library can take the default pool from everybody else, or you cannot
// close a pool of your own.
func TestDefaultIsNotClosed(t *testing.T) {
	builtIn := pool.Default()
	if err := builtIn.Close(); !errors.Is(err, pool.ErrDefault) {
		t.Errorf("P6: Close of the built-in pool returned %v, want ErrDefault", err)
	}
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer pool.SetDefault(pool.SetDefault(p))
	if err := p.Close(); !errors.Is(err, pool.ErrDefault) {
		t.Errorf("P6: Close of the pool that was set returned %v, want ErrDefault", err)
	}
	if got := mustRun(t, pool.Default(), fib, 10); got != 55 {
		t.Errorf("P1: fib(10) is %d after a Close that was refused", got)
	}
	if err := builtIn.Close(); !errors.Is(err, pool.ErrDefault) {
		t.Errorf("P6: Close of the built-in pool, which is not the default now, returned %v, want ErrDefault", err)
	}
	if err := p.Shutdown(background); !errors.Is(err, pool.ErrDefault) {
		t.Errorf("P6: Shutdown of the pool that was set returned %v, want ErrDefault", err)
	}
	pool.SetDefault(nil)
	during(t, "P6", "Close returns of a pool that was the default", func() {
		if err := p.Close(); err != nil {
			t.Errorf("P6: Close of a pool that is no longer the default returned %v", err)
		}
	})
}

// If this fails under the race detector, or two pools are built in, the first use is not
// safe for many goroutines.
func TestDefaultBegunByMany(t *testing.T) {
	defer pool.ForgetBuiltIn()()
	if old := pool.SetDefault(nil); old != nil {
		t.Errorf("P28: SetDefault returned %p before anybody had used the built-in pool, want nil", old)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{2, 3, 2} { // the first one begins it, the others find another number
		runtime.GOMAXPROCS(n)
		var got [8]*pool.Pool
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = pool.Default() })
		}
		wg.Wait()
		for _, p := range got {
			if p == nil || p != got[0] {
				t.Fatalf("P28: Default: calls at once returned %p and %p", got[0], p)
			}
		}
	}
}

// If this fails, you do not learn what is wrong with a nil pool.
func TestNilPool(t *testing.T) {
	for name, f := range map[string]func(){
		"Run":    func() { _, _ = pool.Run(background, nil, fib, 1) },
		"Submit": func() { _, _ = pool.Submit(nil, func(w *pool.Worker) int { return 0 }) },
		"Go":     func() { _ = pool.Go(nil, func(*pool.Worker) {}) },
		"RunErr": func() {
			_, _ = pool.RunErr(background, nil, func(context.Context, *pool.Worker, int) (int, error) { return 0, nil }, 1)
		},
		"SubmitErr": func() {
			_, _ = pool.SubmitErr(background, nil, func(context.Context, *pool.Worker) (int, error) { return 0, nil })
		},
		"SubmitAll": func() { _, _ = pool.SubmitAll(nil, []func(*pool.Worker) int{func(*pool.Worker) int { return 0 }}) },
	} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, "pool.Default()") || !strings.Contains(s, name) {
					t.Errorf("P29: %s of a nil pool panics with %q, want a message that names it and pool.Default()", name, s)
				}
			}()
			f()
		}()
	}
}
