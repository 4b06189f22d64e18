package par_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

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
				<-ctx.Done()
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
