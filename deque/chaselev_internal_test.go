package deque

import (
	"math"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// wantHeld fails unless the ring holds n pointers: with more, what was taken is kept;
// with less, a thief has written to a slot.
func wantHeld(t *testing.T, d *ChaseLev[int], n int, when string) {
	t.Helper()
	if got := d.Held(); got != n {
		t.Fatalf("D8: %s: the ring holds %d pointers, want %d", when, got, n)
	}
}

// A thief must not write to slots: by then the slot may hold the next item,
// the same pointer even, so that a CAS would not notice. Clearing is for the
// owner's next operation (D8).
func TestThiefDoesNotClear(t *testing.T) {
	d := NewChaseLevAt[int](4, math.MaxInt64-1)
	item := new(int)
	for range 3 {
		d.Push(item)
	}
	for range 2 {
		if _, outcome := d.Steal(); outcome != api.Stolen {
			t.Fatalf("D3: Steal from a deque with items in it: %v", outcome)
		}
	}
	wantHeld(t, d, 3, "after two steals")
	d.Push(item)
	wantHeld(t, d, 2, "after the owner's next push")
	d.Steal()
	d.Pop()
	wantHeld(t, d, 1, "after a steal and a pop of the last item")
	d.Pop()
	wantHeld(t, d, 0, "after a pop of the empty deque")
}

// A popped item is overwritten by the next push, so clearing costs that nothing.
func TestPoppedSlotIsReused(t *testing.T) {
	d := NewChaseLevAt[int](4, 0)
	item := new(int)
	d.Push(item)
	d.Push(item)
	d.Pop()
	wantHeld(t, d, 2, "after a pop")
	d.Push(item)
	wantHeld(t, d, 2, "after a push in the same place")
	d.Pop()
	d.Pop()
	wantHeld(t, d, 1, "after the pop of the last item")
	d.Pop()
	wantHeld(t, d, 0, "after a pop of the empty deque")
}

// A thief that holds an old ring must still find its item there.
func TestOldRingIsNotWritten(t *testing.T) {
	d := NewChaseLevAt[int](2, 0)
	old := d.ring.Load()
	first, second := new(int), new(int)
	d.Push(first)
	d.Push(second)
	for range 20 {
		d.Push(new(int))
	}
	for d.Pop() != nil {
	}
	if d.Capacity() <= 2 {
		t.Fatal("D5: the ring did not grow")
	}
	if old.slot(0).Load() != first || old.slot(1).Load() != second {
		t.Fatal("D5: the ring that was replaced has changed, which a thief may still read")
	}
}

// A ring must be used to its last slot before it doubles, and not beyond.
func TestGrowth(t *testing.T) {
	for _, tt := range []struct{ asked, got int }{{1, 1}, {2, 2}, {3, 4}, {64, 64}, {65, 128}} {
		d := NewChaseLevAt[int](tt.asked, math.MinInt64)
		if d.Capacity() != tt.got {
			t.Fatalf("D10: NewChaseLevAt: capacity %d asked for, %d given, want %d", tt.asked, d.Capacity(), tt.got)
		}
		for range tt.got {
			d.Push(new(int))
		}
		if d.Capacity() != tt.got {
			t.Fatalf("D10: ChaseLev: a ring of %d grew with %d items", tt.got, tt.got)
		}
		d.Steal()
		d.Push(new(int))
		if d.Capacity() != tt.got {
			t.Fatalf("D10: ChaseLev: a ring of %d grew though a slot was free", tt.got)
		}
		d.Push(new(int))
		if d.Capacity() != 2*tt.got {
			t.Fatalf("D10: ChaseLev: a ring of %d grew to %d", tt.got, d.Capacity())
		}
	}
}

// After a pop that lost the last item bottom is below top; for everybody that
// must be as empty as equal.
func TestBottomBelowTop(t *testing.T) {
	d := NewChaseLevAt[int](2, math.MaxInt64)
	d.bottom.Store(d.own.bottom - 1)
	if n := d.Len(); n != 0 {
		t.Fatalf("D7: Len %d of an empty deque", n)
	}
	if _, outcome := d.Steal(); outcome != api.Empty {
		t.Fatalf("D3: Steal from an empty deque: %v", outcome)
	}
	if d.Pop() != nil {
		t.Fatal("D3: Pop of an empty deque took something")
	}
	item := new(int)
	d.Push(item)
	if got, _ := d.Steal(); got != item || d.Len() != 0 {
		t.Fatal("D1: the item pushed next is not there, or twice")
	}
}
