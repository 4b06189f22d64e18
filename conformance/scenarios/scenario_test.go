package scenarios

import "testing"

func TestParseDepth(t *testing.T) {
	s := Scenario{Bound: 1, Deep: 3}
	for in, bound := range map[string]int{"": 1, "quick": 1, "full": 3, "0": 0, "2": 2} {
		d, err := parseDepth(in)
		if err != nil || d.boundOf(s) != bound {
			t.Errorf("%q: bound %d, %v, want %d", in, d.boundOf(s), err, bound)
		}
	}
	s.Bound = Complete
	for in, bound := range map[string]int{"": Complete, "full": Complete, "2": 2} {
		if d, _ := parseDepth(in); d.boundOf(s) != bound {
			t.Errorf("%q: bound %d, want %d", in, d.boundOf(s), bound)
		}
	}
	for _, in := range []string{"-1", "deep"} {
		if _, err := parseDepth(in); err == nil {
			t.Errorf("%q is taken for a depth", in)
		}
	}
}
