// Package planted is for tests with a fault that must be found.
package planted

import (
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/drive"
)

// Fault fails t unless explore.Test fails for f.
func Fault(t *testing.T, f func(t *testing.T), opts ...explore.Option) {
	t.Helper()
	if !drive.IsRewritten() {
		explore.Test(t, f, opts...) // which skips
	}
	// A test of nothing: it takes the failure.
	found := new(testing.T)
	explore.Test(found, f, opts...)
	if !found.Failed() {
		t.Error("the fault is not found")
	}
}
