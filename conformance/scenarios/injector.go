package scenarios

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// TestInjector runs the scenarios of [Injector].
func TestInjector(t *testing.T, newInjector func() api.Injector[int]) {
	t.Helper()
	Run(t, Injector(newInjector))
}

// Injector returns scenarios of pushers and takers. An injector that consists of
// blocks should have small ones. Explore it with blocks of three items too, if a
// batch ends with its block: a batch has two items only if three are inside.
func Injector(newInjector func() api.Injector[int]) []Scenario {
	newQueue := func() queue {
		q := newInjector()
		return queue{
			push:  func(item *int) any { return q.Push(item) },
			steal: q.Steal,
			batch: q.StealBatch,
			empty: q.Empty,
			once:  "I1", order: "I2", linear: "I3", size: "I3",
		}
	}
	var all []Scenario
	for _, s := range slices.Concat(injectorScripts, batchScripts) {
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

// Batches have two places. One takes two items if there are three inside.
var batchScripts = []script{
	{name: "two_batches", rule: "I1", bound: Complete,
		before: "+++", threads: []string{"b", "bb"}},
	{name: "batch_and_taker", rule: "I1", bound: Complete,
		before: "+++", threads: []string{"b", "ss"}},
	{name: "pusher_batch", rule: "I1", bound: Complete,
		threads: []string{"+++", "bb"}},
	// The batch goes on behind a slot that has no item yet.
	{name: "batch_late_pusher", rule: "I1", bound: 2, deep: 3,
		threads: []string{"+", "+++", "b"}},
	{name: "batch_late_pusher_and_taker", rule: "I1", bound: 2, deep: 3,
		before: "+", threads: []string{"+", "++", "b", "s"}},
	// Each pushes what it may have made room for.
	{name: "batch_next_block", rule: "I2", bound: 2, deep: 3,
		before: "++", threads: []string{"b++", "b+", "b"}},
	{name: "batch_same_item_again", rule: "I6", bound: Complete, same: true,
		before: "+++", threads: []string{"b+", "b"}},
	{name: "batch_empty", rule: "I4", bound: Complete, history: true,
		before: "++", threads: []string{"bb", "e"}},
	{name: "batch_empty_while_pushed", rule: "I4", bound: 2, deep: 3, history: true,
		before: "+", threads: []string{"+", "b", "e"}},
	{name: "batch_was_empty", rule: "I3", bound: 2, deep: 3, history: true,
		before: "++", threads: []string{"+", "bb"}},
	{name: "linearizable_batch", rule: "I3", bound: 2, deep: 3, history: true,
		before: "++", threads: []string{"++", "b", "s"}},
	{name: "linearizable_two_batches", rule: "I3", bound: 2, deep: 3, history: true,
		before: "++", threads: []string{"+", "b", "b"}},
	// What a late pusher brings is none of what a batch takes half of, unless it
	// can be said to be inside already.
	{name: "batch_half", rule: "I3", bound: 2, deep: 3, history: true,
		before: "++", threads: []string{"+", "b+ss"}},
}
