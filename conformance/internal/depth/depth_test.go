package depth_test

import (
	"testing"

	"github.com/rouse-go/rouse/conformance/internal/depth"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]struct{ of1And3, ofComplete int }{
		"":      {1, depth.Complete},
		"quick": {1, depth.Complete},
		"full":  {3, depth.Complete},
		"0":     {0, 0},
		"2":     {2, 2},
	} {
		d, err := depth.Parse(in)
		if got := d.Of(1, 3); err != nil || got != want.of1And3 {
			t.Errorf("%q: bound %d, %v, want %d", in, got, err, want.of1And3)
		}
		if got := d.Of(depth.Complete, 0); got != want.ofComplete {
			t.Errorf("%q: bound %d, want %d", in, got, want.ofComplete)
		}
	}
	for _, in := range []string{"-1", "deep"} {
		if _, err := depth.Parse(in); err == nil {
			t.Errorf("%q is taken for a depth", in)
		}
	}
}
