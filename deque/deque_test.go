package deque_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/deque"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// impls are the deques under test: small ones grow and wrap all the time. The suite of module
// conformance has them stolen from at the same time.
var impls = []struct {
	name string
	new  func() api.Deque[int]
}{
	{"chaselev", func() api.Deque[int] { return deque.NewChaseLev[int]() }},
	{"chaselev/small", func() api.Deque[int] { return deque.NewChaseLevAt[int](1, 0) }},
	{"chaselev/wrap", func() api.Deque[int] { return deque.NewChaseLevAt[int](2, math.MaxInt64-3) }},
	{"chaselev/uneven", func() api.Deque[int] { return deque.NewChaseLevAt[int](3, -2) }}, // across 0
	{"locked", func() api.Deque[int] { return deque.NewLocked[int]() }},
}

// forEach runs f as a subtest on a fresh deque of each kind.
func forEach(t *testing.T, f func(t *testing.T, d api.Deque[int])) {
	for _, im := range impls {
		t.Run("deque="+im.name, func(t *testing.T) { f(t, im.new()) })
	}
}

// Alone, a deque must do what a slice does (D1, D2, D5, D6, D7): a failure here
// is not a race but a wrong order, or an index wrong at the wrap. The same pointer may go
// through again and again: a thief or owner that clears or compares by pointer would lose it.
func TestAgainstSlice(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[int]) {
		rng := rand.New(rand.NewPCG(1, 2))
		var want []*int
		item := new(int)
		for step := range 20_000 {
			// Drift up and down, so that the deque fills and empties.
			switch n := rng.IntN(10); {
			case n < 4+step/1000%3:
				if step/1000%2 == 0 { // and the same one otherwise
					item = new(int)
				}
				d.Push(item)
				want = append(want, item)
			case n < 8:
				item := d.Pop()
				if len(want) == 0 {
					if item != nil {
						t.Fatalf("D3: step %d: Pop of an empty deque returned something", step)
					}
				} else {
					last := len(want) - 1
					if item != want[last] {
						t.Fatalf("D2: step %d: Pop did not return the newest item", step)
					}
					want = want[:last]
				}
			default:
				item, outcome := d.Steal()
				if len(want) == 0 {
					if item != nil || outcome != api.Empty {
						t.Fatalf("D3: step %d: Steal from an empty deque: %v", step, outcome)
					}
				} else {
					if item != want[0] || outcome != api.Stolen {
						t.Fatalf("D2: step %d: Steal: %v, or not the oldest item", step, outcome)
					}
					want = want[1:]
				}
			}
			if n := d.Len(); n != len(want) {
				t.Fatalf("D7: step %d: Len %d, want %d", step, n, len(want))
			}
		}
	})
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
	forEachBlock(t, func(t *testing.T, q api.Injector[int]) {
		item := new(int)
		q.Push(item)
		refuses(t, "Injector.Push", "deque: push of nil", func() { q.Push(nil) })
		if got, outcome := q.Steal(); got != item || outcome != api.Stolen {
			t.Errorf("D10: after a push of nil a steal gives %p, %v, want the only item, %p", got, outcome, item)
		}
		if !q.Empty() {
			t.Error("D10: after a push of nil, which was refused, the queue is not empty")
		}
	})
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
