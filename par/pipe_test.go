package par_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Sink gets the results in order, one at a time, and at most a window is in the pipe.
func TestPipe(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, window := range append(windows, 0) {
			for _, work := range works {
				for _, n := range []int{0, 1, 3, 100} {
					opts := []par.Option{par.On(p)}
					if window > 0 {
						opts = append(opts, par.WithWindow(window))
					}
					var began, inSink atomic.Int64
					var sunk atomic.Int64
					pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
						began.Add(1)
						work.do(i)
						return i * i, nil
					}, func(r int) error {
						if k := int(sunk.Load()); r != k*k || inSink.Add(1) != 1 {
							t.Errorf("F1: window %d, %s: result %d is %d, with %d calls of sink under way", window, work.name, k, r, inSink.Load())
						}
						inSink.Add(-1)
						sunk.Add(1)
						return nil
					}, opts...)
					for i := range n {
						if ahead := i - int(sunk.Load()); window > 0 && ahead >= window {
							t.Fatalf("F1: window %d, %s: %d elements are in the pipe when another one is pushed", window, work.name, ahead)
						}
						if err := pipe.Push(i); err != nil {
							t.Fatalf("F1: Push returns %v", err)
						}
						if i == n/2 {
							if err := pipe.Flush(); err != nil || int(sunk.Load()) != i+1 {
								t.Fatalf("F4: Flush after %d elements returns %v, and sink has had %d", i+1, err, sunk.Load())
							}
						}
					}
					if err := pipe.Close(); err != nil || int(sunk.Load()) != n || int(began.Load()) != n {
						t.Fatalf("F4: Close after %d elements returns %v; %d were begun, %d in sink", n, err, began.Load(), sunk.Load())
					}
				}
			}
		}
	})
}

// ended says how a call has ended.
func ended(call func() error) (value any, exited bool, err error) {
	done := make(chan struct{})
	exited = true
	go func() {
		defer close(done)
		defer func() {
			if exited {
				value = recover()
				exited = value == nil
			}
		}()
		err = call()
		exited = false
	}()
	<-done
	return value, exited, err
}

// The lowest element that fails, of f or of sink, is how the pipe fails: all below have reached
// sink, and a call ends so. Later ones return it.
func TestPipeLowest(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for _, bad := range [][]int{{0}, {1, 2}, {n / 2, n/2 + 1, n - 1}, {n - 1}} {
			for _, who := range []string{"f", "sink"} {
				for first := byError; first <= byGoexit; first++ {
					fails := func(i int) error {
						k := slices.Index(bad, i)
						if k < 0 {
							return nil
						}
						switch (first + end(k)) % 3 {
						case byPanic:
							panic(failure(i))
						case byGoexit:
							runtime.Goexit()
						}
						return failure(i)
					}
					var running, sunk atomic.Int64
					pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
						running.Add(1)
						defer running.Add(-1)
						if do(i); who == "sink" {
							return i, nil
						}
						return i, fails(i)
					}, func(i int) error {
						if who == "sink" {
							if err := fails(i); err != nil {
								return err
							}
						}
						sunk.Add(1)
						return nil
					}, opts...)
					value, exited, err := ended(func() error {
						for i := range n {
							if err := pipe.Push(i); err != nil {
								return err
							}
						}
						return pipe.Close()
					})
					want := failure(bad[0])
					if int(sunk.Load()) != bad[0] || (err == want) != (first == byError) || (value == want) != (first == byPanic) || exited != (first == byGoexit) {
						t.Fatalf("F2: elements %v of %s fail, the lowest by %d: %d results, then error %v, panic %v, Goexit %t", bad, who, first, sunk.Load(), err, value, exited)
					}
					for name, call := range map[string]func() error{"Push": func() error { return pipe.Push(n) }, "Flush": pipe.Flush, "Close": pipe.Close, "Close again": pipe.Close} {
						value, exited, err := ended(call)
						var panicked *pool.PanicError
						same := err == want && first == byError || errors.As(err, &panicked) && panicked.Value == want && first == byPanic || err == pool.ErrGoexit && first == byGoexit
						if !same || value != nil || exited {
							t.Fatalf("F2: a pipe has failed by %d, and %s returns %v, panics with %v, Goexit %t", first, name, err, value, exited)
						}
					}
					if running.Load() != 0 {
						t.Fatalf("F4: a pipe is closed, and %d calls run", running.Load())
					}
				}
			}
		}
	})
}

// When the context ends, so does the pipe, at the first element that has not begun.
func TestPipeContext(t *testing.T) {
	cause := errors.New("enough")
	type key struct{}
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		ctx, cancel := context.WithCancelCause(context.WithValue(background, key{}, t))
		began, sunk := make([]atomic.Bool, n), 0
		pipe := par.NewPipe(ctx, func(got context.Context, i int) (int, error) {
			if err := got.Err(); got.Value(key{}) != t || err != nil && ctx.Err() == nil {
				t.Errorf("F3: f is handed a context with the error %v, and the value %v of the caller's", err, got.Value(key{}))
			}
			began[i].Store(true)
			if do(i); i == n/4 {
				cancel(cause)
			}
			return i, nil
		}, func(int) error { sunk++; return nil }, opts...)
		var err error
		for i := 0; i < n && err == nil; i++ {
			err = pipe.Push(i)
		}
		if err == nil {
			err = pipe.Push(0)
		}
		closed := pipe.Close()
		want := 0
		for want < n && began[want].Load() {
			want++
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || closed != err || sunk != want {
			t.Fatalf("F3: with a context that ends at %d of %d, %d results, want %d, then %v, and Close returns %v", n/4, n, sunk, want, err, closed)
		}
	})
}

// A pipe works in a job of a pool with one worker, on a closed pool, and where all workers have
// other jobs; a lock may be held over its calls.
func TestPipeWithoutHelp(t *testing.T) {
	sum := func(p *pool.Pool, f func(int) int, o ...par.Option) (sum int) {
		pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) { return f(i), nil }, func(r int) error { sum += r; return nil }, append(o, par.On(p))...)
		for i := range 100 {
			pipe.Push(i)
		}
		if err := pipe.Close(); err != nil {
			t.Errorf("F5: Close returns %v", err)
		}
		return sum
	}
	long := func(i int) int { spin(30 * time.Microsecond); return i }
	const want = 100 * 99 / 2
	p := newPool(t, pool.WithWorkers(1))
	if got, err := pool.Run(background, p, func(*pool.Worker, int) int { return sum(p, long) }, 0); got != want || err != nil {
		t.Errorf("F5: a pipe in a job: %d, %v, want %d", got, err, want)
	}
	// Elements that are pipes, and use the worker that the job beneath has.
	got, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
		return sum(p, func(i int) int {
			pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0)
			return sum(p, long) / want * i
		}, par.In(w))
	}, 0)
	if got != want || err != nil {
		t.Errorf("F5: pipes in a pipe in a job: %d, %v, want %d", got, err, want)
	}
	release := make(chan struct{})
	h, err := pool.Submit(p, func(*pool.Worker) int { <-release; return 0 })
	if err != nil {
		t.Fatal(err)
	}
	if got := sum(p, long); got != want {
		t.Errorf("F5: a pipe on a pool that has other things to do: %d, want %d", got, want)
	}
	close(release)
	h.Wait(background)
	p.Close()
	if got := sum(p, long); got != want {
		t.Errorf("F5: a pipe on a closed pool: %d, want %d", got, want)
	}
}

// While sink blocks, elements are pushed and done, up to the window.
func TestPipeSinkBlocks(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			var began atomic.Int64
			begun := time.Now()
			pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
				began.Add(1)
				time.Sleep(time.Millisecond)
				return i, nil
			}, func(i int) error { time.Sleep(10 * time.Millisecond); return nil }, par.On(p), par.WithWindow(5))
			for i := range 40 {
				pipe.Push(i)
			}
			if err := pipe.Close(); err != nil {
				t.Errorf("F2: Close returns %v", err)
			}
			// As long as sink takes, and the first ones before it. A single worker does both.
			most := 420 * time.Millisecond
			if workers == 1 {
				most = 450 * time.Millisecond
			}
			if took := time.Since(begun); took > most {
				t.Errorf("F7: 40 results, for which sink takes 10ms each, took %v on %d workers", took, workers)
			}
		})
	}
}

// Results reach sink while nobody calls.
func TestPipeHelpersHandOn(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var sunk atomic.Int64
		pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
			time.Sleep(time.Millisecond)
			return i, nil
		}, func(i int) error { sunk.Add(1); return nil }, par.On(p), par.WithWindow(8))
		for i := range 5 {
			pipe.Push(i)
		}
		time.Sleep(time.Second)
		if n := sunk.Load(); n != 5 {
			t.Errorf("F7: 5 elements of 1ms were pushed a second ago, and sink has had %d", n)
		}
		pipe.Close()
	})
}

// A sink that calls Push, and whoever calls during another call, is told so.
func TestPipeReentered(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	for name, call := range map[string]func(*par.Pipe[int, int]) error{
		"Push":  func(p *par.Pipe[int, int]) error { return p.Push(1) },
		"Flush": (*par.Pipe[int, int]).Flush,
		"Close": (*par.Pipe[int, int]).Close,
	} {
		var pipe *par.Pipe[int, int]
		pipe = par.NewPipe(background, func(_ context.Context, i int) (int, error) { return i, nil }, func(int) error { return call(pipe) }, par.On(p), par.WithWindow(1))
		v, _ := caught(func() { pipe.Push(0) }).(string)
		if !strings.Contains(v, name+" of a Pipe during another call of it") {
			t.Errorf("F8: sink calls %s, and Push panics with %q", name, v)
		}
		var panicked *pool.PanicError
		if err := pipe.Close(); !errors.As(err, &panicked) {
			t.Errorf("F8: sink has called %s, and Close returns %v", name, err)
		}
	}
}

// After Close, Push and Flush return io.ErrClosedPipe, and Close returns nil again.
func TestPipeClosed(t *testing.T) {
	for _, n := range []int{0, 10} {
		pipe := par.NewPipe(background, doubled, func(int) error { return nil })
		for i := range n {
			pipe.Push(i)
		}
		if err := pipe.Close(); err != nil {
			t.Errorf("F8: Close returns %v", err)
		}
		if push, flush := pipe.Push(1), pipe.Flush(); !errors.Is(push, io.ErrClosedPipe) || !errors.Is(flush, io.ErrClosedPipe) {
			t.Errorf("F8: after Close, Push returns %v, and Flush %v", push, flush)
		}
		if err := pipe.Close(); err != nil {
			t.Errorf("F8: the second Close returns %v", err)
		}
	}
}

func TestPipeRefused(t *testing.T) {
	sink := func(int) error { return nil }
	for what, call := range map[string]func(){
		"NewPipe with a nil function": func() { par.NewPipe[int, int](background, nil, sink) },
		"NewPipe with a nil":          func() { par.NewPipe(background, doubled, nil) },
		"NewPipe with a nil context":  func() { par.NewPipe(context.Context(nil), doubled, sink) }, //nolint
	} {
		if v, _ := caught(call).(string); !strings.Contains(v, what) {
			t.Errorf("F8: panic %q, want one that says %q", v, what)
		}
	}
}

// A pipe that nobody closes leaves nothing once its context has ended. What has panicked, and
// no call was told of, goes to the panic handler then, and no sooner.
func TestPipeForgotten(t *testing.T) {
	for _, who := range []string{"nobody", "f", "sink"} {
		for _, told := range []bool{false, true} {
			handled := make(chan any, 10)
			inBubble(t, 1, func(t *testing.T, _ *pool.Pool) {
				p := newPool(t, pool.WithWorkers(2), pool.WithPanicHandler(func(e *pool.PanicError) { handled <- e.Value }))
				ctx, cancel := context.WithCancel(background)
				defer cancel()
				fails := func(name string, i int) error {
					if time.Sleep(time.Millisecond); name == who && i == 2 {
						panic(failure(i))
					}
					return nil
				}
				pipe := par.NewPipe(ctx, func(_ context.Context, i int) (int, error) { return i, fails("f", i) }, func(i int) error { return fails("sink", i) }, par.On(p), par.WithWindow(8))
				for i := range 4 {
					pipe.Push(i)
				}
				time.Sleep(time.Second)
				if len(handled) != 0 {
					t.Errorf("P24: %s has panicked, the context has not ended, and the handler is called", who)
				}
				if told {
					if v := caught(func() { pipe.Flush() }); (v == failure(2)) != (who != "nobody") {
						t.Errorf("F2: %s has panicked, and Flush with %v", who, v)
					}
				}
				cancel()
				time.Sleep(time.Second)
				if n := len(handled); (n == 1) != (who != "nobody" && !told) {
					t.Errorf("P24: %s has panicked, a call was told: %t; the context has ended, and the handler was called %d times", who, told, n)
				}
				if err := pipe.Push(5); err == nil {
					t.Errorf("F3: %s has panicked, the context has ended, and Push returns nil", who)
				}
			})
		}
	}
}

// Nothing that was handed over is kept after Close, nor a result once sink has had it.
func TestPipeKeepsNothing(t *testing.T) {
	type element = [1 << 10]byte
	p := newPool(t, pool.WithWorkers(2))
	var handed []weak.Pointer[element]
	captured := new(element)
	handed = append(handed, weak.Make(captured)) // the first one
	pipe := par.NewPipe(background, func(_ context.Context, x *element) (*element, error) {
		spin(30 * time.Microsecond)
		y := *x
		y[0] = captured[0]
		return &y, nil
	}, func(y *element) error { handed = append(handed, weak.Make(y)); return nil }, par.On(p))
	for range 50 {
		x := new(element)
		pipe.Push(x)
	}
	if err := pipe.Close(); err != nil || len(handed) != 51 {
		t.Fatalf("F1: %d results, %v", len(handed)-1, err)
	}
	kept := len(handed)
	// A worker may have the last ones on its stack. A collection stops all that run, so each of
	// these sees them a step further.
	for gcs := 0; (kept > 4 || handed[0].Value() != nil) && gcs < 300; gcs++ {
		runtime.GC()
		kept = 0
		for _, x := range handed {
			if x.Value() != nil {
				kept++
			}
		}
	}
	if kept > 4 || handed[0].Value() != nil {
		t.Errorf("F4: a pipe is closed, and of 51 things %d are kept; what f has captured: %t", kept, handed[0].Value() != nil)
	}
	runtime.KeepAlive(pipe)
}

// WithProgress counts what sink is done with.
func TestPipeProgress(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var reports []string
		pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
			time.Sleep(60 * time.Millisecond)
			return i, nil
		}, func(int) error { return nil }, par.On(p), par.WithWindow(1), par.WithProgress(func(done, total int) { reports = append(reports, fmt.Sprint(done, " of ", total)) }))
		for i := range 3 {
			pipe.Push(i)
		}
		pipe.Close()
		if want := []string{"1 of -1", "2 of -1", "3 of -1", "3 of 3"}; !slices.Equal(reports, want) {
			t.Errorf("WithProgress: a pipe of 3 elements of 60ms reports %q, want %q", reports, want)
		}
	})
}
