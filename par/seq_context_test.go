package par_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// What follows is about the contexts that elements of streams are handed.

// tried are the streams, over elements 0 to n-1, for each of which f is called. They call had
// with each result, and end when that returns an error.
var tried = map[string]func(n int, f func(ctx context.Context, i int) error, had func(ctx context.Context, i int) error, o ...par.Option) error{
	"MapSeq": triedBy,
	"MapSeq of a live source": func(n int, f, had func(context.Context, int) error, o ...par.Option) error {
		return triedBy(n, f, had, append(o, par.WithLiveSource())...)
	},
	"Pipe": func(n int, f, had func(context.Context, int) error, o ...par.Option) error {
		p := par.NewPipe(background, func(ctx context.Context, i int) (handed, error) { return handed{ctx, i}, f(ctx, i) },
			func(h handed) error { return had(h.ctx, h.i) }, o...)
		defer p.Close()
		for i := range n {
			if err := p.Push(i); err != nil {
				return err
			}
		}
		return p.Flush()
	},
}

// handed is what f was called with.
type handed struct {
	ctx context.Context
	i   int
}

func triedBy(n int, f, had func(context.Context, int) error, o ...par.Option) error {
	for h, err := range par.MapSeq(background, slices.Values(indices(n)), func(ctx context.Context, i int) (handed, error) { return handed{ctx, i}, f(ctx, i) }, o...) {
		if err == nil {
			err = had(h.ctx, h.i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// onTried calls f for each stream, and limits.
func onTried(t *testing.T, f func(t *testing.T, name string, call func(n int, f, had func(context.Context, int) error) error)) {
	for name, call := range tried {
		for _, o := range [][]par.Option{nil, {par.WithLimit(8)}, {par.WithWindow(8)}} {
			inBubble(t, 8, func(t *testing.T, p *pool.Pool) {
				f(t, name, func(n int, f, had func(context.Context, int) error) error {
					return call(n, f, had, append(o, par.On(p))...)
				})
			})
		}
	}
}

// When an element has failed, the contexts of those above end, and of those below do not. The
// cells that they are in have had others before.
func TestStreamEndsWhatIsAbove(t *testing.T) {
	for _, fails := range []int{1, 2, 5, 40} {
		onTried(t, func(t *testing.T, name string, call func(n int, f, had func(context.Context, int) error) error) {
			begun := time.Now()
			var above atomic.Int32
			err := call(100, func(ctx context.Context, i int) error {
				switch {
				case i < fails-2:
					time.Sleep(time.Millisecond)
				case i < fails: // two that are still under way when that fails
					time.Sleep(2 * time.Second)
					if ctx.Err() != nil {
						t.Errorf("F3: element %d of %s fails, and the context of element %d ends", fails, name, i)
					}
				case i == fails:
					time.Sleep(time.Second)
					return indexed(i)
				default:
					above.Add(1)
					<-ctx.Done()
					if took := time.Since(begun); took > 1100*time.Millisecond || !errors.Is(context.Cause(ctx), context.Canceled) {
						t.Errorf("F3: element %d of %s fails after a second, and the context of element %d ends after %v, cause %v", fails, name, i, took, context.Cause(ctx))
					}
					return ctx.Err()
				}
				return nil
			}, func(context.Context, int) error { return nil })
			if took := time.Since(begun); err != indexed(fails) || took > 2100*time.Millisecond || above.Load() == 0 {
				t.Errorf("F3: element %d of %s fails, %d above wait for their contexts, and it ends with %v after %v", fails, name, above.Load(), err, took)
			}
		})
	}
}

// When a stream is over for who takes its results, so are the contexts of what is under way.
func TestStreamBreakEnds(t *testing.T) {
	const last = 10
	onTried(t, func(t *testing.T, name string, call func(n int, f, had func(context.Context, int) error) error) {
		begun := time.Now()
		err := call(100, func(ctx context.Context, i int) error {
			if i > last {
				<-ctx.Done()
				return ctx.Err()
			}
			time.Sleep(time.Millisecond)
			return nil
		}, func(_ context.Context, i int) error {
			if i == last {
				return indexed(i)
			}
			return nil
		})
		if took := time.Since(begun); err != indexed(last) || took > time.Second {
			t.Errorf("F3: the consumer of %s has enough after %d elements, those above wait for their contexts, and it ends with %v after %v", name, last+1, err, took)
		}
	})
}

// A result may need the context that it was made with: that does not end before the stream does.
func TestStreamContextLasts(t *testing.T) {
	onTried(t, func(t *testing.T, name string, call func(n int, f, had func(context.Context, int) error) error) {
		var mu sync.Mutex
		all := map[context.Context]bool{}
		err := call(100, func(ctx context.Context, i int) error {
			ctx.Done() // so that it has a channel
			time.Sleep(time.Millisecond)
			return nil
		}, func(ctx context.Context, i int) error {
			mu.Lock()
			defer mu.Unlock()
			all[ctx] = true
			for ctx := range all {
				if ctx.Err() != nil {
					t.Errorf("F3: no element of %s has failed, and before result %d a context has ended with %v", name, i, ctx.Err())
				}
			}
			return nil
		})
		if delete(all, background); err != nil || len(all) == 0 {
			t.Errorf("F3: %s ends with %v, and %d contexts", name, err, len(all))
		}
		for ctx := range all {
			if ctx.Err() == nil {
				t.Errorf("F4: %s is over, and a context that it has made has not ended", name)
			}
		}
	})
}

// The contexts end before the loop waits for a source that waits for an element.
func TestLiveBreakEndsFirst(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, p *pool.Pool) {
		over, begun := make(chan struct{}), time.Now()
		for range par.MapSeq(background, func(yield func(int) bool) {
			if yield(0) && yield(1) {
				<-over
			}
		}, func(ctx context.Context, i int) (int, error) {
			if i == 1 {
				defer close(over)
				<-ctx.Done()
			}
			time.Sleep(time.Millisecond) // so that the other one begins
			return i, nil
		}, par.On(p), par.WithLiveSource()) {
			break
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("F3: a live source waits for an element that waits for its context, and a break takes %v", took)
		}
	})
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
		}, func(int) error { time.Sleep(time.Second); return indexed(0) }, par.On(p))
		for i := range 3 {
			pipe.Push(i)
		}
		time.Sleep(2 * time.Second)
		if n := ended.Load(); n != 2 {
			t.Errorf("F3: the sink of a pipe has failed, and of two elements that wait for their contexts %d have ended", n)
		}
		if err := pipe.Close(); err != indexed(0) {
			t.Errorf("F2: the sink of a pipe fails, and Close returns %v", err)
		}
	})
}
