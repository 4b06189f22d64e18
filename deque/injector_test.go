package deque_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
)

// forEachBlock runs f as a subtest on a fresh injector of each block size.
func forEachBlock(t *testing.T, f func(t *testing.T, q api.Injector[int])) {
	t.Run("block=1", func(t *testing.T) { f(t, deque.NewInjectorSized[int](1)) })
	t.Run("block=2", func(t *testing.T) { f(t, deque.NewInjectorSized[int](2)) })
	t.Run("block=default", func(t *testing.T) { f(t, deque.NewInjector[int]()) })
}

// Alone, an injector must do what a slice does (I1, I2), and know exactly when
// it is empty.
func TestInjectorAgainstSlice(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[int]) {
		rng := rand.New(rand.NewPCG(1, 2))
		var want []*int
		for step := range 20_000 {
			if q.Empty() != (len(want) == 0) {
				t.Fatalf("I4: step %d: Empty is %v with %d items inside", step, q.Empty(), len(want))
			}
			if rng.IntN(10) < 4+step/1000%3 {
				item := new(int)
				if wasEmpty := q.Push(item); wasEmpty != (len(want) == 0) {
					t.Fatalf("I3: step %d: Push returned %v with %d items inside", step, wasEmpty, len(want))
				}
				want = append(want, item)
				continue
			}
			item, outcome := q.Steal()
			if len(want) == 0 {
				if item != nil || outcome != api.Empty {
					t.Fatalf("I3: step %d: Steal from an empty queue: %v", step, outcome)
				}
				continue
			}
			if item != want[0] || outcome != api.Stolen {
				t.Fatalf("I2: step %d: Steal: %v, or not the oldest item", step, outcome)
			}
			want = want[1:]
		}
	})
}

// A queue that was long must not keep its blocks.
func TestInjectorMemory(t *testing.T) {
	q := deque.NewInjectorSized[int](2)
	item := new(int)
	for range 1000 {
		q.Push(item)
	}
	if n := q.Blocks(); n < 500 {
		t.Fatalf("D10: NewInjectorSized: %d blocks of 2 slots hold 1000 items", n)
	}
	for tries := 0; !q.Empty(); tries++ {
		if tries > 10_000 {
			t.Fatal("I3: Injector.Empty: the queue of 1000 items is not empty after 10,000 attempts to steal")
		}
		q.Steal()
	}
	if n := q.Blocks(); n != 1 {
		t.Errorf("Limitations: %d blocks are left of an empty queue, want 1", n)
	}
}

// A push allocates once in a block, a steal never.
func TestInjectorAllocations(t *testing.T) {
	q := deque.NewInjector[int]()
	item := new(int)
	// 64 pushes use up one block: its header and its slots.
	if n := testing.AllocsPerRun(10, func() {
		for range 16 {
			for range 4 {
				q.Push(item)
			}
			for !q.Empty() {
				q.Steal()
			}
		}
	}); n > 2 {
		t.Errorf("Limitations: 64 pushes, and what takes them, allocate %v times, want 2 at most", n)
	}
}
