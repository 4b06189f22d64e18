package latch_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/latch"
)

// bubble calls f in a bubble, whose time passes once nothing else can go on. So a limit of
// time is one that no busy machine reaches, and that nothing which hangs waits for.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer func() {
		// A failed test leaves goroutines that wait, and synctest panics about those.
		if p := recover(); p != nil && !t.Failed() {
			panic(p)
		}
	}()
	testrule.Bubble(t, f)
}

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

const (
	notReleased = "L6: Outside.Set: it did not release all that wait"
	waitsStill  = "L6: Outside.Wait: its context has ended, and it waits still"
)

// All that wait must be released, whether they came before or after Set.
func TestOutsideReleasesAll(t *testing.T) {
	bubble(t, func(t *testing.T) {
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

// Some waiters give up, one after the other, in every order: each says so and leaves the
// list, and the others wait on until the latch is set.
func TestOutsideAllGiveUp(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for given := range len(order) + 1 {
			bubble(t, func(t *testing.T) {
				o := latch.NewOutside()
				var cancels []context.CancelFunc
				var results []<-chan error
				for range order {
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					cancels, results = append(cancels, cancel), append(results, wait(t, o, ctx))
				}
				for i, gone := range order[:given] {
					cancels[gone]()
					if err := within(t, waitsStill, results[gone]); !errors.Is(err, context.Canceled) {
						t.Errorf("L6: Outside.Wait: it returned %v, want %v", err, context.Canceled)
					}
					if n, want := o.Waiters(), len(order)-1-i; n != want {
						t.Fatalf("L6: Outside.Wait: of 3 waiters, %v have given up in that order, and %d are left in the list, want %d",
							order[:i+1], n, want)
					}
				}
				o.Set()
				for _, left := range order[given:] {
					if err := within(t, notReleased, results[left]); err != nil {
						t.Errorf("L6: Outside.Wait: after %v have given up, another waiter got %v", order[:given], err)
					}
				}
			})
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
	bubble(t, func(t *testing.T) {
		o := latch.NewOutside()
		ctx, cancel := context.WithCancel(context.Background())
		result := wait(t, o, settingContext{ctx, o})
		cancel()
		if err := within(t, waitsStill, result); err != nil {
			t.Errorf("L6: Outside.Wait: it returned %v, and the latch was set before", err)
		}
	})
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

// inStep runs f(0) to f(n-1) at the same time. The wait for the others is a
// short spin, so that it does no harm on one processor.
func inStep(n int, f func(i int)) {
	var ready atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			defer testrule.Name()
			ready.Add(1)
			for spins := 0; int(ready.Load()) < n && spins < 1000; spins++ {
			}
			f(i)
		})
	}
	wg.Wait()
}

// Set, waits and ends of contexts at the same time: none may hang. A wait that
// returns nil must find the latch set, and what was written before.
func TestStressOutside(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds /= 10
	}
	bubble(t, func(t *testing.T) {
		for round := range rounds {
			var o latch.Outside
			result := 0
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				inStep(2+round%4, func(i int) {
					switch i {
					case 0:
						// Wait has an allocation to make before it is in danger.
						for range round % 400 {
						}
						result = 42
						o.Set()
					case 1:
						if err := o.Wait(context.Background()); err != nil || result != 42 {
							t.Errorf("L6: Outside.Wait: it returned %v, and met the result %d, want what was written before Set", err, result)
						}
					case 2:
						cancel()
					default:
						if err := o.Wait(ctx); err == nil && !o.Probe() {
							t.Error("L6: Outside.Wait: it returned nil before the latch was set")
						}
					}
				})
			}()
			within(t, notReleased, ended)
			cancel()
			if n := o.Waiters(); n != 0 {
				t.Fatalf("L6: Outside.Wait: %d waiters are left in the list", n)
			}
		}
	})
}
