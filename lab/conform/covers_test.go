package conform

import (
	"testing"

	"github.com/rouse-go/rouse/lab/covers"
)

func TestCovered(t *testing.T) {
	const suite, scenarios = "github.com/rouse-go/rouse/conformance", "github.com/rouse-go/rouse/lab/scenarios"
	var r Report
	err := r.Add([]*Test{
		{Package: suite, Name: "TestPool/a", Result: "pass"},
		{Package: scenarios, Name: "TestPool/a", Result: "skip"},
		{Package: scenarios, Name: "TestPool/b", Result: "fail"},
		{Package: scenarios, Name: "TestPool/c"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cover covers.Cover
		want  bool
	}{
		{covers.Cover{Source: "passes", By: []string{"conformance.TestPool/a"}}, true},
		{covers.Cover{Source: "is skipped", By: []string{"conformance.TestPool/a", "lab/scenarios.TestPool/a"}}, false},
		{covers.Cover{Source: "fails", By: []string{"lab/scenarios.TestPool/b"}}, false},
		{covers.Cover{Source: "does not end", By: []string{"lab/scenarios.TestPool/c"}}, false},
		{covers.Cover{Source: "is not there", By: []string{"lab/scenarios.TestPool/d"}}, false},
		{covers.Cover{Source: "cannot be", Reason: "there is no such thing"}, true},
	} {
		if got := r.Covered(test.cover); got != test.want {
			t.Errorf("what %s is said to be covered: %t", test.cover.Source, got)
		}
	}
}

// An entry whose test did not pass is no success, even if nothing has failed.
func TestUncovered(t *testing.T) {
	if new(Report).OK() {
		t.Error("no test has run, and all is said to be well")
	}
}
