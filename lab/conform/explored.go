package conform

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/tools/columns"
)

// how says how far a scenario was explored: completely, or up to which bound and why.
func (s scenario) how() string {
	if s.Exhausted {
		return "complete"
	}
	return fmt.Sprintf("bounded to %d: %s", s.Bound, s.Why)
}

// explored is a table with a line for each scenario.
func (r *Report) explored() *columns.Table {
	t := columns.New(4, "scenario", "rule", "", "explored", "orders", "schedules", "steps", "s", "random")
	for _, s := range r.scenarios {
		verdict, orders := "ok", "-"
		if !s.passed {
			verdict = "FAILED"
		}
		if s.Orders > 0 {
			orders = fmt.Sprint(s.Orders)
		}
		t.Row(s.test, s.Rule, verdict, s.how(), orders, s.Schedules, s.Steps, fmt.Sprintf("%.1f", s.Seconds), s.Random)
	}
	return t
}

// kinds are the scenarios that are told apart, by the beginning of their tests.
var kinds = []struct{ test, of string }{
	{"TestCounters", "counters"},
	{"TestLatch", "latches"},
	{"TestDeque", "deques"},
	{"TestInjector", "the injector"},
	{"TestSleep", "sleep backends"},
	{"TestEverySchedule", "the small pool"},
	{"TestOutside", "the latch of outsiders"},
	{"Test", "the pool"},
}

// Compare makes it a failure that the text, which is a README's, has another table of what is
// complete.
func (r *Report) Compare(name, text string) {
	if table := r.Complete(); !strings.Contains(text, table) {
		r.failed = append(r.failed, failure{name, "it says otherwise how far scenarios are explored. This is so:\n" + table})
	}
}

// about rounds up to one digit: a change of a protocol seldom changes that.
func about(n int) int {
	unit := 1
	for n > 10*unit {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// Complete is a table, in Markdown, of how many scenarios of each kind are complete, and up to
// which bounds the others are explored, and why.
func (r *Report) Complete() string {
	// What is in one row. The kind is an index.
	type key struct {
		kind     int
		complete bool
		why      string
	}
	type row struct {
		key
		count       int
		least, most int // bounds, or orders
	}
	rows := map[key]*row{}
	for _, s := range r.scenarios {
		k := key{complete: s.Exhausted}
		for !strings.HasPrefix(s.Result.Test, kinds[k.kind].test) {
			k.kind++
		}
		n := s.Orders
		if !s.Exhausted {
			k.why, n = s.Why, s.Bound
		}
		x := rows[k]
		if x == nil {
			x = &row{key: k, least: n}
			rows[k] = x
		}
		x.count++
		x.least, x.most = min(x.least, n), max(x.most, n)
	}
	var b strings.Builder
	b.WriteString("| scenarios of | | explored |\n|---|---|---|\n")
	for _, x := range slices.SortedFunc(maps.Values(rows), func(a, b *row) int {
		// A bound without a reason, which is a failure, has the reason of what is complete.
		return cmp.Or(a.kind-b.kind, strings.Compare(a.why, b.why), b.most-a.most)
	}) {
		how := fmt.Sprintf("complete, in up to %d orders each", about(x.most))
		switch {
		case x.complete:
		case x.least == x.most:
			how = fmt.Sprintf("bounded to %d: %s", x.most, x.why)
		default:
			how = fmt.Sprintf("bounded to %d to %d: %s", x.least, x.most, x.why)
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", kinds[x.kind].of, x.count, how)
	}
	return b.String()
}
