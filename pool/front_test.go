package pool_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

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
