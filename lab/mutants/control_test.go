package mutants

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/conformance/scenarios"
)

// If this fails, a mutant may die of what the program with all mutants does by itself.
func TestControlIsWhatShips(t *testing.T) {
	for _, test := range []struct {
		name      string
		got, want []int
		says      string
	}{
		{"same", []int{1, 20}, []int{1, 20}, ""},
		{"not_as_deep", []int{1, 20}, []int{1, 20, 300}, ""},
		{"deeper", []int{1, 20}, []int{1}, ""},
		{"at_once", []int{1, 20}, nil, ""},
		{"other", []int{1, 21}, []int{1, 20, 300}, "other has schedules by preemptions [1 21] without a mutant, and [1 20 300] on what ships"},
		{"other_from_the_start", []int{2, 20}, []int{1}, "[2 20] without"},
		{"none", nil, []int{1}, "none has schedules"},
	} {
		c := control{target{Explored, "conformance/scenarios"}, run{tests: []string{test.name}}}
		err := c.differs(outcome{results: map[string]scenarios.Result{test.name: {Sizes: test.got}}}, map[string][]int{test.name: test.want})
		switch {
		case test.says == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.says)
		}
	}
	c := control{run: run{tests: []string{"a"}}}
	if err := c.differs(outcome{results: map[string]scenarios.Result{"a": {Sizes: []int{1}}}}, map[string][]int{}); err == nil {
		t.Error("a scenario was not explored on what ships, and there is no error")
	}
	if err := c.differs(outcome{}, map[string][]int{"a": {1}}); err == nil {
		t.Error("a scenario was not explored without a mutant, and there is no error")
	}
}

// What must pass is explored as deep as what must fail only if that is asked for.
func TestControlsAreShallow(t *testing.T) {
	all := []Mutant{
		{"a/first", in("api/a.go", "Sum").drop("x"), explored(3, "TestA", "A1: ")},
		{"a/second", in("api/a.go", "Sum").drop("x"), explored(0, "TestB", "A1: ")},
		{"a/own", in("api/a.go", "Sum").drop("x"), own("TestC", "A1: ")},
	}
	for _, test := range []struct {
		search bool
		want   map[string]int
	}{
		{false, map[string]int{"TestA": 1, "TestB": 0, "TestC": 0}},
		{true, map[string]int{"TestA": 3, "TestB": 0, "TestC": 0}},
	} {
		n := 0
		for _, c := range controls(all, Options{Search: test.search}) {
			for _, name := range c.tests {
				n++
				if c.bound != test.want[name] {
					t.Errorf("search is %t: %s is explored with %d preemptions, want %d", test.search, name, c.bound, test.want[name])
				}
			}
		}
		if n != len(test.want) {
			t.Errorf("search is %t: there are %d controls, want %d", test.search, n, len(test.want))
		}
	}
}
