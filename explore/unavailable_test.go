//go:build !explore

package explore_test

import (
	"testing"

	"github.com/rouse-go/rouse/explore"
)

// Without the tag nothing can be explored, and whoever asks is told what to do.
func TestUnavailable(t *testing.T) {
	ran := false
	scenario := func(*explore.Exec) { ran = true }
	f := explore.Explore(scenario).Failure
	if f == nil || f.Kind != explore.Unavailable || !contains(f.Message, "-tags explore") {
		t.Errorf("Explore: %v", f)
	}
	skipped := t.Run("skips", func(t *testing.T) { explore.Check(t, scenario); ran = true })
	if !skipped || ran {
		t.Error("Check did not skip the test")
	}
}
