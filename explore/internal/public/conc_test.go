package public

import (
	"context"
	"errors"
	"testing"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/pool"
	"github.com/sourcegraph/conc/stream"

	"github.com/rouse-go/rouse/explore"
)

// In conc 0.3.0 a task that panics can end the goroutine that another Go has started for its
// own task: that Go waits forever, with or without a limit.
func TestConcPoolPanic(t *testing.T) {
	for _, limit := range []int{0, 2} {
		fault(t, "deadlock", func(*explore.Exec) {
			p := pool.New()
			if limit > 0 {
				p.WithMaxGoroutines(limit)
			}
			done := make(chan bool)
			go func() { p.Go(func() { panic("bad") }); done <- true }()
			p.Go(func() {})
			<-done
			defer func() {
				if v := recover(); v == nil {
					panic("Wait does not panic")
				}
			}()
			p.Wait()
		})
	}
}

// The pool of a Stream has no limit unless it is given one, and yet the third task waits for the
// end of the first.
func TestConcStreamUnlimited(t *testing.T) {
	fault(t, "deadlock", func(*explore.Exec) {
		s := stream.New()
		third := make(chan bool)
		s.Go(func() stream.Callback { <-third; return func() {} })
		s.Go(func() stream.Callback { return func() {} })
		s.Go(func() stream.Callback { close(third); return func() {} })
		s.Wait()
	})
}

// All tasks run, and one that panics is told of.
func TestConcWaitGroup(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		var wg conc.WaitGroup
		n := 0
		wg.Go(func() { n++ })
		wg.Go(func() { panic("bad") })
		if r := wg.WaitAndRecover(); r == nil || r.Value != "bad" || n != 1 {
			t.Errorf("TestConcWaitGroup: %v %v", r, n)
		}
	})
}

// No more than the limit run at a time.
func TestConcPool(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		p := pool.New().WithMaxGoroutines(1)
		n := 0
		for range 2 {
			p.Go(func() { n++ })
		}
		p.Wait()
		if n != 2 {
			t.Errorf("TestConcPool: %v", n)
		}
	})
}

// The first error is the one that is returned, and cancels the context.
func TestConcContextPool(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		bad := errors.New("bad")
		p := pool.New().WithContext(context.Background()).WithCancelOnError().WithFirstError()
		p.Go(func(context.Context) error { return bad })
		p.Go(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if err := p.Wait(); err != bad {
			t.Errorf("TestConcContextPool: %v", err)
		}
	})
}

// Callbacks run one at a time, in the order of their tasks.
func TestConcStream(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		s := stream.New()
		n := 0
		for i := range 2 {
			s.Go(func() stream.Callback {
				return func() {
					if n != i {
						t.Errorf("TestConcStream: callback %d is the %dth", i, n)
					}
					n++
				}
			})
		}
		if s.Wait(); n != 2 {
			t.Errorf("TestConcStream: %d callbacks", n)
		}
	})
}

func TestConcIter(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		m := iter.Mapper[int, int]{MaxGoroutines: 2}
		out := m.Map([]int{1, 2, 3}, func(i *int) int { return *i * 2 })
		if out[0] != 2 || out[1] != 4 || out[2] != 6 {
			t.Errorf("TestConcIter: %v", out)
		}
	})
}
