package latch_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

// untilWaiting returns once n waiters are in the list.
func untilWaiting(t *testing.T, o *latch.Outside, n int) {
	t.Helper()
	until(t, "L6: Outside.Wait: who waits is not in the list", func() bool { return o.Waiters() == n })
}

// ended returns what a Wait returns whose context has ended.
func ended(t *testing.T, wait <-chan error) (err error) {
	t.Helper()
	within(t, "L6: Outside.Wait: its context has ended, and it waits still", func() { err = <-wait })
	return err
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
				t.Errorf("L6: Outside.Wait: it returned %v", err)
			}
			if result != 42 {
				t.Errorf("L6: Outside.Wait: a waiter met the result %d, want what was written before Set", result)
			}
		})
	}
	untilWaiting(t, o, waiters)
	if o.Probe() {
		t.Error("L6: Outside.Probe: the latch is set before Set")
	}
	result = 42
	o.Set()
	within(t, "L6: Outside.Set: it did not release all that wait", wg.Wait)
	if n := o.Waiters(); n != 0 {
		t.Errorf("L6: Outside.Set: %d waiters are still in the list", n)
	}
	o.Set()
	if err := o.Wait(context.Background()); err != nil || !o.Probe() {
		t.Errorf("L6: Outside.Wait: after Set it returned %v, and Probe %v", err, o.Probe())
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
						t.Errorf("L6: Outside.Wait: that of another waiter returned %v", err)
					}
				})
			}
			untilWaiting(t, o, i+1)
		}
		cancel()
		if err := ended(t, reason); !errors.Is(err, context.Canceled) {
			t.Errorf("L6: Outside.Wait: it returned %v, want %v", err, context.Canceled)
		}
		if n := o.Waiters(); n != 2 {
			t.Errorf("L6: Outside.Wait: %d waiters are left of 3 after one gave up", n)
		}
		o.Set()
		within(t, "L6: Outside.Set: it did not release the others, after one gave up", wg.Wait)
	}
}

// Waiters give up one after the other, in every order: each leaves the list, and
// nobody else does.
func TestOutsideAllGiveUp(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		o := latch.NewOutside()
		var cancels []context.CancelFunc
		reasons := make(chan error)
		for i := range order {
			ctx, cancel := context.WithCancel(context.Background())
			cancels = append(cancels, cancel)
			go func() { reasons <- o.Wait(ctx) }()
			untilWaiting(t, o, i+1)
		}
		for i, gone := range order {
			cancels[gone]()
			if err := ended(t, reasons); !errors.Is(err, context.Canceled) {
				t.Errorf("L6: Outside.Wait: it returned %v, want %v", err, context.Canceled)
			}
			if n, want := o.Waiters(), len(order)-1-i; n != want {
				t.Fatalf("L6: Outside.Wait: of 3 waiters, %v have given up in that order, and %d are left in the list, want %d", order[:i+1], n, want)
			}
		}
	}
}

// A settingContext sets a latch when a wait asks why it has ended.
type settingContext struct {
	context.Context
	latch *latch.Outside
}

func (c settingContext) Err() error {
	err := c.Context.Err()
	if err != nil {
		c.latch.Set()
	}
	return err
}

// The latch is set when the context has ended, and before the waiter has left: then
// what it waits for is there, and it must not be told otherwise.
func TestOutsideSetAsContextEnds(t *testing.T) {
	o := latch.NewOutside()
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error)
	go func() { result <- o.Wait(settingContext{ctx, o}) }()
	untilWaiting(t, o, 1)
	cancel()
	if err := ended(t, result); err != nil {
		t.Errorf("L6: Outside.Wait: it returned %v, and the latch was set before", err)
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
			t.Fatalf("L6: Outside.Wait: it returned %v, want %v", err, context.Canceled)
		}
	}
	if n := o.Waiters(); n != 0 {
		t.Errorf("L6: Outside.Wait: %d waiters in the list, nobody waits", n)
	}
	o.Set()
	if err := o.Wait(ctx); err != nil {
		t.Errorf("L6: Outside.Wait: of a latch that is set it returned %v", err)
	}
}

// Set, waits and ends of contexts at the same time: nobody may hang, and who
// is told nil must find the latch set.
func TestStressOutside(t *testing.T) {
	for round := range scale(4_000) {
		var o latch.Outside
		ctx, cancel := context.WithCancel(context.Background())
		within(t, "L6: Outside.Set: it did not release all that wait, or the end of a context one of them", func() {
			inStep(2+round%4, func(i int) {
				switch i {
				case 0:
					// Wait has an allocation to make before it is in danger.
					for range round % 400 {
					}
					o.Set()
				case 1:
					if err := o.Wait(context.Background()); err != nil {
						t.Errorf("L6: Outside.Wait: it returned %v", err)
					}
				case 2:
					cancel()
				default:
					if err := o.Wait(ctx); err == nil && !o.Probe() {
						t.Error("L6: Outside.Wait: it returned nil before the latch was set")
					}
				}
			})
		})
		cancel()
		if n := o.Waiters(); n != 0 {
			t.Fatalf("L6: Outside.Wait: %d waiters are left in the list", n)
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
			t.Error("L6: Outside.Wait: of a latch that is set it failed")
		}
	}); n != 0 {
		t.Errorf("Cost: Wait of an Outside that is set allocates %v times", n)
	}
}
