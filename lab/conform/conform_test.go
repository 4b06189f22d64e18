package conform

import (
	"fmt"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/lab/internal/planted"
	"github.com/rouse-go/rouse/lab/mutants"
)

const explored = `{"test":"TestSleep/all","bound":-1,"exhausted":true,"orders":4,"schedules":7,"steps":70,"seconds":0.1,"rule":"S1"}
{"test":"TestSleep/up","bound":-1,"exhausted":true,"up_to":"0 rounds","orders":5,"schedules":5,"rule":"S2"}
{"test":"TestSleep/some","bound":2,"why":"no end","schedules":10,"sizes":[1,3,6],"rule":"S1"}
`

// reporting is a test that has explored something, and then does more.
func reporting(results, more string) string {
	return fmt.Sprintf("import (\"os\"; \"testing\")\nfunc TestX(t *testing.T) {\nos.WriteFile(os.Getenv(\"ROUSE_REPORT\"), []byte(%q), 0o666)\n%s\n}", results, more)
}

// What cannot be explored, or is not explored as it must be, is an error and no success.
func TestExplore(t *testing.T) {
	for _, test := range []struct{ what, file, says string }{
		{"explores", reporting(explored, ""), ""},
		{"has a bound without a reason", reporting(strings.Replace(explored, `"why":"no end",`, "", 1), ""), "TestSleep/some: it is neither complete"},
		{"fails", reporting(explored, "t.Error(`it is broken`)"), "it is broken"},
		{"panics", reporting(explored, "panic(`it is broken`)"), "it is broken"},
		{"says no JSON", reporting("{"+explored, ""), "invalid character '{'"},
		{"explores nothing", "import \"testing\"\nfunc TestX(*testing.T) {}", "nothing was explored"},
		{"does not compile", "func f() { return 1 }", "too many return values"},
		{"exits", "import (\"os\"; \"testing\")\nfunc TestMain(*testing.M) { os.Exit(3) }", "FAIL"},
	} {
		cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", ".")
		cmd.Dir = planted.Tree(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m_test.go": "package m\n\n" + test.file})
		cmd.Env = append(cmd.Environ(), "GOWORK=off")
		results, err := explore(cmd)
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("a package that %s: error %v, want one with %q", test.what, err, test.says)
		}
		if test.says == "" {
			checkResults(t, results)
		}
	}
}

func checkResults(t *testing.T, results []scenarios.Result) {
	t.Helper()
	var b strings.Builder
	if err := WriteTable(&b, results); err != nil {
		t.Fatal(err)
	}
	want := `scenario rule orders schedules steps s random explored
TestSleep/all S1 4 7 70 0.1 0 complete
TestSleep/up S2 5 5 0 0.0 0 complete up to 0 rounds
TestSleep/some S1 0 10 0 0.0 0 bounded to 2: no end
3 scenarios, 2 of them complete.
`
	if got := regexp.MustCompile(` +`).ReplaceAllString(b.String(), " "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := Sizes(results), map[string][]int{"TestSleep/all": nil, "TestSleep/up": nil, "TestSleep/some": {1, 3, 6}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the sizes are %v, want %v", got, want)
	}
}

// If this fails, a fault passes that was found once: what found it is not explored as deep any more.
func TestDeep(t *testing.T) {
	results := []scenarios.Result{{Test: "two", Bound: 2}, {Test: "all", Bound: -1, Exhausted: true}, {Test: "ended", Bound: 1, Exhausted: true}}
	for _, test := range []struct {
		killer mutants.Killer
		says   string
	}{
		{mutants.Killer{Mode: mutants.Explored, Test: "two", Bound: 2}, ""},
		{mutants.Killer{Mode: mutants.Explored, Test: "two", Bound: 3}, "two is explored with up to 2 preemptions, and it needs 3"},
		{mutants.Killer{Mode: mutants.Explored, Test: "two", Bound: 3, Shallow: "why"}, ""},
		{mutants.Killer{Mode: mutants.Explored, Test: "two", Bound: 2, Shallow: "why"}, "its row says why not"},
		{mutants.Killer{Mode: mutants.Explored, Test: "all", Bound: 3}, ""},
		{mutants.Killer{Mode: mutants.Explored, Test: "ended", Bound: 3}, ""},
		{mutants.Killer{Mode: mutants.Explored, Test: "none"}, "none was not explored"},
		{mutants.Killer{Mode: mutants.Own, Test: "none"}, ""},
	} {
		err := Deep(results, []mutants.Mutant{{Name: "m", Killer: test.killer}})
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: the error is %v, want one with %q", test.killer, err, test.says)
		}
	}
}
