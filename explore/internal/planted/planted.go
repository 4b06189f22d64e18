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

// Pair fails t unless explore.Test fails for f with bad, and passes for f with good.
func Pair[V any](t *testing.T, bad, good V, f func(t *testing.T, v V)) {
	t.Helper()
	with := func(v V) func(t *testing.T) { return func(t *testing.T) { f(t, v) } }
	Fault(t, with(bad))
	explore.Test(t, with(good))
}
