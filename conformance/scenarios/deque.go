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
	{name: "last_element", rule: "D4", bound: Complete,
		before: "+", threads: []string{"-", "s"}},
	{name: "last_element_two_thieves", rule: "D4", bound: Complete,
		before: "+", threads: []string{"-", "s", "s"}},
	{name: "last_of_two", rule: "D4", bound: Complete,
		before: "++", threads: []string{"--", "s", "s"}},
	{name: "popper_stealer", rule: "D1", bound: Complete,
		before: "+++", threads: []string{"---", "ss"}},
	{name: "owner_stealer", rule: "D1", bound: Complete,
		threads: []string{"+-++--", "ss"}},
	{name: "owner_2_stealers", rule: "D1", bound: Complete,
		threads: []string{"++-+-", "s", "s"}},
	{name: "multi_stealer", rule: "D1", bound: Complete,
		before: "+++", threads: []string{"+-", "ss", "ss"}},
	// bottom is below top when the owner pushes next.
	{name: "pushes_after_losing", rule: "D1", bound: Complete,
		before: "++", threads: []string{"--++", "ss"}},
	{name: "slot_is_used_again", rule: "D1", bound: Complete,
		before: "++", threads: []string{"++-", "ss"}},
	{name: "same_item_again", rule: "D1", bound: Complete, same: true,
		before: "++", threads: []string{"++-", "ss"}},
	{name: "steal_overflow", rule: "D5", bound: Complete,
		threads: []string{"+++-", "ss"}},
	// crossbeam#726: the index that the thief aims at was never in the array
	// that it holds.
	{name: "array_replaced_under_a_thief", rule: "D5", bound: Complete,
		before: "++", threads: []string{"+---+-", "s"}},
	{name: "growth_two_thieves", rule: "D5", bound: Complete,
		before: "+", threads: []string{"+++--", "s", "s"}},
	{name: "growth_twice", rule: "D5", bound: Complete,
		before: "++", threads: []string{"+++-", "ss"}},
	{name: "length", rule: "D7", bound: Complete,
		before: "++", threads: []string{"--+", "l", "s"}},
	{name: "length_of_some", rule: "D3", bound: Complete, history: true,
		before: "+", threads: []string{"+-", "s", "l"}},
	{name: "linearizable", rule: "D3", bound: Complete, history: true,
		threads: []string{"+-+-", "ss"}},
	{name: "linearizable_two_thieves", rule: "D3", bound: 2, deep: Complete, history: true,
		before: "+", threads: []string{"+--", "s", "s"}},
	{name: "linearizable_growth", rule: "D3", bound: Complete, history: true,
		before: "++", threads: []string{"+--", "ss"}},
	// Whatever the owner does.
	{name: "any_owner", rule: "D1", bound: 2, deep: Complete,
		threads: []string{"??????", "sss"}},
	{name: "any_owner_two_thieves", rule: "D1", bound: Complete,
		threads: []string{"????", "s", "s"}},
	{name: "linearizable_any_owner", rule: "D3", bound: 2, deep: Complete, history: true,
		threads: []string{"????", "sl"}},
}
