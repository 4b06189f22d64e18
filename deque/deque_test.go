package deque_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
)

// impls are the deques under test: small ones grow and wrap all the time.
func impls[T any]() []impl[T] {
	return []impl[T]{
		{"chaselev", func() api.Deque[T] { return deque.NewChaseLev[T]() }},
		{"chaselev/small", func() api.Deque[T] { return deque.NewChaseLevAt[T](1, 0) }},
		{"chaselev/wrap", func() api.Deque[T] { return deque.NewChaseLevAt[T](2, math.MaxInt64-3) }},
		{"chaselev/uneven", func() api.Deque[T] { return deque.NewChaseLevAt[T](3, -2) }}, // across 0
		{"locked", func() api.Deque[T] { return deque.NewLocked[T]() }},
	}
}

type impl[T any] struct {
	name string
	new  func() api.Deque[T]
}

// forEach runs f as a subtest on a fresh deque of each kind.
func forEach[T any](t *testing.T, f func(t *testing.T, d api.Deque[T])) {
	for _, im := range impls[T]() {
		t.Run("deque="+im.name, func(t *testing.T) { f(t, im.new()) })
	}
}

// Alone, a deque must do what a slice does (D1, D2, D5, D6, D7): a failure here
// is not a race but a wrong order, or an index wrong at the wrap.
func TestAgainstSlice(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[int]) {
		rng := rand.New(rand.NewPCG(1, 2))
		var want []*int
		for step := range 20_000 {
			// Drift up and down, so that the deque fills and empties.
			switch n := rng.IntN(10); {
			case n < 4+step/1000%3:
				item := new(int)
				*item = step
				d.Push(item)
				want = append(want, item)
			case n < 8:
				item := d.Pop()
				if len(want) == 0 {
					if item != nil {
						t.Fatalf("D3: step %d: Pop of an empty deque returned %d", step, *item)
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

// The same pointer may go through again and again: a thief or owner that clears
// or compares by pointer would lose it.
func TestSameItemAgain(t *testing.T) {
	forEach(t, func(t *testing.T, d api.Deque[int]) {
		item := new(int)
		for range 100 {
			d.Push(item)
			d.Push(item)
			d.Push(item)
			if got, _ := d.Steal(); got != item {
				t.Fatal("D1: Steal lost the item")
			}
			for range 2 {
				if d.Pop() != item {
					t.Fatal("D1: Pop lost the item")
				}
			}
			if d.Pop() != nil || d.Len() != 0 {
				t.Fatal("D1: there is an item too many")
			}
		}
	})
}

func TestPushNil(t *testing.T) {
	pushes := map[string]func(){
		"Injector.Push": func() { deque.NewInjector[int]().Push(nil) },
	}
	for _, im := range impls[int]() {
		pushes["Deque.Push: "+im.name] = func() { im.new().Push(nil) }
	}
	for name, push := range pushes {
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), "deque: push of nil"; got != want {
					t.Errorf("D10: %s: a push of nil panicked with %q, want %q", name, got, want)
				}
			}()
			push()
		}()
	}
}

func TestRefusedSizes(t *testing.T) {
	for want, f := range map[string]func(){
		"NewChaseLevAt: deque: capacity 0, must be at least 1":               func() { deque.NewChaseLevAt[int](0, 0) },
		"NewChaseLevAt: deque: capacity -1, must be at least 1":              func() { deque.NewChaseLevAt[int](-1, 0) },
		"NewInjectorSized: deque: blocks of -1 slots, must be 1 to 65536":    func() { deque.NewInjectorSized[int](-1) },
		"NewInjectorSized: deque: blocks of 0 slots, must be 1 to 65536":     func() { deque.NewInjectorSized[int](0) },
		"NewInjectorSized: deque: blocks of 65537 slots, must be 1 to 65536": func() { deque.NewInjectorSized[int](65537) },
	} {
		name, want, _ := strings.Cut(want, ": ")
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("D10: %s: panicked with %q, want %q", name, got, want)
				}
			}()
			f()
		}()
	}
	// The limit itself is allowed.
	q := deque.NewInjectorSized[int](1 << 16)
	q.Push(new(int))
	if _, outcome := q.Steal(); outcome != api.Stolen {
		t.Errorf("D10: NewInjectorSized: a steal from a queue with blocks of 65536 slots, with an item inside: %v", outcome)
	}
}

// If this fails, a push or a batch that is refused has changed the queue.
func TestRefusedChangesNothing(t *testing.T) {
	refused := func(f func()) {
		defer func() { recover() }()
		f()
	}
	for _, im := range impls[int]() {
		d, item := im.new(), new(int)
		d.Push(item)
		refused(func() { d.Push(nil) })
		if n := d.Len(); n != 1 {
			t.Errorf("D10: %s: after a push of nil a deque of one item has the length %d", im.name, n)
		}
		if d.Pop() != item || d.Pop() != nil {
			t.Errorf("D10: %s: after a push of nil the item before it does not come out alone", im.name)
		}
	}
	forEachBlock(t, func(t *testing.T, q api.Injector[int]) {
		item := new(int)
		q.Push(item)
		refused(func() { q.Push(nil) })
		refused(func() { q.StealBatch(nil) })
		if got, outcome := q.Steal(); got != item || outcome != api.Stolen {
			t.Errorf("D10: after a push of nil and a batch without a place, a steal gives %p, %v, want the only item, %p", got, outcome, item)
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
