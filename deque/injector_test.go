package deque_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
)

// forEachBlock runs f as a subtest on a fresh injector of each block size.
func forEachBlock[T any](t *testing.T, f func(t *testing.T, q api.Injector[T])) {
	t.Run("block=1", func(t *testing.T) { f(t, deque.NewInjectorSized[T](1)) })
	t.Run("block=2", func(t *testing.T) { f(t, deque.NewInjectorSized[T](2)) })
	t.Run("block=default", func(t *testing.T) { f(t, deque.NewInjector[T]()) })
}

// Alone, an injector must do what a slice does (I1, I2), and know exactly when
// it is empty.
func TestInjectorAgainstSlice(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[int]) {
		rng := rand.New(rand.NewPCG(1, 2))
		var want []*int
		for step := range 20_000 {
			if q.Empty() != (len(want) == 0) {
				t.Fatalf("step %d: Empty is %v with %d items inside", step, q.Empty(), len(want))
			}
			if rng.IntN(10) < 4+step/1000%3 {
				item := new(int)
				if wasEmpty := q.Push(item); wasEmpty != (len(want) == 0) {
					t.Fatalf("step %d: Push returned %v with %d items inside", step, wasEmpty, len(want))
				}
				want = append(want, item)
				continue
			}
			item, outcome := q.Steal()
			if len(want) == 0 {
				if item != nil || outcome != api.Empty {
					t.Fatalf("step %d: Steal from an empty queue: %v", step, outcome)
				}
				continue
			}
			if item != want[0] || outcome != api.Stolen {
				t.Fatalf("step %d: Steal: %v, or not the oldest item", step, outcome)
			}
			want = want[1:]
		}
	})
}

// I6: the same item may be pushed again, also while it is inside.
func TestInjectorSameItemAgain(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[int]) {
		item := new(int)
		for range 100 {
			q.Push(item)
			q.Push(item)
			for range 2 {
				if got, outcome := q.Steal(); got != item || outcome != api.Stolen {
					t.Fatalf("Steal: %v", outcome)
				}
			}
			if !q.Empty() {
				t.Fatal("there is an item too many")
			}
		}
	})
}

// I5: a taken item must be garbage, without any other operation; one that is
// inside must not.
func TestInjectorRetention(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[[64]byte]) {
		for _, n := range []int{1, 2, 63, 64, 65, 200} {
			pointers := make([]weak.Pointer[[64]byte], n+1)
			for i := range pointers {
				item := new([64]byte)
				pointers[i] = weak.Make(item)
				q.Push(item)
			}
			for range n {
				q.Steal()
			}
			runtime.GC()
			for i, p := range pointers[:n] {
				if p.Value() != nil {
					t.Errorf("item %d of %d is still reachable after it was taken", i, n)
				}
			}
			if pointers[n].Value() == nil {
				t.Error("an item was collected while it was inside")
			}
			q.Steal()
		}
		runtime.KeepAlive(q)
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
		t.Fatalf("%d blocks of 2 hold 1000 items", n)
	}
	for !q.Empty() {
		q.Steal()
	}
	if n := q.Blocks(); n != 1 {
		t.Errorf("%d blocks are left of an empty queue, want 1", n)
	}
}

// A push allocates once in a block, a steal never.
func TestInjectorAllocations(t *testing.T) {
	q := deque.NewInjector[int]()
	item := new(int)
	// 64 rounds use up one block: its header and its slots.
	if n := testing.AllocsPerRun(10, func() {
		for range 64 {
			q.Push(item)
			q.Steal()
		}
	}); n > 2 {
		t.Errorf("64 pushes and steals allocate %v times, want 2 at most", n)
	}
}

// numbered is an item that knows who pushed it, and when.
type numbered struct {
	item
	pusher, seq int
}

// Pushers and takers at once: each item comes out once (I1), and no taker sees
// the items of one pusher out of order (I2).
func TestStressInjector(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[numbered]) {
		const pushers, takers = 2, 2
		perPusher := scale(30_000)
		items := make([]numbered, pushers*perPusher)
		var taken atomic.Int64
		var wg sync.WaitGroup
		for p := range pushers {
			wg.Go(func() {
				for s := range perPusher {
					it := &items[p*perPusher+s]
					it.pusher, it.seq = p, s
					q.Push(it)
				}
			})
		}
		for range takers {
			wg.Go(func() {
				last := [pushers]int{-1, -1}
				for int(taken.Load()) < len(items) && !t.Failed() {
					it, outcome := q.Steal()
					if outcome != api.Stolen {
						runtime.Gosched()
						continue
					}
					taken.Add(1)
					take(t, &it.item)
					if it.seq <= last[it.pusher] {
						t.Errorf("item %d of pusher %d came after item %d", it.seq, it.pusher, last[it.pusher])
					}
					last[it.pusher] = it.seq
				}
			})
		}
		wg.Wait()
		if !q.Empty() {
			t.Error("the queue is not empty after all was taken")
		}
		for i := range items {
			if n := items[i].out.Load(); n != 1 {
				t.Fatalf("item %d came out %d times", i, n)
			}
		}
	})
}

// I3 and I4: while there always is an item, nobody may find the queue empty. A
// pool would let its last worker sleep on that.
func TestStressInjectorNeverEmpty(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[item]) {
		// credit is how many may be taken with one left for sure.
		var credit atomic.Int64
		var stop atomic.Bool
		var wg sync.WaitGroup
		q.Push(new(item))
		wg.Go(func() {
			for !stop.Load() {
				if q.Empty() {
					t.Error("Empty, though there is an item")
					return
				}
				runtime.Gosched() // where there is one thread, let others run
			}
		})
		wg.Go(func() {
			for !stop.Load() {
				if credit.Load() == 0 {
					runtime.Gosched()
					continue
				}
				switch it, outcome := q.Steal(); outcome {
				case api.Stolen:
					take(t, it)
					credit.Add(-1)
				case api.Empty:
					t.Error("Steal met an empty queue, though there is an item")
					return
				}
				runtime.Gosched()
			}
		})
		for range 2 {
			wg.Go(func() {
				for range scale(20_000) {
					q.Push(new(item))
					credit.Add(1)
					if t.Failed() {
						break
					}
				}
				stop.Store(true)
			})
		}
		wg.Wait()
	})
}

// Of several that push to an empty queue at once, exactly one finds it empty:
// with none nobody would be woken as for a first job, with two a worker too few
// is woken.
func TestStressInjectorWasEmpty(t *testing.T) {
	forEachBlock(t, func(t *testing.T, q api.Injector[item]) {
		for round := range scale(5_000) {
			var first atomic.Int32
			inStep(2, func(int) {
				if q.Push(new(item)) {
					first.Add(1)
				}
			})
			if n := first.Load(); n != 1 {
				t.Fatalf("round %d: %d of 2 pushers found the queue empty", round, n)
			}
			for range 2 {
				if _, outcome := q.Steal(); outcome != api.Stolen {
					t.Fatalf("round %d: Steal: %v", round, outcome)
				}
			}
		}
	})
}
