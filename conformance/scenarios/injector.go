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

// Injector returns scenarios of pushers and takers. An injector that consists of
// blocks should have small ones.
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
	long := script{"linearizable_two_pushers", "I3", history, "", "+ ++ ss"}.scenario(newQueue)
	long.Bound, long.Deep, long.Why = 2, Complete, "as many as 2000000 orders; complete at full depth"
	return append(all, long)
}

var injectorScripts = []script{
	// name, rule, kind, before, threads
	{"two_pushers", "I1", items, "", "++ ++"},
	{"three_pushers", "I1", items, "", "+ + +"},
	{"two_takers", "I1", items, "+++", "ss ss"},
	{"pusher_taker", "I1", items, "", "+++ sss"},
	// A taker must not wait for it, nor lose its item.
	{"late_pusher", "I1", items, "", "+ + ss"},
	{"two_pushers_two_takers", "I1", items, "", "++ + s s"},
	{"next_block", "I2", items, "+", "++ ++ s"},
	// Each pushes what it may have made room for.
	{"chained_steal", "I1", items, "+", "s+ s+ s"},
	{"same_item_again", "I6", same, "+", "s+ s+ s"},
	{"empty", "I4", history, "", "+ + e"},
	{"empty_while_taken", "I4", history, "+", "+ ss e"},
	{"empty_but_for_a_late_pusher", "I4", history, "", "+ ese"},
	{"was_empty", "I3", history, "+", "+ + s"},
	{"linearizable", "I3", history, "", "++ s s"},
	{"linearizable_late_pusher", "I3", history, "", "+ + s"},
}
