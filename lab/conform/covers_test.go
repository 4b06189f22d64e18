package conform

import (
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/lab/covers"
)

func TestCover(t *testing.T) {
	const suite, scenarios = "github.com/rouse-go/rouse/conformance", "github.com/rouse-go/rouse/conformance/scenarios"
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
	table := []covers.Cover{
		{Source: "passes", By: []string{"conformance.TestPool/a"}},
		{Source: "is skipped", By: []string{"conformance.TestPool/a", "scenarios.TestPool/a"}},
		{Source: "fails", By: []string{"scenarios.TestPool/b"}},
		{Source: "does not end", By: []string{"scenarios.TestPool/c"}},
		{Source: "is not there", By: []string{"scenarios.TestPool/d"}},
		{Source: "cannot be", Reason: "there is no such thing"},
	}
	want := []Cover{
		{Source: "passes", By: []Cited{{"conformance.TestPool/a", "pass"}}},
		{Source: "is skipped", By: []Cited{{"conformance.TestPool/a", "pass"}, {"scenarios.TestPool/a", "skip"}}},
		{Source: "fails", By: []Cited{{"scenarios.TestPool/b", "fail"}}},
		{Source: "does not end", By: []Cited{{"scenarios.TestPool/c", ""}}},
		{Source: "is not there", By: []Cited{{"scenarios.TestPool/d", ""}}},
		{Source: "cannot be", Reason: "there is no such thing"},
	}
	got := r.cover(table)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the table is %+v, want %+v", got, want)
	}
	for i, ok := range []bool{true, false, false, false, false, true} {
		if got[i].OK() != ok {
			t.Errorf("what %s is said to be covered: %t", got[i].Source, got[i].OK())
		}
	}
}

// An entry whose test did not pass is no success, even if nothing has failed.
func TestUncovered(t *testing.T) {
	gone := []Cover{{Source: "is gone", By: []Cited{{"conformance.TestGone", ""}}}}
	for _, r := range []Report{{Regressions: gone}, {Others: gone}} {
		if r.OK() {
			t.Errorf("all is said to be well: %+v", r)
		}
	}
	var r Report
	r.Cover()
	if len(r.Regressions) == 0 || len(r.Others) == 0 || r.OK() {
		t.Errorf("with no test run there are %d regressions, %d tests of others, and all is well: %t", len(r.Regressions), len(r.Others), r.OK())
	}
}
