package conformance

import (
	"runtime"
	"strings"
	"weak"

	"github.com/rouse-go/rouse/api"
)

// dequeRetention are ways to take items after which the deque must have forgotten them. Each
// ends with an operation of the owner's. A letter is one operation:
//
//	'+'  push an item
//	'n'  push one that need not be forgotten
//	'-'  pop
//	's'  steal
var dequeRetention = []struct{ name, steps string }{
	{"popped", "+--"},
	{"stolen", "+s-"},
	{"many_popped", strings.Repeat("+", 100) + strings.Repeat("-", 101)},
	{"many_stolen", strings.Repeat("+", 100) + strings.Repeat("s", 100) + "-"},
	// The last Pop finds nothing, at the place of the item popped before.
	{"popped_above_stolen", "++-s-"},
	{"stolen_then_push", "+++sssn"},
	{"last_by_pop_after_steals", "+++++ssss--"},
	{"around_growth", strings.Repeat("++++++s-", 40) + strings.Repeat("-", 4*40+2)},
}

func mustSteal(d api.Deque[int], r *run) *int {
	return steal(d, func(f string, a ...any) { r.Fail("D3", f, a...) })
}

func (s dequeSuite) retention(r *run, steps string) {
	d := s.make()
	forgotten(r, "D8", "items that were pushed and taken", func(item func() *int) {
		for _, step := range steps {
			switch step {
			case '+':
				d.Push(item())
			case 'n':
				d.Push(new(int))
			case '-':
				d.Pop()
			case 's':
				mustSteal(d, r)
			}
		}
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
