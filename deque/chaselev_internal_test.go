package deque

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// After some steps the ring holds so many pointers: with more, what was taken is kept; with
// less, a thief has written to a slot.
func TestHeld(t *testing.T) {
	for _, script := range []string{
		// A thief must not write to slots: by then the slot may hold the next item, the same
		// pointer even, so that a CAS would not notice. Clearing is for the owner's next
		// operation.
		"push push push steal steal =3 push =2 steal pop =1 pop =0",
		// A popped item is overwritten by the next push, so clearing costs that nothing.
		"push push pop =2 push =2 pop pop =1 pop =0",
	} {
		d, item := NewChaseLevAt[int](4, math.MaxInt64-1), new(int)
		for i, step := range strings.Fields(script) {
			switch step {
			case "push":
				d.Push(item)
			case "pop":
				d.Pop()
			case "steal":
				if _, outcome := d.Steal(); outcome != api.Stolen {
					t.Errorf("D3: %s: step %d: Steal from a deque with items in it: %v", script, i, outcome)
				}
			default:
				if got := fmt.Sprint("=", d.Held()); got != step {
					t.Errorf("D8: %s: at step %d it holds %s pointers", script, i, got)
				}
			}
		}
	}
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

// After a pop that lost the last item bottom is below top. That
// must count as empty, as if they were equal.
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
