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

// inStep runs f(0) to f(n-1) at the same time. The wait for the others is a
// short spin, so that it does no harm on one processor.
func inStep(n int, f func(i int)) {
	var ready atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ready.Add(1)
			for spins := 0; int(ready.Load()) < n && spins < 1000; spins++ {
			}
			f(i)
		})
	}
	wg.Wait()
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

// D4: the owner and thieves meet at the last item, and at the last two, where
// the owner lowers bottom first.
func TestStressLastItems(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[item]) {
		for round := range scale(10_000) {
			items := make([]item, 1+round%3)
			for i := range items {
				d.Push(&items[i])
			}
			thieves := 1 + round/3%2
			inStep(1+thieves, func(i int) {
				if i > 0 {
					steal(t, d)
					return
				}
				for range len(items) {
					if it := d.Pop(); it != nil {
						take(t, "D1", it)
					}
				}
			})
			for i := range items {
				if n := items[i].out.Load(); n != 1 {
					t.Fatalf("D4: round %d: item %d of %d came out %d times", round, i, len(items), n)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}

// The same pointer comes back while thieves are late with it. Whoever clears a
// slot that is not theirs loses a push.
func TestStressSameItem(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[item]) {
		var it item
		var stolen atomic.Int64
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for !stop.Load() {
					switch got, outcome := d.Steal(); {
					case outcome == api.Stolen && got == &it:
						stolen.Add(1)
					case outcome == api.Stolen:
						t.Error("D1: stole something else than what was pushed")
					}
				}
			})
		}
		pushed, popped := int64(scale(100_000)), int64(0)
		for i := range pushed {
			d.Push(&it)
			if i%3 == 0 && d.Pop() != nil {
				popped++
			}
		}
		for d.Pop() != nil {
			popped++
		}
		stop.Store(true)
		wg.Wait()
		if n := popped + stolen.Load(); n != pushed {
			t.Fatalf("D1: %d pushes, but %d popped + %d stolen = %d", pushed, popped, stolen.Load(), n)
		}
	})
}

// D3 and D7: while there always is an item, no thief may meet an empty deque,
// and Len may not be zero, nor more than ever were inside. A pool would let its
// worker sleep on that. More goroutines run than processors, so that they are
// interrupted between any two steps.
func TestStressNeverEmpty(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[item]) {
		const (
			thieves = 2
			ahead   = 4 // items that may be stolen, with one left for sure
			most    = 1 + ahead + thieves + 1
		)
		d.Push(new(item))
		var credit atomic.Int64
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range thieves {
			wg.Go(func() {
				for !stop.Load() && !t.Failed() {
					if n := credit.Load(); n == 0 || !credit.CompareAndSwap(n, n-1) {
						runtime.Gosched()
						continue
					}
					if !steal(t, d) {
						t.Error("D3: Steal met an empty deque, though there is an item")
					}
				}
			})
		}
		for range 2 {
			wg.Go(func() {
				for i := 1; !stop.Load() && !t.Failed(); i++ {
					if n := d.Len(); n < 1 || n > most {
						t.Errorf("D7: Len %d, of 1 to %d", n, most)
					}
					if i%256 == 0 {
						runtime.Gosched()
					}
				}
			})
		}
		for pushed := 0; pushed < scale(5_000) && !t.Failed(); {
			if credit.Load() >= ahead {
				runtime.Gosched()
				continue
			}
			d.Push(new(item))
			// One more, that the owner itself takes back. Thieves leave it
			// alone: there are older ones.
			d.Push(new(item))
			if d.Pop() == nil {
				t.Error("D2: the owner's newest item is gone")
			}
			credit.Add(1)
			pushed++
		}
		stop.Store(true)
		wg.Wait()
	})
}
