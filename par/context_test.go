package par_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
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

// An element may keep its context and use it when it has returned, on any goroutine: while the
// call goes on, and when it is over. The context ends with the call at the latest, although
// the caller's goes on, and what was made from it ends, too. In a bubble, a goroutine that is
// left over fails the test.
func TestContextKept(t *testing.T) {
	for _, workers := range []int{2, 5} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			for _, limit := range []int{0, 1, 7} {
				opts := []par.Option{par.On(p)}
				if limit > 0 {
					opts = append(opts, par.WithLimit(limit))
				}
				outer, end := context.WithCancel(context.WithValue(background, keyOfTest{}, "value"))
				var over sync.WaitGroup // all that elements have left behind
				var mu sync.Mutex
				var kept []context.Context
				const n = 20
				err := par.ForErr(outer, n, func(ctx context.Context, i int) error {
					child, cancel := context.WithCancel(ctx)
					timed, stop := context.WithTimeout(ctx, time.Hour)
					mu.Lock()
					kept = append(kept, ctx, child, timed)
					mu.Unlock()
					over.Go(func() { // it asks now and then
						defer cancel()
						for asked := 0; ctx.Err() == nil; asked++ {
							if asked > 10_000 {
								t.Error("F4: the context of an element goes on when the call is over")
								return
							}
							if ctx.Value(keyOfTest{}) != "value" {
								t.Error("F3: a context that is kept has lost its values")
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
				}, opts...)
				if err != nil {
					t.Errorf("F3: all elements have run, and ForErr with limit %d returned %v", limit, err)
				}
				for _, ctx := range kept {
					if _, deadline := ctx.Deadline(); !deadline && ctx.Err() != context.Canceled { // a timeout's goroutine may not have run yet
						t.Errorf("F4: ForErr with limit %d on %d workers is over, and a context of an element has the error %v", limit, workers, ctx.Err())
					}
				}
				synctest.Wait()
				for _, ctx := range kept {
					if ctx.Err() == nil {
						t.Errorf("F4: ForErr with limit %d on %d workers is over, and what an element has made from its context goes on", limit, workers)
					}
				}
				if outer.Err() != nil {
					t.Errorf("F4: the caller's context has ended with the call: %v", outer.Err())
				}
				over.Wait()
				end()
			}
		})
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
	kept := func() (n int) {
		for i := range told {
			if contexts[i].Value() != nil || told[i].Value() != nil {
				n++
			}
		}
		return n
	}
	for range 100 { // a function that was called may be about to return
		runtime.GC()
		if kept() == 0 {
			break
		}
		runtime.Gosched()
	}
	if len(told) != n || kept() != 0 {
		t.Errorf("F4: ForErr is over, the caller's context goes on, and of %d elements %d have a context that is kept, or a function for its end", len(told), kept())
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

// An element's context has ended when the call returns that ends the caller's, and so have
// those that are derived from it.
func TestContextEndsAtOnce(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	ctx, cancel := context.WithCancelCause(background)
	defer cancel(nil)
	enough := errors.New("enough")
	err := par.ForErr(ctx, 2, func(own context.Context, i int) error {
		if i == 1 {
			<-ctx.Done()
			return nil
		}
		derived, drop := context.WithCancel(own)
		defer drop()
		done := own.Done()
		cancel(enough)
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
}

// A context that has ended since an element below has failed says so in each way that there is
// to ask, whether somebody asked before or not.
func TestContextOfFailed(t *testing.T) {
	type key struct{}
	for _, early := range []bool{false, true} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			ctx, cancel := context.WithTimeoutCause(context.WithValue(background, key{}, 7), time.Minute, errors.New("late"))
			defer cancel()
			var looked atomic.Bool
			err := par.ForErr(ctx, 2, func(ctx context.Context, i int) error {
				if i == 0 {
					time.Sleep(time.Second)
					return failure(0)
				}
				if early {
					ctx.Done()
				}
				time.Sleep(2 * time.Second) // the element below has failed
				if ctx.Err() != context.Canceled || context.Cause(ctx) != context.Canceled || ctx.Value(key{}) != 7 {
					t.Errorf("F3: the context of an element above a failure says %v, because of %v, with the value %v", ctx.Err(), context.Cause(ctx), ctx.Value(key{}))
				}
				select {
				case <-ctx.Done():
				default:
					t.Error("F3: a context has ended, and its channel is open")
				}
				time.Sleep(2 * time.Minute) // the caller's has ended
				derived, drop := context.WithCancel(ctx)
				defer drop()
				if ctx.Err() != context.Canceled || derived.Err() != context.Canceled {
					t.Errorf("F3: a context has ended with Canceled, and says %v after the deadline of the caller's; one that is derived from it says %v", ctx.Err(), derived.Err())
				}
				looked.Store(true)
				return nil
			}, par.On(p))
			if err != failure(0) || !looked.Load() {
				t.Errorf("F2: element 0 fails, and ForErr returned %v", err)
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
