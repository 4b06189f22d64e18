package deque_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
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
			if rng.IntN(4) == 0 {
				want = want[checkBatch(t, q, 1+rng.IntN(5), want):]
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

// checkBatch takes a batch of a queue that nobody else is at, with these items
// inside, and returns how many came out. They must be the oldest, at most half of
// all, and no place behind them may be written to.
func checkBatch(t *testing.T, q api.Injector[int], places int, inside []*int) (n int) {
	t.Helper()
	untouched := new(int)
	into := slices.Repeat([]*int{untouched}, places)
	n, outcome := q.StealBatch(into)
	switch half := (len(inside) + 1) / 2; {
	case len(inside) == 0 && outcome != api.Empty, len(inside) > 0 && outcome != api.Stolen:
		t.Fatalf("I3: a batch of a queue of %d: %v", len(inside), outcome)
	case (outcome == api.Stolen) != (n > 0) || n > min(places, half):
		t.Fatalf("I3: a batch with %d places of a queue of %d took %d, %v", places, len(inside), n, outcome)
	case !slices.Equal(into[:n], inside[:n]):
		t.Fatalf("I2: a batch of %d is not the %d oldest items, in their order", n, n)
	case slices.ContainsFunc(into[n:], func(item *int) bool { return item != untouched }):
		t.Fatalf("I3: Injector.StealBatch: a batch of %d wrote to a place behind them", n)
	}
	return n
}

// While nobody is in its way, and the items are in one block, a batch takes all
// that it may.
func TestInjectorBatch(t *testing.T) {
	for inside := range 20 {
		for places := 1; places <= 20; places++ {
			q := deque.NewInjector[int]()
			items := make([]*int, inside)
			for i := range items {
				items[i] = new(int)
				q.Push(items[i])
			}
			if n, want := checkBatch(t, q, places, items), min(places, (inside+1)/2); n != want {
				t.Errorf("I3: Injector.StealBatch: with %d places, of a queue of %d, it took %d, want %d", places, inside, n, want)
			}
		}
	}
}

// A batch without a place could take nothing from any queue, and a taker that
// asks for it again and again would never end.
func TestInjectorBatchNeedsAPlace(t *testing.T) {
	for _, items := range []int{0, 1} {
		q := deque.NewInjector[int]()
		for range items {
			q.Push(new(int))
		}
		func() {
			defer func() {
				if got := recover(); got != "deque: batch into a slice of length 0" {
					t.Errorf("D10: Injector.StealBatch: without a place, with %d items inside: recovered %v", items, got)
				}
			}()
			q.StealBatch(nil)
		}()
	}
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
					t.Fatalf("I6: Steal: %v, or another item", outcome)
				}
			}
			if !q.Empty() {
				t.Fatal("I6: there is an item too many")
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
			for taken, tries := 0, 0; taken < n; tries++ {
				if tries > 1000 {
					t.Fatalf("I1: only %d of %d items come out", taken, n)
				}
				var into [3]*[64]byte
				got, _ := q.StealBatch(into[:min(3, n-taken)])
				taken += got
			}
			runtime.GC()
			for i, p := range pointers[:n] {
				if p.Value() != nil {
					t.Errorf("I5: item %d of %d is still reachable after it was taken", i, n)
				}
			}
			if pointers[n].Value() == nil {
				t.Error("I1: an item was collected while it was inside")
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

// A push allocates once in a block, a steal and a batch never.
func TestInjectorAllocations(t *testing.T) {
	q := deque.NewInjector[int]()
	item := new(int)
	into := make([]*int, 4)
	// 64 pushes use up one block: its header and its slots.
	if n := testing.AllocsPerRun(10, func() {
		for range 16 {
			for range 4 {
				q.Push(item)
			}
			q.Steal()
			for !q.Empty() {
				q.StealBatch(into)
			}
		}
	}); n > 2 {
		t.Errorf("Limitations: 64 pushes, and what takes them, allocate %v times, want 2 at most", n)
	}
}

// numbered is an item that knows who pushed it, and when.
type numbered struct {
	item
	pusher, seq int
}

// Pushers and takers at once, of which one takes batches: each item comes out
// once (I1), and no taker sees the items of one pusher out of order (I2).
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
		for _, places := range [takers]int{1, 5} {
			wg.Go(func() {
				last := [pushers]int{-1, -1}
				into := make([]*numbered, places)
				seen, vain := int64(0), 0
				for int(taken.Load()) < len(items) && !t.Failed() {
					n, outcome := q.StealBatch(into)
					if outcome != api.Stolen {
						// That a sleep returns shows that the process gets processors.
						switch now := taken.Load(); {
						case now != seen:
							seen, vain = now, 0
						case vain < 1000:
							runtime.Gosched()
						case vain < 21_000:
							time.Sleep(time.Millisecond)
						default:
							t.Errorf("I1: %d of %d items came out, and in 20,000 ms that this goroutine has slept no more", now, len(items))
						}
						vain++
						continue
					}
					taken.Add(int64(n))
					for _, it := range into[:n] {
						take(t, "I1", &it.item)
						if it.seq <= last[it.pusher] {
							t.Errorf("I2: item %d of pusher %d came after item %d", it.seq, it.pusher, last[it.pusher])
						}
						last[it.pusher] = it.seq
					}
				}
			})
		}
		wg.Wait()
		if !q.Empty() {
			t.Error("I3: Injector.Empty: the queue is not empty after all was taken")
		}
		for i := range items {
			if n := items[i].out.Load(); n != 1 {
				t.Fatalf("I1: item %d came out %d times", i, n)
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
					t.Error("I4: Empty, though there is an item")
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
					take(t, "I1", it)
					credit.Add(-1)
				case api.Empty:
					t.Error("I3: Steal met an empty queue, though there is an item")
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
				t.Fatalf("I3: round %d: %d of 2 pushers found the queue empty", round, n)
			}
			for range 2 {
				if _, outcome := q.Steal(); outcome != api.Stolen {
					t.Fatalf("I3: round %d: Steal: %v", round, outcome)
				}
			}
		}
	})
}
