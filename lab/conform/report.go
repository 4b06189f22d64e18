package conform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/lab/covers"
	"github.com/rouse-go/rouse/lab/mutants"
	"github.com/rouse-go/rouse/tools/columns"
)

// A Report is what the tests have shown.
type Report struct {
	checks    []check
	scenarios []scenario
	mutants   []mutants.Verdict
	failed    []failure         // the innermost tests only
	results   map[string]string // of all tests, by key
	sizes     map[string][]int  // of scenarios with a bound, by the full name of the test
}

// A check is a subtest of the suite.
type check struct {
	of     string // the test, and the combination of backends
	rule   string
	passed bool
}

// A scenario was explored, exhaustively up to a bound and by random schedules
// beyond.
type scenario struct {
	scenarios.Result
	test   string // what follows the first slash of its name
	passed bool
}

// A failure is a test that failed, with its output.
type failure struct{ test, output string }

// key names a test among those of all packages.
func key(path, test string) string { return path + " " + test }

// Add adds the tests of a step.
func (r *Report) Add(tests []*Test) error {
	if r.results == nil {
		r.results, r.sizes = map[string]string{}, map[string][]int{}
	}
	for i, t := range tests {
		r.results[key(t.Package, t.Name)] = t.Result
		passed := t.Result == "pass"
		// A failed test fails those that it is part of.
		inner := i+1 < len(tests) && strings.HasPrefix(tests[i+1].Name, t.Name+"/")
		if !passed && t.Result != "skip" && !inner {
			r.failed = append(r.failed, failure{t.Name, t.Output})
		}
		if explored := t.Attrs["explored"]; explored != "" {
			s := scenario{passed: passed}
			_, s.test, _ = strings.Cut(t.Name, "/")
			if err := json.Unmarshal([]byte(explored), &s.Result); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			if passed && !s.Exhausted && s.Why == "" {
				r.failed = append(r.failed, failure{t.Name, "it is neither complete, nor does it say why it has a bound"})
			}
			r.sizes[t.Name] = s.Sizes
			r.scenarios = append(r.scenarios, s)
		} else if rule := t.Attrs["rule"]; rule != "" {
			r.checks = append(r.checks, check{combination(t.Name), rule, passed})
		}
	}
	return nil
}

// combination is what was checked, by the name of a test. It ends with the last of the parts like
// deque=chaselev that come first. How many workers a pool has is part of the check.
func combination(name string) string {
	parts := strings.Split(name, "/")
	n := 1
	for n < len(parts)-1 && strings.Contains(parts[n], "=") && !strings.HasPrefix(parts[n], "workers=") {
		n++
	}
	return strings.TrimPrefix(strings.Join(parts[:n], " "), "Test")
}

// Sizes returns, of each scenario that was explored, by the full name of the test, how many
// schedules there are with so many preemptions, from 0; nothing if all were run at once.
func (r *Report) Sizes() map[string][]int { return r.sizes }

// Judged adds a verdict on a mutant of what ships, or on a control.
func (r *Report) Judged(v mutants.Verdict) {
	if v.Err != nil {
		r.failed = append(r.failed, failure{"mutant " + v.Name, v.Err.Error()})
	}
	if !v.Control {
		r.mutants = append(r.mutants, v)
	}
}

// OK reports whether every check and scenario has passed, every mutant was
// killed, and every test that the tables of package covers name has passed.
func (r *Report) OK() bool {
	return len(r.failed) == 0 && r.survivors() == 0 &&
		!slices.ContainsFunc(slices.Concat(covers.Regressions, covers.Scenarios), func(c covers.Cover) bool { _, ok := r.covered(c); return !ok })
}

func (r *Report) survivors() (n int) {
	for _, m := range r.mutants {
		if m.Killer == "" {
			n++
		}
	}
	return n
}

// covered names the tests of a row, a line each, or gives the reason why there are none. ok
// reports whether all of them have passed.
func (r *Report) covered(c covers.Cover) (text string, ok bool) {
	if c.Reason != "" {
		return "(" + c.Reason + ")", true
	}
	var lines []string
	ok = true
	for _, by := range c.By {
		path, test, _ := covers.Split(by)
		switch result := r.results[key(path, test)]; result {
		case "pass":
		case "":
			by, ok = by+" DID NOT RUN", false
		default:
			by, ok = by+": "+strings.ToUpper(result), false
		}
		lines = append(lines, by)
	}
	return strings.Join(lines, "\n"), ok
}

// matrix is a table of how many checks of each rule of one letter were made on each combination,
// nil if there are none.
func (r *Report) matrix(letter byte) *columns.Table {
	type count struct{ checks, failed int }
	cells := map[[2]string]count{}
	var rules, rows []string
	for _, c := range r.checks {
		if c.rule[0] != letter {
			continue
		}
		at := [2]string{c.of, c.rule}
		n := cells[at]
		n.checks++
		if !c.passed {
			n.failed++
		}
		cells[at] = n
		rules, rows = append(rules, c.rule), append(rows, c.of)
	}
	if rows == nil {
		return nil
	}
	number := func(rule string) int { n, _ := strconv.Atoi(rule[1:]); return n }
	slices.SortFunc(rules, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	header := []any{"of"}
	for _, rule := range slices.Compact(rules) {
		header = append(header, rule)
	}
	t := columns.New(1, header...)
	for i, of := range rows {
		if slices.Index(rows, of) < i {
			continue
		}
		row := []any{of}
		for _, rule := range header[1:] {
			switch n := cells[[2]string{of, rule.(string)}]; {
			case n.checks == 0:
				row = append(row, "-")
			case n.failed > 0:
				row = append(row, fmt.Sprintf("%d, %d FAILED", n.checks, n.failed))
			default:
				row = append(row, n.checks)
			}
		}
		t.Row(row...)
	}
	return t
}

// String returns the tables.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString("Checks of each rule on each combination\n\n")
	for _, letter := range []byte("CDFILPS") {
		if t := r.matrix(letter); t != nil {
			fmt.Fprintf(&b, "%s\n\n", t)
		}
	}

	fmt.Fprintf(&b, "Scenarios: every schedule, or those with so many preemptions, and random ones\n\n%s\n\n%s\n", r.explored(), r.Complete())

	t := columns.New(3, "mutant", "tried by", "killed by")
	for _, m := range r.mutants {
		t.Row(m.Name, m.Mode, cmp.Or(m.Killer, "SURVIVES"))
	}
	fmt.Fprintf(&b, "%s\n\nRegressions and others' scenarios\n\n", t)

	for i, rows := range [][]covers.Cover{covers.Regressions, covers.Scenarios} {
		t := columns.New(3, []string{"bug", "test"}[i], "about", "covered by")
		for _, row := range rows {
			by, _ := r.covered(row)
			t.Row(row.Source, row.About, by)
		}
		fmt.Fprintf(&b, "%s\n\n", t)
	}

	for _, f := range r.failed {
		fmt.Fprintf(&b, "FAILED %s\n%s\n", f.test, f.output)
	}
	fmt.Fprintf(&b, "%d checks, %d scenarios, %d mutants: %d failed, %d mutants survive.\n",
		len(r.checks), len(r.scenarios), len(r.mutants), len(r.failed), r.survivors())
	return b.String()
}
