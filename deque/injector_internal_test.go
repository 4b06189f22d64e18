package deque

import (
	"testing"

	"github.com/rouse-go/rouse/api"
)

// late draws a ticket like a pusher that is then held up, and returns what it
// does when it goes on: it tells whether its slot was still good.
func late(q *Injector[int]) (goOn func(item *int) bool) {
	b := q.tail.Load()
	ticket := b.pushed.Add(1) - 1
	return func(item *int) bool { return b.slots[ticket].CompareAndSwap(nil, item) }
}

func wantSteal(t *testing.T, q *Injector[int], want *int, outcome api.Outcome) {
	t.Helper()
	if got, o := q.Steal(); got != want || o != outcome {
		t.Fatalf("Steal returned %v, %v, want %v, %v", got, o, want, outcome)
	}
}

// A pusher that is held up alone has pushed nothing yet: the queue is empty,
// and nobody spoils its slot.
func TestLatePusherAlone(t *testing.T) {
	const slots = 3
	for before := range slots {
		q := NewInjectorSized[int](slots)
		item := new(int)
		for range before {
			q.Push(item)
			wantSteal(t, q, item, api.Stolen)
		}
		goOn := late(q)
		if !q.Empty() {
			t.Fatalf("slot %d: not empty, though nothing was pushed", before)
		}
		wantSteal(t, q, nil, api.Empty)
		if !goOn(item) {
			t.Fatalf("slot %d: the pusher lost its slot though nobody was behind it", before)
		}
		wantSteal(t, q, item, api.Stolen)
	}
}

// A pusher that is held up must not hold up the item of another behind it,
// whether that is in the same block or in the next.
func TestLatePusherIsOvertaken(t *testing.T) {
	for _, slots := range []int{1, 2} {
		q := NewInjectorSized[int](slots)
		goOn := late(q)
		item := new(int)
		q.Push(item)
		if q.Empty() {
			t.Fatalf("slots=%d: empty, though an item is inside", slots)
		}
		wantSteal(t, q, nil, api.Lost) // makes the slot void
		wantSteal(t, q, item, api.Stolen)
		if goOn(item) {
			t.Fatalf("slots=%d: the late pusher wrote to a slot that no taker looks at", slots)
		}
		if !q.Empty() {
			t.Fatalf("slots=%d: not empty, though all was taken", slots)
		}
	}
}

// A taker that has drawn its ticket gets what its late pusher brings.
func TestLateTakerAndLatePusher(t *testing.T) {
	q := NewInjectorSized[int](2)
	goOn := late(q)
	b := q.head.Load()
	b.taken.Add(1) // a taker draws, and is held up
	item := new(int)
	if !goOn(item) {
		t.Fatal("the slot was void before its taker came")
	}
	if !q.Empty() {
		t.Fatal("not empty, though the only item is its taker's")
	}
	if got := b.slots[0].Swap(q.gone); got != item {
		t.Fatal("the taker lost the item of its ticket")
	}
}
