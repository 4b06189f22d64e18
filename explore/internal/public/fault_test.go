package public

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

// fault fails t unless f fails in some execution, and the report has the text.
func fault(t *testing.T, text string, f func(x *explore.Exec), opts ...explore.Option) {
	t.Helper()
	explore.Test(t, func(*testing.T) {}) // skips if nothing was rewritten, and counts if it was
	r := explore.Explore(f, append(opts, explore.Unbounded())...)
	if r.Failure == nil || !strings.Contains(r.Failure.String(), text) {
		t.Errorf("fault: no execution says %q: %v", text, r)
		return
	}
	t.Log(r)
}
