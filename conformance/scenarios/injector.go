package scenarios

import (
	"testing"

	"github.com/rouse-go/rouse/api"
)

// TestInjector runs the scenarios of [Injector].
func TestInjector(t *testing.T, newInjector func() api.Injector[int]) {
	t.Helper()
	Run(t, Injector(newInjector))
}

// Injector returns scenarios of pushers and takers. One that consists of blocks
// should have small ones.
func Injector(newInjector func() api.Injector[int]) []Scenario {
	newQueue := func() queue {
		q := newInjector()
		return queue{
			push:  func(item *int) any { return q.Push(item) },
			steal: q.Steal,
			empty: q.Empty,
			once:  "I1", order: "I2", linear: "I3", size: "I3",
		}
	}
	var all []Scenario
	for _, s := range injectorScripts {
		all = append(all, s.scenario(newQueue))
	}
	return all
}

var injectorScripts = []script{
	{name: "two_pushers", rule: "I1", bound: Complete,
		threads: []string{"++", "++"}},
	{name: "three_pushers", rule: "I1", bound: Complete,
		threads: []string{"+", "+", "+"}},
	{name: "two_takers", rule: "I1", bound: Complete,
		before: "+++", threads: []string{"ss", "ss"}},
	{name: "pusher_taker", rule: "I1", bound: Complete,
		threads: []string{"+++", "sss"}},
	// A taker must not wait for it, nor lose what it brings.
	{name: "late_pusher", rule: "I1", bound: Complete,
		threads: []string{"+", "+", "ss"}},
	{name: "two_pushers_two_takers", rule: "I1", bound: 2, deep: 3,
		threads: []string{"++", "+", "ss", "s"}},
	{name: "next_block", rule: "I2", bound: 2, deep: Complete,
		before: "+", threads: []string{"++", "++", "s"}},
	// Each pushes what it may have made room for.
	{name: "chained_steal", rule: "I1", bound: Complete,
		before: "+", threads: []string{"s+", "s+", "s"}},
	{name: "same_item_again", rule: "I6", bound: Complete, same: true,
		before: "+", threads: []string{"s+", "s+", "s"}},
	{name: "empty", rule: "I4", bound: Complete, history: true,
		threads: []string{"+", "+", "e"}},
	{name: "empty_while_taken", rule: "I4", bound: Complete, history: true,
		before: "+", threads: []string{"+", "ss", "e"}},
	{name: "empty_but_for_a_late_pusher", rule: "I4", bound: Complete, history: true,
		threads: []string{"+", "ese"}},
	{name: "was_empty", rule: "I3", bound: Complete, history: true,
		before: "+", threads: []string{"+", "+", "s"}},
	{name: "linearizable", rule: "I3", bound: Complete, history: true,
		threads: []string{"++", "s", "s"}},
	{name: "linearizable_late_pusher", rule: "I3", bound: Complete, history: true,
		threads: []string{"+", "+", "s"}},
	{name: "linearizable_two_pushers", rule: "I3", bound: 2, deep: 3, history: true,
		threads: []string{"+", "++", "ss"}},
}
