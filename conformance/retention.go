package conformance

import (
	"runtime"
	"weak"

	"github.com/rouse-go/rouse/api"
)

// dequeRetention are ways to take items after which the deque must have
// forgotten them. Each ends with an operation of the owner's.
var dequeRetention = []struct {
	name string
	run  func(d api.Deque[int], r *run, push func())
}{
	{"popped", func(d api.Deque[int], r *run, push func()) {
		push()
		d.Pop()
		d.Pop()
	}},
	{"stolen", func(d api.Deque[int], r *run, push func()) {
		push()
		mustSteal(d, r)
		d.Pop()
	}},
	{"many_popped", func(d api.Deque[int], r *run, push func()) {
		for range 100 {
			push()
		}
		for range 100 {
			d.Pop()
		}
		d.Pop()
	}},
	{"many_stolen", func(d api.Deque[int], r *run, push func()) {
		for range 100 {
			push()
		}
		for range 100 {
			mustSteal(d, r)
		}
		d.Pop()
	}},
	// The last Pop finds nothing, at the place of the item popped before.
	{"popped_above_stolen", func(d api.Deque[int], r *run, push func()) {
		push()
		push()
		d.Pop()
		mustSteal(d, r)
		d.Pop()
	}},
	{"stolen_then_push", func(d api.Deque[int], r *run, push func()) {
		for range 3 {
			push()
		}
		for range 3 {
			mustSteal(d, r)
		}
		d.Push(new(int))
	}},
	{"last_by_pop_after_steals", func(d api.Deque[int], r *run, push func()) {
		for range 5 {
			push()
		}
		for range 4 {
			mustSteal(d, r)
		}
		d.Pop()
		d.Pop()
	}},
	{"around_growth", func(d api.Deque[int], r *run, push func()) {
		for range 40 {
			for range 6 {
				push()
			}
			mustSteal(d, r)
			d.Pop()
		}
		for d.Pop() != nil {
		}
		d.Pop()
	}},
}

func mustSteal(d api.Deque[int], r *run) {
	steal(d, func(f string, a ...any) { r.Fail("D3", f, a...) })
}

func (s dequeSuite) retention(r *run, take func(api.Deque[int], *run, func())) {
	d := s.make()
	forgotten(r, "D8", "items that were pushed and taken", func(item func() *int) {
		take(d, r, func() { d.Push(item()) })
	})
	runtime.KeepAlive(d)
}

// forgotten has use obtain items and then fails if any of them is still
// reachable.
func forgotten(r *run, rule, what string, use func(item func() *int)) {
	r.T.Helper()
	var refs []weak.Pointer[int]
	func() {
		use(func() *int {
			// Not a lone int: those share blocks, which outlive them.
			block := make([]int, 64)
			block[0] = len(refs)
			refs = append(refs, weak.Make(&block[0]))
			return &block[0]
		})
	}()
	runtime.GC()
	runtime.GC()
	for i, ref := range refs {
		if ref.Value() != nil {
			r.Fail(rule, "of %d %s, number %d is still reachable after a garbage collection", len(refs), what, i)
		}
	}
}
