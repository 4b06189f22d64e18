package planted

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func run(f func()) explore.Report {
	return explore.Explore(func(*explore.Exec) { f() }, explore.Unbounded(), explore.MaxThreads(16))
}

// Passes fails t if f fails in some execution, or if there is but one.
func Passes(t *testing.T, f func()) {
	t.Helper()
	if r := run(f); r.Failure != nil || r.Schedules < 2 {
		t.Errorf("%d executions: %v", r.Schedules, r)
	}
}

// Fails fails t unless f fails in some execution, with the text.
func Fails(t *testing.T, text string, f func()) {
	t.Helper()
	r := run(f)
	if r.Failure == nil {
		t.Errorf("%d executions pass, want %q", r.Schedules, text)
	} else if s := r.String(); !strings.Contains(s, text) {
		t.Errorf("it fails without %q: %s", text, s)
	}
}

// Outcomes fails t unless f returns all that is wanted, in some execution, and nothing else.
func Outcomes(t *testing.T, f func() string, want ...string) {
	t.Helper()
	seen := make(map[string]bool)
	r := run(func() { seen[f()] = true })
	if r.Failure != nil {
		t.Errorf("it fails: %v", r)
		return
	}
	slices.Sort(want)
	if all := slices.Sorted(maps.Keys(seen)); !slices.Equal(all, want) {
		t.Errorf("%q in %d executions, want %q", all, r.Schedules, want)
	}
}
