package conform

import (
	"context"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/covers"
	"github.com/rouse-go/rouse/lab/internal/planted"
	"github.com/rouse-go/rouse/lab/modules"
	"github.com/rouse-go/rouse/lab/mutants"
)

// module writes a module with one test file, and returns its directory.
func module(t *testing.T, test string) string {
	t.Helper()
	return planted.Tree(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m_test.go": "package m\n\n" + test})
}

func runStep(t *testing.T, test string) (*Report, error) {
	t.Helper()
	s := Step{Name: "a step", Package: "example.com/m", Env: []string{"GOWORK=off"}}
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
		t.Attr("explored", "{\"test\":\"TestScenario/x/y\",\"bound\":2,\"why\":\"no end\",\"schedules\":10,\"sizes\":[1,3,6],\"steps\":100,\"seconds\":0.5,\"rule\":\"S1\"}")
	})
}

func TestSleep(t *testing.T) {
	t.Run("a", func(t *testing.T) {
		t.Attr("explored", "{\"test\":\"TestSleep/a\",\"bound\":-1,\"exhausted\":true,\"orders\":4,\"schedules\":7,\"steps\":70,\"seconds\":0.1,\"rule\":\"S1\"}")
	})
	t.Run("b", func(t *testing.T) {
		t.Attr("explored", "{\"test\":\"TestSleep/b\",\"bound\":-1,\"exhausted\":true,\"orders\":9,\"schedules\":9,\"steps\":90,\"seconds\":0.1,\"rule\":\"S1\"}")
	})
	t.Run("up", func(t *testing.T) {
		t.Attr("explored", "{\"test\":\"TestSleep/up\",\"bound\":-1,\"exhausted\":true,\"up_to\":\"0 rounds\",\"orders\":5,\"schedules\":5,\"steps\":50,\"seconds\":0.1,\"rule\":\"S1\"}")
	})
	t.Run("c", func(t *testing.T) {
		t.Attr("explored", "{\"test\":\"TestSleep/c\",\"bound\":3,\"schedules\":5,\"sizes\":[5],\"steps\":50,\"seconds\":0.1,\"rule\":\"S1\"}")
	})
}
`)
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(` +`).ReplaceAllString(r.String(), " ")
	for _, want := range []string{
		"\nof P1 P5 P12\n", "\nPool deque=a sleep=b 2, 1 FAILED - 1\n", "\nPool deque=a sleep=c - 1 -\n",
		"\nx/y S1 ok bounded to 2: no end - 10 100 0.5 0\n", "\na S1 ok complete 4 7 70 0.1 0\n", "FAILED TestPool/deque=a/sleep=b/workers=2/Sort\n", "it is broken",
		"FAILED TestSleep/c\nit is neither complete, nor does it say why it has a bound\n",
		"| sleep backends | 2 | complete, in up to 9 orders each |\n| sleep backends | 1 | complete up to 0 rounds, in up to 5 orders each |\n",
		"| the pool | 1 | bounded to 2: no end |\n",
		"\n4 checks, 5 scenarios, 0 mutants: 2 failed, 0 mutants survive.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	table := r.Complete()
	for text, want := range map[string]int{"before\n" + table + "\nbehind": 2, "another": 3} {
		if r.Compare("README.md", text); len(r.failed) != want {
			t.Errorf("compared with %q there are %d failures, want %d", text, len(r.failed), want)
		}
		r.failed = r.failed[:2]
	}
	if want := map[string][]int{"TestScenario/x/y": {1, 3, 6}, "TestSleep/a": nil, "TestSleep/b": nil, "TestSleep/up": nil, "TestSleep/c": {5}}; !reflect.DeepEqual(r.Sizes(), want) {
		t.Errorf("the sizes are %v, want %v", r.Sizes(), want)
	}
}

// An entry whose test did not pass is no success, even if nothing has failed, and neither is a
// survivor.
func TestOK(t *testing.T) {
	var r Report
	var all []*Test
	for _, c := range slices.Concat(covers.Regressions, covers.Scenarios) {
		for _, by := range c.By {
			path, test, _ := covers.Split(by)
			all = append(all, &Test{Package: path, Name: test, Result: "pass"})
		}
	}
	if err := r.Add(all); err != nil || !r.OK() {
		t.Errorf("all has passed: %t, error %v", r.OK(), err)
	}
	for _, result := range []string{"skip", "fail", ""} {
		less := Report{results: maps.Clone(r.results)}
		less.results[key(all[0].Package, all[0].Name)] = result
		if less.OK() {
			t.Errorf("%s has the result %q, and all is said to be well", all[0].Name, result)
		}
	}
	r.Judged(mutants.Verdict{})
	if r.OK() {
		t.Error("a mutant survives, and all is said to be well")
	}
}

// A test that did not run must not look like one that has passed.
func TestCovered(t *testing.T) {
	r := Report{results: map[string]string{"github.com/rouse-go/rouse/conformance TestPool/a": "skip"}}
	for want, c := range map[string]covers.Cover{
		"conformance.TestPool/a: SKIP\nlab/scenarios.TestPool/b DID NOT RUN": {By: []string{"conformance.TestPool/a", "lab/scenarios.TestPool/b"}},
		"(no such thing here)": {Reason: "no such thing here"},
	} {
		if got, ok := r.covered(c); got != want || ok != (c.Reason != "") {
			t.Errorf("got %q, %t, want %q", got, ok, want)
		}
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
	planted.Into(t, dir, map[string]string{"other_test.go": "//go:build other\n\npackage m\n\nvar x int = \"\"\n"})
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

// A record that says nothing about a step is an error, not a success.
func TestRecordLacks(t *testing.T) {
	const pkg = "example.com/m"
	line := func(action, test string) string {
		return `{"Action":"` + action + `","Package":"` + pkg + `","Test":"` + test + "\"}\n"
	}
	whole := line("start", "") + line("run", "TestPool") + line("pass", "TestPool") + line("pass", "")
	short := strings.Replace(whole, line("pass", "TestPool"), `{"Action":"attr","Package":"`+pkg+`","Test":"TestPool","Key":"short","Value":"true"}`+"\n"+line("pass", "TestPool"), 1)
	for _, test := range []struct{ text, says string }{
		{whole, ""},
		{short, "-short"},
		{strings.ReplaceAll(whole, pkg, "example.com/n"), "has no test of " + pkg},
		{strings.TrimSuffix(whole, line("pass", "")), "is cut off: the tests of " + pkg + " have not ended"},
		{whole[:len(whole)-5], "unexpected EOF"},
		{line("start", "") + line("skip", ""), "no test of " + pkg + " has run"},
		{line("start", "") + line("fail", ""), "has failed, and no test of it"},
		{"ok  	example.com/m	0.2s\n", "the output of go test -json"},
	} {
		r, err := ReadRecord(filepath.Join(planted.Tree(t, map[string]string{"events.jsonl": test.text}), "events.jsonl"))
		if err == nil {
			_, err = r.Tests(Step{Name: "a step", Package: pkg})
		}
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s\ngives the error %v, want one with %q", test.text, err, test.says)
		}
	}
}

// What one half of the scenarios leaves out, the other one runs.
func TestHalves(t *testing.T) {
	var args []string
	for _, group := range Steps(false) {
		for _, s := range group {
			if s.Plain != (len(s.Env) == 0) {
				t.Errorf("%+v runs as go test does, or not", s)
			}
			if s.Package == modules.Prefix+"lab/scenarios" {
				args = append(args, s.Args[len(s.Args)-1])
			}
		}
	}
	if want := []string{"-run=" + half, "-skip=" + half}; !reflect.DeepEqual(args, want) {
		t.Errorf("the scenarios are run with %v, want %v", args, want)
	}
}
