package prim_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// A permit that was left before is taken without waiting, and there is never
// more than one.
func TestParkerHoldsOnePermit(t *testing.T) {
	p := prim.NewParker()
	p.Unpark()
	p.Unpark()
	p.Park()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.ParkContext(ended); err != context.Canceled {
		t.Errorf("a second permit was there, or the context was ignored: %v", err)
	}
	p.Unpark()
	if err := p.ParkContext(context.Background()); err != nil {
		t.Errorf("a permit was there, and ParkContext returned %v", err)
	}
}

// Two goroutines hand a plain variable to and fro. The race detector sees
// whether Unpark and Park order their accesses.
func TestParkerOrders(t *testing.T) {
	there, back := prim.NewParker(), prim.NewParker()
	n := 0
	prim.Go(func() {
		for range 1000 {
			there.Park()
			n++
			back.Unpark()
		}
	})
	for i := range 1000 {
		n++
		there.Unpark()
		back.Park()
		if n != 2*i+2 {
			t.Fatalf("n is %d after %d turns", n, i+1)
		}
	}
}
