package scenarios

import (
	"testing"

	"github.com/rouse-go/rouse/api"
)

// TestDeque runs the scenarios of [Deque].
func TestDeque(t *testing.T, newDeque func() api.Deque[int]) {
	t.Helper()
	Run(t, Deque(newDeque))
}

// Deque returns scenarios of an owner and its thieves. newDeque should return a
// deque that grows with the third item, and whose indexes are about to wrap: the
// scenarios are short.
func Deque(newDeque func() api.Deque[int]) []Scenario {
	newQueue := func() queue {
		d := newDeque()
		return queue{
			push:   func(item *int) any { d.Push(item); return nil },
			pop:    d.Pop,
			steal:  d.Steal,
			length: d.Len,
			once:   "D1", order: "D2", linear: "D3", size: "D7",
		}
	}
	var all []Scenario
	for _, s := range dequeScripts {
		all = append(all, s.scenario(newQueue))
	}
	return all
}

// Some have the names of their like in the tests of saturn's Ws_deque (OCaml)
// and tokio's queues (Rust).
var dequeScripts = []script{
	// name, rule, kind, before, threads
	{"last_element", "D4", items, "+", "- s"},
	{"last_element_two_thieves", "D4", items, "+", "- s s"},
	{"last_of_two", "D4", items, "++", "-- s s"},
	{"popper_stealer", "D1", items, "+++", "--- ss"},
	{"owner_stealer", "D1", items, "", "+-++-- ss"},
	{"owner_2_stealers", "D1", items, "", "++-+- s s"},
	{"multi_stealer", "D1", items, "+++", "+- ss ss"},
	// bottom is below top when the owner pushes next.
	{"pushes_after_losing", "D1", items, "++", "--++ ss"},
	{"slot_is_used_again", "D1", items, "++", "++- ss"},
	{"same_item_again", "D1", same, "++", "++- ss"},
	{"steal_overflow", "D5", items, "", "+++- ss"},
	// crossbeam#726: the index that the thief aims at was never in the array
	// that it holds.
	{"array_replaced_under_a_thief", "D5", items, "++", "+---+- s"},
	{"growth_two_thieves", "D5", items, "+", "+++-- s s"},
	{"growth_twice", "D5", items, "++", "+++- ss"},
	{"length", "D7", items, "++", "--+ l s"},
	{"length_of_some", "D3", history, "+", "+- s l"},
	{"linearizable", "D3", history, "", "+-+- ss"},
	{"linearizable_two_thieves", "D3", history, "+", "+-- s s"},
	{"linearizable_growth", "D3", history, "++", "+-- ss"},
	// Whatever the owner does.
	{"any_owner", "D1", items, "", "?????? sss"},
	{"any_owner_two_thieves", "D1", items, "", "???? s s"},
	{"linearizable_any_owner", "D3", history, "", "???? sl"},
}
