package par_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// When the context ends, each goroutine of an operation begins at most one element more, be it alone
// or not, and the operation returns the context's error and its cause, unless nothing was left out.
// What it hands on is made from the context. A stream has handed on all results below the first
// element that has not begun.
func TestContextEndsEach(t *testing.T) {
	const workers, long = 3, time.Millisecond
	cause := errors.New("enough")
	for c := range having(tries, 0) {
		for _, k := range []struct {
			n, before int // elements, and calls that are over at once: after two of them one begins alone
			at        int64
			long      time.Duration
		}{{0, 0, 0, long}, {1, 0, 0, long}, {200, 0, 0, long}, {200, 0, 1, long}, {200, 0, 2, long}, {200, 0, 50, long}, {200, 2, 1, 0}} {
			n, at, long := k.n, k.at, k.long
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				for range k.before {
					c.over(n, func(int) {}, par.On(p))
				}
				ctx, cancel := context.WithCancelCause(context.WithValue(background, keyOfTest{}, p))
				if at == 0 {
					cancel(cause)
				}
				var began atomic.Int64
				ran, had := make([]atomic.Bool, n+1), 0
				in := newInput(indices(n))
				in.ctx = ctx
				in.had = func(int) error { had++; return nil }
				in.told = func(ctx context.Context) {
					if ctx == nil || ctx.Value(keyOfTest{}) != p {
						t.Errorf("F3: %s hands on a context without the values of the caller's", c.name)
					}
				}
				in.do = func(i int) {
					ran[i].Store(true)
					if began.Add(1) == at {
						cancel(cause)
					}
					time.Sleep(long)
				}
				c.call(in, par.On(p), par.WithWindow(4))
				if n == 0 {
					if in.err != nil && c.holds&stream == 0 {
						t.Errorf("F3: %s of nothing returned %v", c.name, in.err)
					}
					return
				}
				side := int64(workers) // so many goroutines do elements, and each may have looked just before the end
				if c.holds&stream != 0 {
					side++ // the consumer is not one of the workers
				}
				if got := began.Load(); got > at+side-1 || at == 0 && got > 0 {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and there are %d calls", c.name, n, long, at, got)
				}
				want := 0
				for ran[want].Load() {
					want++
				}
				if c.holds&stream != 0 && had != want {
					t.Errorf("F3: the context of %s ends in call %d, and it has %d results, want %d", c.name, at, had, want)
				}
				if !errors.Is(in.err, context.Canceled) || !errors.Is(in.err, cause) || !strings.Contains(in.err.Error(), "enough") {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and it returns %v", c.name, n, long, at, in.err)
				}
			})
		}
	}
}

type keyOfTest struct{}

// An element may keep its context and use it when it has returned, on any goroutine: while the
// call goes on, and when it is over. The context ends with the call at the latest, although
// the caller's goes on, and what was made from it ends, too. In a bubble, a goroutine that is
// left over fails the test.
func TestContextKept(t *testing.T) {
	for _, workers := range []int{2, 5} {
		for _, o := range [][]par.Option{nil, {par.WithLimit(1)}, {par.WithLimit(7)}} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				outer, end := context.WithCancel(context.WithValue(background, keyOfTest{}, "value"))
				defer end()
				var over sync.WaitGroup // all that elements have left behind
				var mu sync.Mutex
				var handed, made []context.Context
				err := par.ForErr(outer, 20, func(ctx context.Context, i int) error {
					child, cancel := context.WithCancel(ctx)
					timed, stop := context.WithTimeout(ctx, time.Hour)
					mu.Lock()
					handed, made = append(handed, ctx), append(made, child, timed)
					mu.Unlock()
					over.Go(func() { // it asks now and then
						defer cancel()
						for asked := 0; ctx.Err() == nil; asked++ {
							if asked > 10_000 || ctx.Value(keyOfTest{}) != "value" {
								t.Errorf("F3: a context that is kept has the value %v, or goes on when the call is over", ctx.Value(keyOfTest{}))
								return
							}
							time.Sleep(time.Millisecond)
						}
					})
					over.Go(func() { // it waits
						defer stop()
						<-timed.Done()
						<-child.Done()
						<-ctx.Done()
					})
					over.Go(func() { // it comes late, maybe when all is over
						time.Sleep(time.Duration(i) * 20 * time.Millisecond)
						called := make(chan bool)
						context.AfterFunc(ctx, func() { close(called) })
						<-called
						late, cancel := context.WithCancel(ctx)
						defer cancel()
						if late.Err() != context.Canceled {
							t.Errorf("F4: the context of an element has ended, and what is made from it has the error %v", late.Err())
						}
					})
					time.Sleep(10 * time.Millisecond)
					return nil
				}, append(o, par.On(p))...)
				if err != nil || outer.Err() != nil {
					t.Errorf("F3: all elements have run, ForErr returned %v, and the caller's context ended with %v", err, outer.Err())
				}
				for _, ctx := range handed {
					if ctx.Err() != context.Canceled || context.AfterFunc(ctx, func() {})() {
						t.Errorf("F4: ForErr on %d workers is over, and a context of an element has the error %v", workers, ctx.Err())
					}
				}
				synctest.Wait()
				for _, ctx := range made {
					if ctx.Err() == nil {
						t.Errorf("F4: ForErr on %d workers is over, and what an element has made from its context goes on", workers)
					}
				}
				over.Wait()
			})
		}
	}
}

// The end of the caller's context ends ranges of many elements, too, when these get long.
func TestContextEndsRanges(t *testing.T) {
	const n, first, nap = 100_000, 20_000, time.Millisecond
	for _, workers := range []int{1, 2, 8} {
		for where, o := range map[string][]par.Option{"on the workers": nil, "with a limit of 3": {par.WithLimit(3)}} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				ctx, cancel := context.WithTimeout(background, 10*time.Millisecond)
				defer cancel()
				begun := time.Now()
				err := par.ForErr(ctx, n, func(_ context.Context, i int) error {
					if i >= first {
						time.Sleep(nap)
					}
					return nil
				}, append(o, par.On(p))...)
				if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Millisecond+4*nap {
					t.Errorf("F3: the context ends after 10ms, and on %d workers, %s, ForErr of elements of 1ms returned %v after %v", workers, where, err, took)
				}
			})
		}
	}
}

// An element's context has the values and the deadline of the caller's. It has ended when that has, with
// the same error and cause, and so have those that are derived from it; and it says nothing else later,
// although the lowest element fails then.
func TestElementContext(t *testing.T) {
	const workers = 8
	enough := errors.New("enough")
	for _, cause := range []error{enough, context.DeadlineExceeded} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			for range 50 {
				outer, end := context.WithCancelCause(context.WithValue(background, keyOfTest{}, "value"))
				ctx, cancel := context.WithTimeout(outer, time.Second)
				par.ForErr(ctx, workers, func(own context.Context, i int) error {
					want, _ := ctx.Deadline()
					if at, _ := own.Deadline(); at != want || own.Value(keyOfTest{}) != "value" || own.Err() != nil {
						t.Errorf("F3: an element's context has the deadline %v, the value %v, the error %v", at, own.Value(keyOfTest{}), own.Err())
					}
					asked := map[string]context.Context{"the element": own}
					switch {
					case i == 1 && cause == enough:
						time.Sleep(time.Millisecond)
						end(enough)
					case i%2 == 0:
						derived, drop := context.WithCancel(own)
						defer drop()
						asked["one that is derived from it"] = derived
						<-derived.Done() // which comes after that of the element
					default: // nobody asks for the channel of this one
						time.Sleep(time.Second + time.Duration(i))
					}
					for look := range time.Duration(2) { // at the second one the lowest element has failed
						time.Sleep(look * time.Second)
						for what, c := range asked {
							if c.Err() != ctx.Err() || context.Cause(c) != cause {
								t.Errorf("F3: the caller's context has ended by %v, and that of %s, of %d, says %v, because of %v", cause, what, i, c.Err(), context.Cause(c))
							}
						}
					}
					return own.Err()
				}, par.On(p))
				cancel()
			}
		})
	}
}

// The context of an element ends when a lower one has failed, and the call returns then. The context
// says so in each way that there is to ask, and nothing else later.
func TestEndsWhatIsAbove(t *testing.T) {
	for _, how := range []string{"waits", "asks", "has a child", "has a function called", "sleeps", "looks and sleeps"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			ctx, cancel := context.WithTimeoutCause(context.WithValue(background, keyOfTest{}, 7), time.Minute, errors.New("late"))
			defer cancel()
			begun := time.Now()
			var above atomic.Int32
			err := par.ForErr(ctx, 10, func(ctx context.Context, i int) error {
				if i == 1 {
					time.Sleep(time.Second)
					return failure(1)
				}
				if i == 0 {
					return nil
				}
				above.Add(1)
				late := 2 * time.Millisecond
				switch how {
				case "waits":
					<-ctx.Done()
				case "asks":
					for ctx.Err() == nil {
						if s := fmt.Sprint(ctx); !strings.HasSuffix(s, "par") { // also while it ends
							t.Errorf("F3: the context of an element prints as %s", s)
						}
						time.Sleep(time.Millisecond)
					}
				case "has a child":
					child, cancel := context.WithCancel(ctx)
					defer cancel()
					<-child.Done()
				case "has a function called":
					ended := make(chan bool)
					context.AfterFunc(ctx, func() { close(ended) })
					<-ended
				case "looks and sleeps":
					ctx.Done()
					fallthrough
				case "sleeps":
					late = time.Second
					time.Sleep(2 * time.Second)
				}
				if took := time.Since(begun); took > time.Second+late {
					t.Errorf("F3: element 1 fails after a second, and one above that %s for its context goes on after %v", how, took)
				}
				for range 2 {
					derived, drop := context.WithCancel(ctx)
					if ctx.Err() != context.Canceled || context.Cause(ctx) != context.Canceled || ctx.Value(keyOfTest{}) != 7 || derived.Err() != context.Canceled {
						t.Errorf("F3: the context of an element above a failure says %v, because of %v, with the value %v; one that is derived from it %v", ctx.Err(), context.Cause(ctx), ctx.Value(keyOfTest{}), derived.Err())
					}
					drop()
					select {
					case <-ctx.Done():
					default:
						t.Error("F3: a context has ended, and its channel is open")
					}
					time.Sleep(2 * time.Minute) // the caller's has ended
				}
				return failure(i)
			}, par.On(p))
			if err != failure(1) || above.Load() == 0 {
				t.Errorf("F2: element 1 fails after a second, %d above %s for their context, and ForErr returned %v", above.Load(), how, err)
			}
		})
	}
}
