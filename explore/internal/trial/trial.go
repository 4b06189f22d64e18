// Package trial stands for package explore in tests of the rewriter.
package trial

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/internal/simple"
)

// Result is that of package simple.
type Result = simple.Result

// Explore runs f in all schedules, until one fails.
func Explore(t *testing.T, f func(t *testing.T)) Result {
	t.Helper()
	if !drive.IsRewritten() {
		t.Skip("not rewritten: go run github.com/rouse-go/rouse/explore/cmd/explore test")
	}
	if name := os.Getenv("EXPLORE_RAN"); name != "" {
		if err := os.WriteFile(name, []byte(t.Name()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bound, err := strconv.Atoi(os.Getenv("EXPLORE_BOUND"))
	if err != nil {
		bound = 2
	}
	return simple.Explore(bound, func() {
		inner := new(testing.T)
		defer func() {
			if inner.Failed() {
				drive.Fail("the test failed")
			}
		}()
		f(inner)
	})
}

// Test fails if an execution does.
func Test(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	if r := Explore(t, f); r.Failure != "" {
		t.Errorf("execution %d: %s\n%s", r.Executions, r.Failure, strings.Join(r.Trace, "\n"))
	} else {
		t.Logf("%d executions", r.Executions)
	}
}

// Fails fails unless an execution does, with the text.
func Fails(t *testing.T, text string, f func(t *testing.T)) {
	t.Helper()
	r := Explore(t, f)
	if !strings.Contains(r.Failure, text) || r.Failure == "" {
		t.Errorf("%d executions, failure %q, want %q", r.Executions, r.Failure, text)
	} else {
		t.Logf("found in %d executions", r.Executions)
	}
}
