package covers

import (
	"slices"
	"testing"
)

// What the repository has promised to have a test for.
var promised = []string{
	"rayon#992", "rayon#945", "rayon#739", "rayon#740", "rayon#768", "rayon#913", "rayon#929", "rayon#797", "rayon#449",
	"rayon#592", "rayon#1174", "rayon#1205", "rayon#1251", "rayon#957",
	"tokio#4730", "tokio#6847", "tokio#8057",
	"crossbeam#726", "JDK-8330017", "domainslib#29",
	"Go#45867", "Go#67087",
	"pond#135", "pond#61", "pond#108", "pond#56",
	"ants#212", "ants#263", "ants#287", "ants#197",
	"workerpool#76",

	"rayon join::panic_b_still_executes", "rayon scope::panic_propagate_nested_scope_spawn",
	"rayon scope::linear_stack_growth", "rayon spawn::termination_while_things_are_executing",
	"rayon thread_pool::sleeper_stop", "rayon thread_pool::mutual_install_sleepy",
	"rayon thread_pool::in_place_scope_no_deadlock", "rayon cross_pool_busy",
	"tokio racy_shutdown", "tokio pool_multi_notify", "tokio shutdown_with_notification",
	"tokio queue::steal_overflow", "tokio queue::multi_stealer", "tokio queue::chained_steal",
	"saturn owner_stealer", "saturn popper_stealer", "saturn owner_2_stealers",
	"Go TestStealOrder",
}

func TestTables(t *testing.T) {
	var have []string
	for _, c := range slices.Concat(Regressions, Scenarios) {
		switch {
		case c.Source == "" || c.About == "" && c.Reason == "":
			t.Errorf("%+v does not say what it is", c)
		case slices.Contains(have, c.Source):
			t.Errorf("%s is there twice", c.Source)
		case (len(c.By) > 0) == (c.Reason != ""):
			t.Errorf("%s needs either tests or a reason", c.Source)
		}
		have = append(have, c.Source)
		for i, by := range c.By {
			if _, test, ok := Split(by); !ok || test == "" {
				t.Errorf("%s: %q is not the name of a test with that of its package", c.Source, by)
			}
			if slices.Contains(c.By[:i], by) {
				t.Errorf("%s: %s is named twice", c.Source, by)
			}
		}
	}
	for _, source := range promised {
		i := slices.Index(have, source)
		if i < 0 {
			t.Errorf("%s is missing", source)
		} else if i < len(Regressions) && len(Regressions[i].By) == 0 {
			t.Errorf("%s has no test", source)
		}
	}
}

func TestSplit(t *testing.T) {
	path, test, ok := Split("scenarios.TestSleep/sleep=jec,bits=1/injected")
	if path != "github.com/rouse-go/rouse/conformance/scenarios" || test != "TestSleep/sleep=jec,bits=1/injected" || !ok {
		t.Errorf("a scenario's name is split into %q, %q, %t", path, test, ok)
	}
	if _, _, ok := Split("par.TestOnce"); ok {
		t.Error("a package that conform does not run is taken for one that it does")
	}
}
