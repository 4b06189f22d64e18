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
	// name, rule, bound, deep, kind, before, threads
	{"two_pushers", "I1", Complete, 0, items, "", "++ ++"},
	{"three_pushers", "I1", Complete, 0, items, "", "+ + +"},
	{"two_takers", "I1", Complete, 0, items, "+++", "ss ss"},
	{"pusher_taker", "I1", Complete, 0, items, "", "+++ sss"},
	// A taker must not wait for it, nor lose its item.
	{"late_pusher", "I1", Complete, 0, items, "", "+ + ss"},
	{"two_pushers_two_takers", "I1", 2, 3, items, "", "++ + ss s"},
	{"next_block", "I2", 2, Complete, items, "+", "++ ++ s"},
	// Each pushes what it may have made room for.
	{"chained_steal", "I1", Complete, 0, items, "+", "s+ s+ s"},
	{"same_item_again", "I6", Complete, 0, same, "+", "s+ s+ s"},
	{"empty", "I4", Complete, 0, history, "", "+ + e"},
	{"empty_while_taken", "I4", Complete, 0, history, "+", "+ ss e"},
	{"empty_but_for_a_late_pusher", "I4", Complete, 0, history, "", "+ ese"},
	{"was_empty", "I3", Complete, 0, history, "+", "+ + s"},
	{"linearizable", "I3", Complete, 0, history, "", "++ s s"},
	{"linearizable_late_pusher", "I3", Complete, 0, history, "", "+ + s"},
	{"linearizable_two_pushers", "I3", 2, 3, history, "", "+ ++ ss"},
}

// Batches have two places. One takes two items if there are three inside.
var batchScripts = []script{
	{"two_batches", "I1", Complete, 0, items, "+++", "b bb"},
	{"batch_and_taker", "I1", Complete, 0, items, "+++", "b ss"},
	{"pusher_batch", "I1", Complete, 0, items, "", "+++ bb"},
	// The batch goes on behind a slot that has no item yet.
	{"batch_late_pusher", "I1", Complete, 0, items, "", "+ +++ b"},
	{"batch_late_pusher_and_taker", "I1", 2, Complete, items, "+", "+ ++ b s"},
	// Each pushes what it may have made room for.
	{"batch_next_block", "I2", 2, Complete, items, "++", "b++ b+ b"},
	{"batch_same_item_again", "I6", Complete, 0, same, "+++", "b+ b"},
	{"batch_empty", "I4", Complete, 0, history, "++", "bb e"},
	{"batch_empty_while_pushed", "I4", Complete, 0, history, "+", "+ b e"},
	{"batch_was_empty", "I3", Complete, 0, history, "++", "+ bb"},
	{"linearizable_batch", "I3", Complete, 0, history, "++", "++ b s"},
	{"linearizable_two_batches", "I3", Complete, 0, history, "++", "+ b b"},
	// A batch takes half of the items inside. The item of a late pusher is none
	// of them, unless it can be said to be inside already.
	{"batch_half", "I3", Complete, 0, history, "++", "+ b+ss"},
}
