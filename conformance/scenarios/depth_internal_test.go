package scenarios

import "testing"

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
