package prim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// What looks at the clock does so every few microseconds, and must see it move.
func TestNow(t *testing.T) {
	least, last := time.Hour, prim.Now()
	for range 500_000 { // looks, for a busy machine may give a span of time to others
		now := prim.Now()
		if now < last {
			t.Fatalf("Now: it goes back from %v to %v", last, now)
		}
		if now > last {
			least = min(least, now-last)
		}
		last = now
	}
	if least > 10*time.Microsecond {
		t.Errorf("Now: it moves by %v, at least", least)
	}
	if n := testing.AllocsPerRun(100, func() { prim.Now() }); n != 0 {
		t.Errorf("Now: it allocates %v times", n)
	}
}

// Now measures what time measures.
func TestNowMeasures(t *testing.T) {
	const nap = 100 * time.Millisecond
	begun, before := time.Now(), prim.Now()
	time.Sleep(nap)
	after, most := prim.Now(), time.Since(begun)
	// Clocks may move by as much as 16 ms.
	if took, coarse := after-before, 20*time.Millisecond; took < nap-coarse || took > most+coarse {
		t.Errorf("Now: it says %v, time says %v", took, most)
	}
}

// In a bubble it is the bubble's clock.
func TestNowInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := prim.Now()
		time.Sleep(time.Hour)
		if took := prim.Now() - before; took != time.Hour {
			t.Errorf("Now: it says %v in a bubble, time says 1h", took)
		}
	})
}

// What is left behind in a bubble that ends never fires, and nobody learns that.
func TestLater(t *testing.T) {
	done := make(chan time.Duration)
	begun := time.Now()
	if !prim.Later(time.Millisecond, func() { done <- time.Since(begun) }) {
		t.Fatal("Later: outside of a bubble it says that the time does not come")
	}
	if took := <-done; took < time.Millisecond {
		t.Errorf("Later: a millisecond takes %v", took)
	}
	synctest.Test(t, func(t *testing.T) {
		if prim.Later(0, func() { t.Error("Later: it runs the function in a bubble") }) {
			t.Error("Later: it says in a bubble that the time comes")
		}
		time.Sleep(time.Hour)
	})
}
