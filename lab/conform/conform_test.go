package conform

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// module writes a module with one test file, and returns its directory.
func module(t *testing.T, test string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m_test.go": "package m\n\n" + test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runStep(t *testing.T, test string) (*Report, error) {
	t.Helper()
	s := Step{Name: "a step", Package: ".", Env: []string{"GOWORK=off"}}
	ended := 0
	tests, err := s.Run(t.Context(), module(t, test), func(*Test) { ended++ })
	r := new(Report)
	if err != nil {
		return r, err
	}
	if ended != len(tests) {
		t.Errorf("%d tests have ended, of %d", ended, len(tests))
	}
	return r, r.Add(tests)
}

func TestReport(t *testing.T) {
	r, err := runStep(t, `
import "testing"

func check(t *testing.T, name, rule string, ok bool) {
	t.Run(name, func(t *testing.T) {
		t.Attr("rule", rule)
		if !ok {
			t.Error("it is broken")
		}
	})
}

func TestPool(t *testing.T) {
	check(t, "deque=a/sleep=b/workers=2/Fib", "P1", true)
	check(t, "deque=a/sleep=b/workers=2/Sort", "P1", false)
	check(t, "deque=a/sleep=b/Deep", "P12", true)
	check(t, "deque=a/sleep=c/Blocked", "P5", true)
}

func TestScenario(t *testing.T) {
	t.Run("x/y", func(t *testing.T) {
		t.Attr("explored", "{\"bound\":2,\"schedules\":10,\"sizes\":[1,3,6],\"steps\":100,\"seconds\":0.5,\"rule\":\"S1\"}")
	})
}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Matrix{{
		Rules: []string{"P1", "P5", "P12"},
		Rows: []Row{
			{"Pool deque=a sleep=b", []Cell{{2, 1}, {}, {1, 0}}},
			{"Pool deque=a sleep=c", []Cell{{}, {1, 0}, {}}},
		},
	}}
	if got := r.Matrices(); !reflect.DeepEqual(got, want) {
		t.Errorf("the matrices are %v, want %v", got, want)
	}
	if want := []Scenario{{Test: "x/y", Rule: "S1", Bound: 2, Schedules: 10, Sizes: []int{1, 3, 6}, Steps: 100, Seconds: 0.5, Passed: true}}; !reflect.DeepEqual(r.Scenarios, want) {
		t.Errorf("the scenarios are %v, want %v", r.Scenarios, want)
	}
	if want := map[string][]int{"TestScenario/x/y": {1, 3, 6}}; !reflect.DeepEqual(r.Sizes(), want) {
		t.Errorf("the sizes are %v, want %v", r.Sizes(), want)
	}
	var failed []string
	for _, f := range r.Failed {
		failed = append(failed, f.Test)
	}
	if want := []string{"TestPool/deque=a/sleep=b/workers=2/Sort"}; !reflect.DeepEqual(failed, want) {
		t.Errorf("failed are %v, want %v", failed, want)
	}
	if !strings.Contains(r.Failed[0].Output, "it is broken") {
		t.Errorf("the output of the failed test is %q", r.Failed[0].Output)
	}
	if r.OK() {
		t.Error("all is said to be well")
	}
}

// A survivor is no success, even if its test has passed.
func TestSurvivor(t *testing.T) {
	r := Report{Mutants: []Mutant{{Name: "lives", By: "suite"}}}
	if r.OK() {
		t.Error("all is said to be well")
	}
}

// What cannot be tested at all is an error, not an empty table.
func TestNoTests(t *testing.T) {
	for what, test := range map[string]string{
		"does not compile": "func f() { return 1 }",
		"is empty":         "",
		"exits":            "import (\"os\"; \"testing\")\nfunc TestMain(*testing.M) { os.Exit(3) }",
	} {
		if _, err := runStep(t, test); err == nil {
			t.Errorf("a package that %s gives no error", what)
		}
	}
}

// What does not compile is said before anything runs, of each package with each set of tags.
func TestBuild(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := module(t, "func f() {}")
	group := []Step{{Name: "one", Package: "."}, {Name: "another", Package: ".", Tags: "other"}}
	if err := Build(t.Context(), dir, group); err != nil {
		t.Error(err)
	}
	broken := "//go:build other\n\npackage m\n\nvar x int = \"\"\n"
	if err := os.WriteFile(filepath.Join(dir, "other_test.go"), []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), dir, group); err == nil || !strings.HasPrefix(err.Error(), "another: ") {
		t.Errorf("a step that does not compile: the error is %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Step{Name: "a step", Package: "."}.Run(ctx, t.TempDir(), func(*Test) {})
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}
