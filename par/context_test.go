package par_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// When the context ends, no operation that has one begins an element more than there are
// workers, be it alone or not, and it returns the context's error and its cause. What it hands on
// is made from the context.
func TestContextEndsEach(t *testing.T) {
	const workers, long = 3, time.Millisecond
	cause := errors.New("enough")
	for c := range having(tries, 0) {
		for _, at := range []int64{-1, 0, 1, 2, 50} {
			n := 200
			if at < 0 {
				n = 1
			}
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				ctx, cancel := context.WithCancelCause(context.WithValue(background, keyOfTest{}, p))
				if at <= 0 {
					cancel(cause)
				}
				var began atomic.Int64
				in := newInput(indices(n))
				in.ctx = ctx
				in.told = func(ctx context.Context) {
					if ctx == nil || ctx.Value(keyOfTest{}) != p {
						t.Errorf("F3: %s hands on a context without the values of the caller's", c.name)
					}
				}
				in.do = func(int) {
					if began.Add(1) == at {
						cancel(cause)
					}
					time.Sleep(long)
				}
				c.call(in, par.On(p), par.WithWindow(4))
				if got := began.Load(); got > at+workers-1 || at <= 0 && got > 0 {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and there are %d calls", c.name, n, long, at, got)
				}
				if !errors.Is(in.err, context.Canceled) || !errors.Is(in.err, cause) || !strings.Contains(in.err.Error(), "enough") {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and it returns %v", c.name, n, long, at, in.err)
				}
			})
		}
	}
}

type keyOfTest struct{}

// A context that has ended leaves nothing out where there is nothing.
func TestNothingIsLeftOut(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	for c := range having(tries, stream) {
		in := newInput([]int{})
		in.ctx = ctx
		if c.call(in); in.err != nil {
			t.Errorf("F3: %s of nothing returned %v", c.name, in.err)
		}
	}
}

// An end of the context counts as an error of the first element that is left out.
func TestContextAndError(t *testing.T) {
	cause := errors.New("enough")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for fails := range 200 {
			fails = 12_000 + fails/2*30 // also as the context ends
			ctx, cancel := context.WithCancelCause(background)
			ran := make([]bool, 20_000)
			err := par.ForErr(ctx, len(ran), func(_ context.Context, i int) error {
				if ran[i] = true; i == 12_000 {
					cancel(cause)
				}
				if i == fails {
					return failure(i)
				}
				return nil
			}, par.On(p))
			left := slices.Index(ran, false)
			switch {
			case errors.Is(err, cause) && left >= 0 && left <= fails: // nothing failed below
			case err == failure(fails) && (left < 0 || left > fails):
			default:
				t.Fatalf("F3: element 12,000 ends the context, %d fails, %d is the first that is left out: %v", fails, left, err)
			}
		}
	})
}

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

// When the call is over, the caller's context, which may live for long, keeps nothing of it: no
// context of an element, and no function that was to be called at its end.
func TestContextForgotten(t *testing.T) {
	outer, end := context.WithCancel(background)
	defer end()
	p := newPool(t, pool.WithWorkers(2))
	var mu sync.Mutex
	var contexts []weak.Pointer[byte]
	var told []weak.Pointer[[64]byte]
	const n = 10
	par.ForErr(outer, n, func(ctx context.Context, _ int) error {
		x := new([64]byte)
		context.AfterFunc(ctx, func() { runtime.KeepAlive(x) })
		mu.Lock()
		contexts = append(contexts, weak.Make((*byte)(reflect.ValueOf(ctx).UnsafePointer())))
		told = append(told, weak.Make(x))
		mu.Unlock()
		return nil
	}, par.On(p))
	kept := n
	forgotten(func() bool { // a function that was called may be about to return
		kept = 0
		for i := range told {
			if contexts[i].Value() != nil || told[i].Value() != nil {
				kept++
			}
		}
		return kept == 0
	})
	if len(told) != n || kept != 0 {
		t.Errorf("F4: ForErr is over, the caller's context goes on, and of %d elements %d have a context that is kept, or a function for its end", len(told), kept)
	}
	runtime.KeepAlive(outer)
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

// All elements are told the error of the caller's context when that has ended, and no other
// one later, although the lowest one fails then.
func TestContextTellsTheCallersError(t *testing.T) {
	const workers = 8
	inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
		for range 50 {
			ctx, cancel := context.WithTimeout(background, time.Second)
			par.ForErr(ctx, workers, func(own context.Context, i int) error {
				if i%2 == 0 {
					<-own.Done()
				} else {
					time.Sleep(time.Second + time.Duration(i))
				}
				first := own.Err()
				time.Sleep(time.Second)
				if then := own.Err(); first != context.DeadlineExceeded || then != first {
					t.Errorf("F3: the deadline is over, and element %d is told %v, and later %v", i, first, then)
				}
				return first
			}, par.On(p))
			cancel()
		}
	})
}

// An element's context has the values and the deadline of the caller's. It has ended when the call
// returns that ends the caller's, with the same cause, and so have those that are derived from it.
func TestElementContext(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		outer, end := context.WithCancelCause(context.WithValue(background, keyOfTest{}, "value"))
		ctx, cancel := context.WithTimeout(outer, time.Hour)
		defer cancel()
		enough := errors.New("enough")
		err := par.ForErr(ctx, 2, func(own context.Context, i int) error {
			want, _ := ctx.Deadline()
			at, _ := own.Deadline()
			if at != want || own.Value(keyOfTest{}) != "value" || i == 0 && own.Err() != nil {
				t.Errorf("F3: an element's context has the deadline %v, the value %v, the error %v", at, own.Value(keyOfTest{}), own.Err())
			}
			derived, drop := context.WithCancel(own)
			defer drop()
			done := own.Done()
			if i == 1 {
				<-done
			} else {
				end(enough)
			}
			for what, c := range map[string]context.Context{"the element": own, "one that is derived from it": derived} {
				if c.Err() != context.Canceled || context.Cause(c) != enough {
					t.Errorf("F3: the caller's context has ended, and that of %s says %v, because of %v", what, c.Err(), context.Cause(c))
				}
			}
			select {
			case <-done:
			default:
				t.Error("F3: the caller's context has ended, and Done of an element's not")
			}
			return nil
		}, par.On(p))
		if err != nil && !errors.Is(err, enough) {
			t.Errorf("F2: no element fails, and ForErr returned %v", err)
		}
	})
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

// A context can be printed while it ends.
func TestContextPrints(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	err := par.ForErr(background, 100, func(ctx context.Context, i int) error {
		if s := fmt.Sprint(ctx); !strings.HasSuffix(s, "par") {
			t.Errorf("F3: the context of an element prints as %s", s)
		}
		if i == 50 {
			return failure(i)
		}
		return nil
	}, par.On(p))
	if err != failure(50) {
		t.Errorf("F2: element 50 fails, and ForErr returned %v", err)
	}
}

// mispredicted calls f twice for nothing, and then for what is to be tested: that call begins
// alone, since it seems to be short.
func mispredicted(t *testing.T, f func(t *testing.T, p *pool.Pool, call int)) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		for call := range 3 {
			f(t, p, call)
		}
	})
}

// A call that begins alone heeds the end of its context.
func TestContextOfMispredicted(t *testing.T) {
	mispredicted(t, func(t *testing.T, p *pool.Pool, call int) {
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		ran := 0
		var mu sync.Mutex
		err := par.ForErr(ctx, 100, func(_ context.Context, i int) error {
			mu.Lock()
			ran++
			mu.Unlock()
			if call == 2 {
				cancel()
			}
			return nil
		}, par.On(p))
		if call == 2 && (err != context.Canceled || ran > 1) {
			t.Errorf("F3: the context of a call that begins alone has ended in its first element; %d have run, and ForErr returned %v", ran, err)
		}
	})
}
