package latch_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

// untilWaiting returns once n waiters are in the list.
func untilWaiting(o *latch.Outside, n int) {
	for o.Waiters() != n {
		runtime.Gosched()
	}
}

// Everybody who waits must be released, whether they came before or after Set.
func TestOutsideReleasesAll(t *testing.T) {
	o := latch.NewOutside()
	const waiters = 10
	var result int
	var wg sync.WaitGroup
	for range waiters {
		wg.Go(func() {
			if err := o.Wait(context.Background()); err != nil {
				t.Errorf("Wait returned %v", err)
			}
			if result != 42 {
				t.Errorf("a waiter met the result %d, want what was written before Set", result)
			}
		})
	}
	untilWaiting(o, waiters)
	if o.Probe() {
		t.Error("the latch is set before Set")
	}
	result = 42
	o.Set()
	wg.Wait()
	if n := o.Waiters(); n != 0 {
		t.Errorf("%d waiters are still in the list of a latch that is set", n)
	}
	o.Set()
	if err := o.Wait(context.Background()); err != nil || !o.Probe() {
		t.Errorf("after Set: Wait returned %v, Probe %v", err, o.Probe())
	}
}

// A wait that is given up must say so, leave nothing in the list, and let the
// others wait on.
func TestOutsideContext(t *testing.T) {
	for gone := range 3 {
		o := latch.NewOutside()
		reason := make(chan error, 1)
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(context.Background())
		for i := range 3 {
			if i == gone {
				go func() { reason <- o.Wait(ctx) }()
			} else {
				wg.Go(func() {
					if err := o.Wait(context.Background()); err != nil {
						t.Errorf("another waiter's Wait returned %v", err)
					}
				})
			}
			untilWaiting(o, i+1)
		}
		cancel()
		if err := <-reason; !errors.Is(err, context.Canceled) {
			t.Errorf("Wait returned %v, want %v", err, context.Canceled)
		}
		if n := o.Waiters(); n != 2 {
			t.Errorf("%d waiters are left of 3 after one gave up", n)
		}
		o.Set()
		wg.Wait()
	}
}

// Polling with a context that has ended must not pile up waiters, and must
// prefer the news that the latch is set.
func TestOutsideEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := latch.NewOutside()
	for range 100 {
		if err := o.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("Wait returned %v, want %v", err, context.Canceled)
		}
	}
	if n := o.Waiters(); n != 0 {
		t.Errorf("%d waiters in the list, nobody waits", n)
	}
	o.Set()
	if err := o.Wait(ctx); err != nil {
		t.Errorf("Wait of a latch that is set returned %v", err)
	}
}

// Set, waits and ends of contexts at the same time: nobody may hang, and who
// is told nil must find the latch set.
func TestStressOutside(t *testing.T) {
	for round := range scale(4_000) {
		var o latch.Outside
		ctx, cancel := context.WithCancel(context.Background())
		inStep(2+round%4, func(i int) {
			switch i {
			case 0:
				// Wait has an allocation to make before it is in danger.
				for range round % 400 {
				}
				o.Set()
			case 1:
				if err := o.Wait(context.Background()); err != nil {
					t.Errorf("Wait returned %v", err)
				}
			case 2:
				cancel()
			default:
				if err := o.Wait(ctx); err == nil && !o.Probe() {
					t.Error("Wait returned nil before the latch was set")
				}
			}
		})
		cancel()
		if n := o.Waiters(); n != 0 {
			t.Fatalf("%d waiters are left in the list", n)
		}
	}
}

// A Wait of a latch that is set must be as cheap as a look at it.
func TestOutsideAllocations(t *testing.T) {
	o := latch.NewOutside()
	o.Set()
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		if o.Wait(ctx) != nil {
			t.Error("Wait of a latch that is set failed")
		}
	}); n != 0 {
		t.Errorf("Wait of a latch that is set allocates %v times", n)
	}
}
