package latch_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/latch"
)

// within fails with a message if nothing comes from a channel. It is for bubbles.
func within[T any](t *testing.T, message string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(time.Hour):
		t.Fatal(message)
	}
	return got
}

// wait begins to wait for a latch, and returns what comes of it. It is for bubbles.
func wait(t *testing.T, o *latch.Outside, ctx context.Context) <-chan error {
	t.Helper()
	before, result := o.Waiters(), make(chan error, 1)
	go func() {
		defer testrule.Name()
		result <- o.Wait(ctx)
	}()
	synctest.Wait()
	if n := o.Waiters(); n != before+1 {
		t.Fatalf("L6: Outside.Wait: a goroutine waits beside %d others, and %d are in the list", before, n)
	}
	return result
}

const notReleased = "L6: Outside.Set: it did not release all that wait"

// All that wait must be released, whether they came before or after Set.
func TestOutsideReleasesAll(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		o := latch.NewOutside()
		var results []<-chan error
		for range 10 {
			results = append(results, wait(t, o, context.Background()))
		}
		if o.Probe() {
			t.Error("L6: Outside.Probe: the latch is set before Set")
		}
		o.Set()
		for _, r := range results {
			if err := within(t, notReleased, r); err != nil {
				t.Errorf("L6: Outside.Wait: it returned %v", err)
			}
		}
		if n := o.Waiters(); n != 0 {
			t.Errorf("L6: Outside.Set: %d waiters are still in the list", n)
		}
		o.Set()
		if err := o.Wait(context.Background()); err != nil || !o.Probe() {
			t.Errorf("L6: Outside.Wait: after Set it returned %v, and Probe %v", err, o.Probe())
		}
	})
}

// One of three gives up: it says so and leaves the list, and the others wait on.
func TestOutsideGivenUp(t *testing.T) {
	for gone := range 3 {
		testrule.Bubble(t, func(t *testing.T) {
			o := latch.NewOutside()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var results []<-chan error
			for i := range 3 {
				results = append(results, wait(t, o, map[bool]context.Context{true: ctx, false: context.Background()}[i == gone]))
			}
			cancel()
			if err := within(t, "L6: Outside.Wait: its context has ended, and it waits still", results[gone]); !errors.Is(err, context.Canceled) {
				t.Errorf("L6: Outside.Wait: it returned %v, want %v", err, context.Canceled)
			}
			if n := o.Waiters(); n != 2 {
				t.Fatalf("L6: Outside.Wait: of 3 waiters number %d has given up, and %d are left in the list", gone, n)
			}
			o.Set()
			for _, left := range slices.Delete(results, gone, gone+1) {
				if err := within(t, notReleased, left); err != nil {
					t.Errorf("L6: Outside.Wait: another waiter has given up, and it returned %v", err)
				}
			}
		})
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
		t.Errorf("L6: Outside.Wait: %d waiters in the list, and none waits", n)
	}
	o.Set()
	if n := testing.AllocsPerRun(100, func() {
		if err := o.Wait(ctx); err != nil {
			t.Errorf("L6: Outside.Wait: of a latch that is set it returned %v", err)
		}
	}); n != 0 {
		t.Errorf("Cost: Wait of an Outside that is set allocates %v times", n)
	}
}
