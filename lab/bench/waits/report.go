package waits

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/tools/columns"
)

// A Report is what came of a plan.
type Report struct {
	Machine  machine.Machine `json:"machine"`
	Command  string          `json:"command"`
	Patience float64         `json:"patience_seconds"`
	Rows     []*Row          `json:"rows"`
}

// summarize fills in what follows from the times.
func (r *Row) summarize(prog *Program) {
	var xs []float64
	late := 0
	for _, ns := range r.Nanos {
		xs = append(xs, float64(ns))
		if time.Duration(ns) > prog.late {
			late++
		}
	}
	if prog.late > 0 {
		r.Late = &late
	}
	r.Median, r.P99, r.Largest = at(xs, 0.5), at(xs, 0.99), at(xs, 1)
	r.Requests, r.Loss = at(r.rates, 0.5), at(r.losses, 0.5)
}

// at returns a quantile, or nil of nothing.
func at(xs []float64, q float64) *float64 {
	if len(xs) == 0 {
		return nil
	}
	x := stats.Sample{Xs: slices.Sorted(slices.Values(xs)), Sorted: true}.Quantile(q)
	return &x
}

// verdict says in words what the program did.
func (r *Row) verdict() string {
	var parts []string
	if r.Hangs > 0 {
		parts = append(parts, fmt.Sprintf("hangs in %d of %d tries", r.Hangs, r.Tries))
	}
	switch {
	case r.Late == nil || *r.Late == 0:
	case r.Loss != nil:
		parts = append(parts, fmt.Sprintf("late in %d of %d requests", *r.Late, len(r.Nanos)))
	default:
		parts = append(parts, fmt.Sprintf("late in %d of %d tries", *r.Late, r.Tries))
	}
	switch {
	case r.Error != "":
		return "failed, see below"
	case len(parts) > 0:
		return strings.Join(parts, ", ")
	case r.Late != nil:
		return "in time"
	}
	return "ends"
}

// OK reports whether every try was made, and each that ended had the right
// answer. A hang is a result, not a failure.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Rows, func(row *Row) bool { return row.Error != "" })
}

// WriteTable prints the report for a reader. Lines are no longer than width, if
// that is not 0.
func (r *Report) WriteTable(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", r.Machine, r.Command)
	fmt.Fprintf(&b, "\nhangs: no answer in %v s; late: took more than %v\n", r.Patience, StrangerTime/2)
	for _, p := range Programs() {
		fmt.Fprintf(&b, "%s: %s\n", p.Name, p.About)
	}
	t := columns.New(3, "program", "implementation", "verdict", "workers", "median ms", "p99 ms", "largest ms", "requests/s", "loss %")
	for _, row := range r.Rows {
		t.Row(row.Program, row.Implementation, row.verdict(), row.Workers, times(row.Median, "%.3f", 1e-6), times(row.P99, "%.3f", 1e-6),
			times(row.Largest, "%.3f", 1e-6), times(row.Requests, "%.1f", 1), times(row.Loss, "%.1f", 100))
	}
	fmt.Fprintf(&b, "\n%s\n", t.Fit(width))
	for _, row := range r.Rows {
		if row.Error != "" {
			fmt.Fprintf(&b, "\n%s on %s, %d workers: %s\n", row.Program, row.Implementation, row.Workers, strings.ReplaceAll(row.Error, "\n", "; "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// times writes x times n.
func times(x *float64, format string, n float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x*n)
}
