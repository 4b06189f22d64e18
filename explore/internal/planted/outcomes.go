package planted

import (
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

func run(f func()) explore.Report {
	return explore.Explore(func(*explore.Exec) { f() }, explore.Unbounded(), explore.MaxThreads(16), explore.Rounds(2))
}

// Passes fails t if f fails in some execution, or if there is but one.
func Passes(t *testing.T, f func()) {
	t.Helper()
	if r := run(f); r.Failure != nil || r.Schedules < 2 {
		t.Errorf("%d executions: %v", r.Schedules, r)
	}
}

// Race fails t unless f has a data race of which two lines of the caller's file are shown, and
// returns them.
func Race(t *testing.T, f func()) (at [2]int) {
	t.Helper()
	r := run(f)
	if r.Failure == nil || r.Failure.Kind != explore.Raced {
		t.Fatalf("no data race in %d executions: %v", r.Schedules, r)
	}
	_, file, _, _ := runtime.Caller(1)
	places := regexp.MustCompile(` at (?:\S*/)?`+filepath.Base(file)+`:(\d+)`).FindAllStringSubmatch(r.Failure.Message, -1)
	if len(places) != len(at) {
		t.Fatalf("not both places are of %s: %v", file, r)
	}
	for i, p := range places {
		at[i], _ = strconv.Atoi(p[1])
	}
	return at
}

// Line returns the number of the first line with the text, or 0.
func Line(lines []string, text string) int {
	return 1 + slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, text) })
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
