package deque_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// scale returns n, or a tenth of it under -short.
func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// An item counts how often it came out.
type item struct{ out atomic.Int32 }

// take notes that an item came out, and fails if it did so before: then the rule,
// D1 or I1, is broken.
func take(t *testing.T, rule string, it *item) {
	if it == nil {
		t.Errorf("%s: took nil for an item", rule)
		return
	}
	if n := it.out.Add(1); n != 1 {
		t.Errorf("%s: an item came out %d times", rule, n)
	}
}

// steal tries until something is stolen, or nothing is there.
func steal(t *testing.T, d api.Deque[item]) bool {
	for {
		switch it, outcome := d.Steal(); outcome {
		case api.Stolen:
			take(t, "D1", it)
			return true
		case api.Empty:
			return false
		}
	}
}

// The owner pushes and pops in bursts while thieves steal (D1, D5): nothing may
// be lost, nor come out twice, while the ring grows and its slots are reused.
func TestStressOnce(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[item]) {
		const thieves = 3
		items := make([]item, scale(50_000))
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range thieves {
			wg.Go(func() {
				for !stop.Load() {
					if !steal(t, d) {
						runtime.Gosched()
					}
				}
			})
		}
		for i := range items {
			d.Push(&items[i])
			// Mostly near empty, now and then deep.
			if burst := i % 1024; burst > 700 || burst%7 < 3 {
				continue
			}
			for range i % 5 {
				if it := d.Pop(); it != nil {
					take(t, "D1", it)
				}
			}
			if n := d.Len(); n < 0 {
				t.Errorf("D7: Len %d", n)
			}
		}
		for it := d.Pop(); it != nil; it = d.Pop() {
			take(t, "D1", it)
		}
		if n := d.Len(); n != 0 {
			t.Errorf("D7: Len %d after the owner found the deque empty", n)
		}
		stop.Store(true)
		wg.Wait()
		for i := range items {
			if n := items[i].out.Load(); n != 1 {
				t.Fatalf("D1: item %d came out %d times", i, n)
			}
		}
	})
}
