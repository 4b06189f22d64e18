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
		return complete(s.UpTo)
	}
	return fmt.Sprintf("bounded to %d: %s", s.Bound, s.Why)
}

// complete says what is complete, and up to what if it is not without any limit.
func complete(upTo string) string {
	if upTo == "" {
		return "complete"
	}
	return "complete up to " + upTo
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

// A rowKey is what scenarios in one row of the table have in common. The kind is an index.
type rowKey struct {
	kind     int
	complete bool
	why      string // it has a bound, or up to what it is complete
}

// order is that of rows of one kind.
func (k rowKey) order() int {
	if k.complete {
		return 0
	}
	return 1
}

type row struct {
	rowKey
	count       int
	least, most int // bounds, or orders
}

// Complete is a table, in Markdown, of how many scenarios of each kind are complete, and up to
// which bounds the others are explored, and why.
func (r *Report) Complete() string {
	rows := map[rowKey]*row{}
	for _, s := range r.scenarios {
		k := rowKey{complete: s.Exhausted, why: s.UpTo}
		for !strings.HasPrefix(s.Result.Test, kinds[k.kind].test) {
			k.kind++
		}
		n := s.Orders
		if !s.Exhausted {
			k.why, n = s.Why, s.Bound
		}
		x := rows[k]
		if x == nil {
			x = &row{rowKey: k, least: n}
			rows[k] = x
		}
		x.count++
		x.least, x.most = min(x.least, n), max(x.most, n)
	}
	var b strings.Builder
	b.WriteString("| scenarios of | | explored |\n|---|---|---|\n")
	for _, x := range slices.SortedFunc(maps.Values(rows), func(a, b *row) int {
		return cmp.Or(a.kind-b.kind, a.order()-b.order(), strings.Compare(a.why, b.why))
	}) {
		var how string
		switch {
		case x.complete:
			how = fmt.Sprintf("%s, in up to %d orders each", complete(x.why), about(x.most))
		case x.least == x.most:
			how = fmt.Sprintf("bounded to %d: %s", x.most, x.why)
		default:
			how = fmt.Sprintf("bounded to %d to %d: %s", x.least, x.most, x.why)
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", kinds[x.kind].of, x.count, how)
	}
	return b.String()
}
