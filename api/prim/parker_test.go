package prim_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// within fails with a message if f does not end. It is for bubbles.
func within(t *testing.T, message string, f func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	select {
	case <-ended:
	case <-time.After(time.Hour):
		t.Fatal(message)
	}
}

// A permit that was left before is taken without waiting, and there is never
// more than one.
func TestParkerHoldsOnePermit(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		const blocks, kept = "Parker.Unpark: it blocks", "Parker.Park: it waits, though there is a permit"
		p := prim.NewParker()
		within(t, blocks, p.Unpark)
		soon, stop := context.WithTimeout(context.Background(), time.Hour)
		defer stop()
		if err := p.ParkContext(soon); err != nil {
			t.Fatalf("Parker.Unpark: it left no permit: %v", err)
		}
		within(t, blocks, p.Unpark)
		within(t, blocks, p.Unpark)
		within(t, kept, p.Park)
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := p.ParkContext(ended); err != context.Canceled {
			t.Errorf("Parker.ParkContext: a second permit was there, or the context was ignored: %v", err)
		}
		within(t, blocks, p.Unpark)
		within(t, kept, func() {
			if err := p.ParkContext(context.Background()); err != nil {
				t.Errorf("Parker.ParkContext: a permit was there, and it returned %v", err)
			}
		})
	})
}

// If this fails, a wait that is given up takes along the permit that was meant for the next
// one: there are both a permit and an end of the context, and either may win.
func TestParkContextGivenUpTakesNoPermit(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		p := prim.NewParker()
		for range 100 {
			p.Unpark()
			if p.ParkContext(ended) != nil {
				within(t, "Parker.ParkContext: it returned the error of its context, and took the permit", p.Park)
			}
		}
	})
}

// Two goroutines hand a plain variable to and fro. The race detector sees
// whether Unpark and Park order their accesses.
func TestParkerOrders(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		there, back := prim.NewParker(), prim.NewParker()
		n := 0
		prim.Go(func() {
			for range 1000 {
				there.Park()
				n++
				back.Unpark()
			}
		})
		within(t, "Parker.Park: a permit was lost: one of two goroutines waits for the other", func() {
			for i := range 1000 {
				n++
				there.Unpark()
				back.Park()
				if n != 2*i+2 {
					t.Errorf("Parker: what comes before Unpark does not come before the end of Park: n is %d after %d turns", n, i+1)
					return
				}
			}
		})
	})
}
