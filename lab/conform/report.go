package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/lab/covers"
	"github.com/rouse-go/rouse/lab/mutants"
)

// A Report is what the tests have shown.
type Report struct {
	Checks    []Check
	Scenarios []Scenario
	Mutants   []Mutant
	// Failed are the tests that did, the innermost ones only.
	Failed []Failure

	results map[string]string // of all tests, by key
	sizes   map[string][]int  // of scenarios with a bound, by the full name of the test
}

// A Check is a subtest of the suite.
type Check struct {
	// Of is what was checked: the test, and the combination of backends.
	Of     string
	Name   string
	Rule   string
	Passed bool
}

// A Scenario was explored, exhaustively up to a bound and by random schedules
// beyond. The fields are those of scenarios.Result in the conformance module.
type Scenario struct {
	Test      string  `json:"test"`
	Rule      string  `json:"rule"`
	Bound     int     `json:"bound"`
	Exhausted bool    `json:"exhausted"`
	Schedules int64   `json:"schedules"`
	Sizes     []int   `json:"sizes,omitempty"`
	Steps     int64   `json:"steps"`
	Seconds   float64 `json:"seconds"`
	Random    int64   `json:"random"`
	Passed    bool    `json:"passed"`
}

// A Mutant was, or was not, killed.
type Mutant struct {
	Name string
	// By is the mode of package mutants in which it was tried.
	By string
	// Killer is what has killed it, empty if it survives.
	Killer string
}

// A Failure is a test that failed, with its output.
type Failure struct {
	Test   string
	Output string
}

// Add adds the tests of a step.
func (r *Report) Add(tests []*Test) error {
	if r.results == nil {
		r.results = map[string]string{}
	}
	for i, t := range tests {
		r.results[key(t.Package, t.Name)] = t.Result
		// A failed test fails those that it is part of.
		inner := i+1 < len(tests) && strings.HasPrefix(tests[i+1].Name, t.Name+"/")
		if t.Result != "pass" && t.Result != "skip" && !inner {
			r.Failed = append(r.Failed, Failure{t.Name, t.Output})
		}
		if err := r.add(t); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

// Sizes returns, of each scenario that was explored, by the full name of the test, how many
// schedules there are with so many preemptions, from 0; nothing if all were run at once.
func (r *Report) Sizes() map[string][]int { return r.sizes }

// Judged adds a verdict on a mutant of what ships, or on a control.
func (r *Report) Judged(v mutants.Verdict) {
	if v.Err != nil {
		r.Failed = append(r.Failed, Failure{"mutant " + v.Name, v.Err.Error()})
	}
	if !v.Control {
		r.Mutants = append(r.Mutants, Mutant{v.Name, string(v.Mode), v.Killer})
	}
}

func (r *Report) add(t *Test) error {
	passed := t.Result == "pass"
	switch name := leaf(t.Name); {
	case t.Attrs["explored"] != "":
		var s Scenario
		if err := json.Unmarshal([]byte(t.Attrs["explored"]), &s); err != nil {
			return err
		}
		s.Test, s.Passed = name, passed
		if r.sizes == nil {
			r.sizes = map[string][]int{}
		}
		r.sizes[t.Name] = s.Sizes
		r.Scenarios = append(r.Scenarios, s)
	case t.Attrs["rule"] != "":
		of, check := split(t.Name)
		r.Checks = append(r.Checks, Check{of, check, t.Attrs["rule"], passed})
	}
	return nil
}

// OK reports whether every check and scenario has passed, every mutant was
// killed, and every test that the tables of package covers name has passed.
func (r *Report) OK() bool {
	return len(r.Failed) == 0 &&
		!slices.ContainsFunc(r.Mutants, func(m Mutant) bool { return m.Killer == "" }) &&
		!slices.ContainsFunc(slices.Concat(covers.Regressions, covers.Scenarios), func(c covers.Cover) bool { return !r.Covered(c) })
}

// leaf is a subtest's name without that of the test.
func leaf(name string) string {
	_, leaf, _ := strings.Cut(name, "/")
	return leaf
}

// split splits a test's name into what was checked and the check. The former
// ends with the last of the parts like deque=chaselev that come first. How
// many workers a pool has is part of the check.
func split(name string) (of, check string) {
	parts := strings.Split(name, "/")
	n := 1
	for n < len(parts)-1 && strings.Contains(parts[n], "=") && !strings.HasPrefix(parts[n], "workers=") {
		n++
	}
	return strings.TrimPrefix(strings.Join(parts[:n], " "), "Test"), strings.Join(parts[n:], "/")
}
