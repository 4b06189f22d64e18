package results_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
)

// line returns the first line of a text that begins like this.
func line(text, begin string) string {
	return regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(begin) + `.*$`).FindString(text)
}

// What the report amounts to: rouse takes 5 ns with two workers, where
// sequential code takes 4, goroutines 200, rayon 10.
func TestGlance(t *testing.T) {
	got := written(t, report().WriteTable)
	for begin, want := range map[string]string{
		"  sequential:":   "  sequential:   ahead in 1 of 3 workloads, level (within 5 %) in 0, behind in 2",
		"  goroutine:":    "  goroutine:    ahead in 2 of 2 workloads, level (within 5 %) in 0, behind in 0",
		"  rayon:":        "  rayon:        ahead in 1 of 1 workload, level (within 5 %) in 0, behind in 0",
		"fib           5": "fib           5.00 ns / fork   1.25× slower  40.0× faster  2.00× faster      rayon, 2.00× faster",
	} {
		if l := line(got, begin); l != want {
			t.Errorf("got  %q\nwant %q", l, want)
		}
	}
	// Nobody to compare with, nothing to say.
	r := report()
	for i := range r.Workloads {
		w := &r.Workloads[i]
		var kept []results.Row
		for _, row := range w.Rows {
			if row.Implementation == "rouse" {
				kept = append(kept, row)
			}
		}
		w.Rows = kept
	}
	if got := written(t, r.WriteTable); strings.Contains(got, "at a glance") {
		t.Errorf("a glance at one implementation:\n%s", got)
	}
	if got := written(t, r.WriteHTML); strings.Contains(got, "At a glance") {
		t.Error("a glance at one implementation on the page")
	}
}

func TestGoals(t *testing.T) {
	got := written(t, report().WriteTable)
	for _, want := range []string{
		`goals: \d+ of 7 kept`,
		`(?m)^missed +fib, 1 worker: over the plain call +≤ 3 ns +4.00 ns$`,
		`(?m)^missed +fib: to goroutine +≤ 0.01× +1 worker +0.02×\n +2 workers +0.025×$`,
		`(?m)^kept +fib: to rayon +≤ 0.5× +2 workers +0.50×$`,
		`(?m)^kept +fib-large, all workers: to sequential +≤ 1.3× +1.25×$`,
		`(?m)^kept +latency, median: to goroutine +≤ 1× +idle +0.10×$`,
		`(?m)^missed +coarse-1ms: speed-up a processor +≥ 0.975× +0.90×$`,
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// They are not of small sizes.
	r := report()
	r.Quick = true
	if got := written(t, r.WriteTable); strings.Contains(got, "kept") {
		t.Errorf("goals of a first look:\n%s", got)
	}
}

// The same problem of the same implementation is said once.
func TestProblems(t *testing.T) {
	tree := &bench.Workload{Name: "tree", Unit: "node", Ops: 10}
	cells := measured()
	for _, workers := range []int{1, 2} {
		for _, w := range []*bench.Workload{tree, cells[0].Workload} {
			c := &bench.Cell{Workload: w, Implementation: "gone", Kind: bench.Peer, Workers: workers, Err: bench.Missing("not installed")}
			if w == tree {
				cells = append(cells, c)
			} else {
				cells = append([]*bench.Cell{c}, cells...)
			}
		}
	}
	got := written(t, results.New(abacus, cells).WriteTable)
	for _, want := range []string{"\ngone, 1 and 2 workers: not installed\n", "\n  gone in 2 workloads: not installed\n", "\n  liar in fib: wrong answer"} {
		if n := strings.Count(got, want); n == 0 || n > 2 {
			t.Errorf("%q %d times in\n%s", want, n, got)
		}
	}
}

// A report that was printed and read again says the same.
func TestRead(t *testing.T) {
	printed := written(t, report().WriteJSON)
	r, err := results.Read(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	for _, write := range []func(*results.Report, io.Writer) error{
		(*results.Report).WriteTable, (*results.Report).WriteJSON, (*results.Report).WriteBenchfmt, (*results.Report).WriteHTML,
	} {
		var first, again bytes.Buffer
		if err := write(report(), &first); err != nil {
			t.Fatal(err)
		}
		if err := write(r, &again); err != nil || first.String() != again.String() {
			t.Errorf("error %v; got\n%s\nwant\n%s", err, &again, &first)
		}
	}
}

func TestReadMistakes(t *testing.T) {
	for _, test := range []struct{ json, says string }{
		{"", "no report in JSON: EOF"},
		{"fib: many forks", "no report in JSON: invalid character"},
		{`{"agree": true}`, "it has no workloads"},
		{`{"workloads": [{"name": 7}]}`, "cannot unmarshal number"},
		{`{"workloads": [{"name": "fib", "rows": [{"implementation": "half", "judged_ns": 1}]}]}`, "fib, half: lacks some of its times"},
	} {
		if _, err := results.Read(strings.NewReader(test.json)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %q", test.json, err, test.says)
		}
	}
}
