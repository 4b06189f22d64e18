package deque_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/deque"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// The rules of api are checked by the suite of module conformance, on deques and injectors of every
// size, and by its scenarios on every schedule. Here are sizes, costs, and two owners.

// impls are the deques under test. The small one has indexes that wrap.
var impls = map[string]func() api.Deque[int]{
	"chaselev":       func() api.Deque[int] { return deque.NewChaseLev[int]() },
	"chaselev/small": func() api.Deque[int] { return deque.NewChaseLevAt[int](1, math.MaxInt64-3) },
	"locked":         func() api.Deque[int] { return deque.NewLocked[int]() },
}

// forEach runs f as a subtest on a fresh deque of each kind.
func forEach(t *testing.T, f func(t *testing.T, d api.Deque[int])) {
	for name, newDeque := range impls {
		t.Run("deque="+name, func(t *testing.T) { f(t, newDeque()) })
	}
}

// refuses checks that a call panics with a text.
func refuses(t *testing.T, name, want string, call func()) {
	t.Helper()
	defer func() {
		if got := fmt.Sprint(recover()); got != want {
			t.Errorf("D10: %s: panicked with %q, want %q", name, got, want)
		}
	}()
	call()
}

func TestRefusedSizes(t *testing.T) {
	for _, c := range []struct {
		want string
		call func()
	}{
		{"deque: capacity 0, must be at least 1", func() { deque.NewChaseLevAt[int](0, 0) }},
		{"deque: capacity -1, must be at least 1", func() { deque.NewChaseLevAt[int](-1, 0) }},
		{"deque: blocks of -1 slots, must be 1 to 65536", func() { deque.NewInjectorSized[int](-1) }},
		{"deque: blocks of 0 slots, must be 1 to 65536", func() { deque.NewInjectorSized[int](0) }},
		{"deque: blocks of 65537 slots, must be 1 to 65536", func() { deque.NewInjectorSized[int](65537) }},
	} {
		refuses(t, "the maker", c.want, c.call)
	}
	// The limit itself is allowed.
	q := deque.NewInjectorSized[int](1 << 16)
	q.Push(new(int))
	if _, outcome := q.Steal(); outcome != api.Stolen {
		t.Errorf("D10: NewInjectorSized: a steal from a queue with blocks of 65536 slots, with an item inside: %v", outcome)
	}
}

// A ring must be used to its last slot before it doubles, and not beyond.
func TestGrowth(t *testing.T) {
	for _, tt := range []struct{ asked, got int }{{1, 1}, {2, 2}, {3, 4}, {64, 64}, {65, 128}} {
		d := deque.NewChaseLevAt[int](tt.asked, math.MinInt64)
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

// If this fails, a nil item comes in, or what is refused has changed the queue.
func TestRefusedChangesNothing(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[int]) {
		item := new(int)
		d.Push(item)
		refuses(t, "Deque.Push", "deque: push of nil", func() { d.Push(nil) })
		if n := d.Len(); n != 1 {
			t.Errorf("D10: after a push of nil a deque of one item has the length %d", n)
		}
		if d.Pop() != item || d.Pop() != nil {
			t.Error("D10: after a push of nil the item before it does not come out alone")
		}
	})
	q, item := deque.NewInjectorSized[int](1), new(int)
	q.Push(item)
	refuses(t, "Injector.Push", "deque: push of nil", func() { q.Push(nil) })
	if got, _ := q.Steal(); got != item || !q.Empty() {
		t.Errorf("D10: after a push of nil a steal gives %p, want the only item, %p; the queue is empty: %t", got, item, q.Empty())
	}
}

// Publishing a job must not allocate, nor taking it back.
func TestAllocations(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[int]) {
		item := new(int)
		round := func() {
			for range 8 {
				d.Push(item)
			}
			d.Steal()
			for d.Pop() != nil {
			}
		}
		round() // may grow
		if n := testing.AllocsPerRun(100, round); n != 0 {
			t.Errorf("Cost: a round of pushes, pops and a steal allocates %v times", n)
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
		for range 64 {
			q.Push(item)
			q.Steal()
		}
	}); n > 2 {
		t.Errorf("Limitations: 64 pushes, and what takes them, allocate %v times, want 2 at most", n)
	}
}
