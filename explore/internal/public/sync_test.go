// Package public explores public modules, as they are downloaded.
package public

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"github.com/rouse-go/rouse/explore"
)

// The first error cancels the context, and is what Wait returns.
func TestErrgroup(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		g, ctx := errgroup.WithContext(context.Background())
		bad := errors.New("bad")
		g.Go(func() error { return bad })
		g.Go(func() error { <-ctx.Done(); return ctx.Err() })
		if err := g.Wait(); err != bad {
			t.Errorf("TestErrgroup: %v", err)
		}
		if context.Cause(ctx) != bad {
			t.Errorf("TestErrgroup: %v", context.Cause(ctx))
		}
	})
}

// No more than the limit run at a time.
func TestErrgroupLimit(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var g errgroup.Group
		g.SetLimit(1)
		n := 0
		for range 2 {
			g.Go(func() error { n++; return nil })
		}
		if g.Wait(); n != 2 {
			t.Errorf("TestErrgroupLimit: %v", n)
		}
	})
	fault(t, "data race: n is written", func(*explore.Exec) {
		var g errgroup.Group
		g.SetLimit(2)
		n := 0
		for range 2 {
			g.Go(func() error { n++; return nil })
		}
		g.Wait()
	})
}

func TestSemaphore(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		s := semaphore.NewWeighted(2)
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		done := make(chan error)
		go func() {
			err := s.Acquire(ctx, 2)
			if err == nil {
				n++
				s.Release(2)
			}
			done <- err
		}()
		if s.TryAcquire(2) {
			n++
			s.Release(2)
		}
		cancel()
		if err := <-done; err == nil && n == 0 || err != nil && err != context.Canceled {
			t.Errorf("TestSemaphore: %v %v", err, n)
		}
		if !s.TryAcquire(2) {
			t.Error("TestSemaphore: what was acquired is not given back")
		}
	})
}

// Calls at the same time share one, and get the same.
func TestSingleflight(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var g singleflight.Group
		calls := 0
		results := make(chan int, 2)
		for range 2 {
			go func() {
				v, _, _ := g.Do("key", func() (any, error) { calls++; return calls, nil })
				results <- v.(int)
			}()
		}
		a, b := <-results, <-results
		if calls == 1 && a != b || calls == 2 && a == b {
			t.Errorf("TestSingleflight: %v %v %v", calls, a, b)
		}
	})
}
