package deque

import (
	"slices"
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

// wantSteal steals, and fails if that does not end as it should.
func wantSteal(t *testing.T, q *Injector[int], want *int, outcome api.Outcome) {
	t.Helper()
	if got, o := q.Steal(); got != want || o != outcome {
		t.Fatalf("I3: Steal returned %v, %v, want %v, %v", got, o, want, outcome)
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
			t.Fatalf("I3: Injector.Empty: slot %d: not empty, though nothing was pushed", before)
		}
		wantSteal(t, q, nil, api.Empty)
		if !goOn(item) {
			t.Fatalf("I3: slot %d: the pusher lost its slot though nobody was behind it", before)
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
			t.Fatalf("I4: slots=%d: empty, though an item is inside", slots)
		}
		wantSteal(t, q, nil, api.Lost) // makes the slot void
		wantSteal(t, q, item, api.Stolen)
		if goOn(item) {
			t.Fatalf("I1: slots=%d: the late pusher wrote to a slot that no taker looks at", slots)
		}
		if !q.Empty() {
			t.Fatalf("I3: Injector.Empty: slots=%d: not empty, though all was taken", slots)
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
		t.Fatal("I3: the slot was void before its taker came")
	}
	if !q.Empty() {
		t.Fatal("I3: Injector.Empty: not empty, though the only item is its taker's")
	}
	if got := b.slots[0].Swap(q.gone); got != item {
		t.Fatal("I1: the taker lost the item of its ticket")
	}
}

// wantBatch takes a batch, and fails if it is not these items.
func wantBatch(t *testing.T, q *Injector[int], places int, outcome api.Outcome, want ...*int) {
	t.Helper()
	into := make([]*int, places)
	n, o := q.StealBatch(into)
	if !slices.Equal(into[:n], want) || o != outcome {
		t.Fatalf("I3: StealBatch returned %v, %v, want %v, %v", into[:n], o, want, outcome)
	}
}

// fill pushes items, or has late pushers draw a ticket where there is none.
func fill(q *Injector[int], pattern ...*int) (goOn []func(item *int) bool) {
	for _, item := range pattern {
		if item == nil {
			goOn = append(goOn, late(q))
		} else {
			q.Push(item)
		}
	}
	return goOn
}

// What is half of the queue must not depend on pushers that have pushed nothing
// yet: two late ones would let a batch take all there is, and their items may
// come out after those of pushes that have not begun yet.
func TestBatchCountsNoLatePusher(t *testing.T) {
	q := NewInjectorSized[int](8)
	a, b, c, d := new(int), new(int), new(int), new(int)
	goOn := fill(q, a, b, nil, nil)
	wantBatch(t, q, 4, api.Stolen, a)
	if !goOn[0](c) || !goOn[1](d) {
		t.Fatal("I3: the batch made slots void that it had no use for")
	}
	wantBatch(t, q, 4, api.Stolen, b, c)
	wantBatch(t, q, 4, api.Stolen, d)
	wantBatch(t, q, 4, api.Empty)
}

// A batch must go on behind a slot that it makes void: its tickets are drawn, so
// nobody else will look there.
func TestBatchWithVoidSlots(t *testing.T) {
	a, b, c, d := new(int), new(int), new(int), new(int)
	for _, tt := range []struct {
		name    string
		pattern []*int
		first   []*int // of up to 3
	}{
		{"first", []*int{nil, a, b, c, d}, []*int{a}},
		{"second", []*int{a, nil, b, c, d}, []*int{a}},
		{"last_of_the_batch", []*int{a, b, nil, c, d, d}, []*int{a, b}},
		{"behind_the_batch", []*int{a, b, c, nil, d, d}, []*int{a, b, c}},
		{"between", []*int{a, nil, b, c, d, d}, []*int{a, b}},
		{"all", []*int{nil, nil, a, b, c}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := NewInjectorSized[int](8)
			goOn := fill(q, tt.pattern...)
			outcome := api.Stolen
			if tt.first == nil {
				outcome = api.Lost
			}
			wantBatch(t, q, 3, outcome, tt.first...)
			want := slices.DeleteFunc(tt.pattern, func(item *int) bool { return item == nil })[len(tt.first):]
			// Those that are late go on now. What was void they push again.
			for _, g := range goOn {
				if item := new(int); g(item) {
					i := slices.Index(want, d)
					want = slices.Insert(want, i, item)
				} else {
					q.Push(item)
					want = append(want, item)
				}
			}
			for _, item := range want {
				wantSteal(t, q, item, api.Stolen)
			}
			wantSteal(t, q, nil, api.Empty)
		})
	}
}

// A batch ends with its block, however many places it has: behind the last slot
// are tickets of pushers that went on to the next block.
func TestBatchEndsWithItsBlock(t *testing.T) {
	q := NewInjectorSized[int](2)
	a, b, c, d, e := new(int), new(int), new(int), new(int), new(int)
	fill(q, a, b, c, d, e)
	wantBatch(t, q, 100, api.Stolen, a, b)
	wantBatch(t, q, 100, api.Stolen, c, d)
	wantBatch(t, q, 100, api.Stolen, e)
	wantBatch(t, q, 100, api.Empty)
}

// Where all the slots that are left belong to late pushers, and the items are in
// the next block, a batch makes way to them, one slot at a time.
func TestBatchReachesNextBlock(t *testing.T) {
	q := NewInjectorSized[int](2)
	item := new(int)
	goOn := fill(q, nil, nil, item)
	wantBatch(t, q, 4, api.Lost)
	wantBatch(t, q, 4, api.Lost)
	wantBatch(t, q, 4, api.Stolen, item)
	for _, g := range goOn {
		if g(item) {
			t.Fatal("I1: a late pusher wrote to a slot that no taker looks at")
		}
	}
}
