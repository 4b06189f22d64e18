package covers

import (
	"slices"
	"testing"
)

// Each entry says what it is, once, and names tests or a reason; a bug has tests.
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
	for _, c := range Regressions {
		if len(c.By) == 0 {
			t.Errorf("%s has no test", c.Source)
		}
	}
}

func TestSplit(t *testing.T) {
	path, test, ok := Split("conformance/scenarios.TestSleep/sleep=jec,bits=1/injected")
	if path != "github.com/rouse-go/rouse/conformance/scenarios" || test != "TestSleep/sleep=jec,bits=1/injected" || !ok {
		t.Errorf("a scenario's name is split into %q, %q, %t", path, test, ok)
	}
	if _, _, ok := Split("par.TestOnce"); ok {
		t.Error("a package that conform does not run is taken for one that it does")
	}
}
