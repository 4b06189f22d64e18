package par_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Flush waits until sink has had all results. A pipe that has failed says at each call how, and as
// what a call has told so far.
func TestPipe(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for how := byError; how <= byGoexit; how++ {
			var sunk atomic.Int64
			pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
				if do(min(i, n-1)); i == n {
					return i, how.fail(i)
				}
				return i, nil
			}, func(int) error { sunk.Add(1); return nil }, opts...)
			for i := range n {
				if err := pipe.Push(i); err != nil {
					t.Fatalf("F1: Push returns %v", err)
				}
				if i == n/2 {
					if err := pipe.Flush(); err != nil || int(sunk.Load()) != i+1 {
						t.Fatalf("F4: Flush after %d elements returns %v, and sink has had %d", i+1, err, sunk.Load())
					}
				}
			}
			value, exited, err := ended(func() error {
				if err := pipe.Push(n); err != nil {
					return err
				}
				return pipe.Close()
			})
			if !how.is(n, value, exited, err) || int(sunk.Load()) != n {
				t.Fatalf("F2: element %d of a pipe fails by %d: error %v, panic %v, Goexit %t, %d results", n, how, err, value, exited, sunk.Load())
			}
			for name, call := range map[string]func() error{"Push": func() error { return pipe.Push(n) }, "Flush": pipe.Flush, "Close": pipe.Close, "Close again": pipe.Close} {
				value, exited, err := ended(call)
				var panicked *pool.PanicError
				same := err == failure(n) && how == byError || errors.As(err, &panicked) && panicked.Value == failure(n) && how == byPanic || err == pool.ErrGoexit && how == byGoexit
				if !same || value != nil || exited {
					t.Fatalf("F2: a pipe has failed by %d, and %s returns %v, panics with %v, Goexit %t", how, name, err, value, exited)
				}
			}
		}
	})
}

// While sink blocks, elements are pushed and done, up to the window.
func TestPipeSinkBlocks(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			begun := time.Now()
			if err := piped(background, upTo(40), func(_ context.Context, i int) (int, error) {
				time.Sleep(time.Millisecond)
				return i, nil
			}, func(i int) error { time.Sleep(10 * time.Millisecond); return nil }, par.On(p), par.WithWindow(5)); err != nil {
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

// A sink that calls Push, and whoever calls during another call, is told so.
func TestPipeReentered(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	for name, call := range map[string]func(*par.Pipe[int, int]) error{
		"Push":  func(p *par.Pipe[int, int]) error { return p.Push(1) },
		"Flush": (*par.Pipe[int, int]).Flush,
		"Close": (*par.Pipe[int, int]).Close,
	} {
		var pipe *par.Pipe[int, int]
		pipe = par.NewPipe(background, doubled, func(int) error { return call(pipe) }, par.On(p), par.WithWindow(1))
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

// A pipe that has failed ends the contexts of what is under way, also if nobody calls it.
func TestPipeFailsEnds(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, p *pool.Pool) {
		var ended atomic.Int32
		pipe := par.NewPipe(background, func(ctx context.Context, i int) (int, error) {
			time.Sleep(time.Millisecond)
			if i > 0 {
				<-ctx.Done()
				ended.Add(1)
			}
			return i, nil
		}, func(int) error { time.Sleep(time.Second); return failure(0) }, par.On(p))
		for i := range 3 {
			pipe.Push(i)
		}
		time.Sleep(2 * time.Second)
		if n := ended.Load(); n != 2 {
			t.Errorf("F3: the sink of a pipe has failed, and of two elements that wait for their contexts %d have ended", n)
		}
		if err := pipe.Close(); err != failure(0) {
			t.Errorf("F2: the sink of a pipe fails, and Close returns %v", err)
		}
	})
}
