package scenarios

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
)

func TestParseDepth(t *testing.T) {
	for in, want := range map[string]struct{ of1And3, ofComplete int }{
		"":      {1, Complete},
		"quick": {1, Complete},
		"full":  {3, Complete},
		"0":     {0, 0},
		"2":     {2, 2},
	} {
		d, err := parseDepth(in)
		if got := d.of(1, 3); err != nil || got != want.of1And3 {
			t.Errorf("%q: bound %d, %v, want %d", in, got, err, want.of1And3)
		}
		if got := d.of(Complete, 0); got != want.ofComplete {
			t.Errorf("%q: bound %d, want %d", in, got, want.ofComplete)
		}
	}
	for _, in := range []string{"-1", "deep"} {
		if _, err := parseDepth(in); err == nil {
			t.Errorf("%q is taken for a depth", in)
		}
	}
}

// Scenarios of parts are complete, at full depth at the latest; those of several workers that
// sleep need not be, and say why.
func TestCompleteOrWhy(t *testing.T) {
	all := slices.Concat(Counters(nil, 1), Latch(nil, func(api.Latch) {}, 1), Deque(nil), Injector(nil))
	several := make(map[string]bool)
	for _, c := range slices.Concat(sleepCases, seatCases) {
		all = append(all, c.scenario(nil))
		several[c.name] = c.workers > 1
	}
	for _, s := range all {
		if complete := s.Bound == Complete; complete != (s.Why == "") || !complete && s.Deep != Complete && !several[s.Name] {
			t.Errorf("%s: complete is %t, and the reason why not is %q", s.Name, complete, s.Why)
		}
	}
}

// Before any execution, nothing that a scenario is about has been reached.
func TestUnreached(t *testing.T) {
	if all := (script{before: "+", threads: "- s e"}).scenario(nil).unreached(); len(all) != 2 {
		t.Errorf("of an owner, a thief and one that asks whether it is empty, these have yet to take an item: %q", all)
	}
	for _, c := range seatCases {
		if all := c.scenario(nil).unreached(); (len(all) == 0) != (c.name == "seat/not_while_it_looks") {
			t.Errorf("%s has yet to reach %q", c.name, all)
		}
	}
}
