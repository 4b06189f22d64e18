package waits

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/machine"
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
	hangs := fmt.Sprintf("hangs in %d of %d tries", r.Hangs, r.Tries)
	isLate := r.Late != nil && *r.Late > 0
	var late string
	switch {
	case isLate && r.Loss != nil:
		late = fmt.Sprintf("late in %d of %d requests", *r.Late, len(r.Nanos))
	case isLate:
		late = fmt.Sprintf("late in %d of %d tries", *r.Late, r.Tries)
	}
	switch {
	case r.Error != "":
		return "failed, see below"
	case r.Hangs > 0 && isLate:
		return hangs + ", " + late
	case r.Hangs > 0:
		return hangs
	case isLate:
		return late
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

// WriteJSON prints the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
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
		t.Row(row.Program, row.Implementation, row.verdict(), row.Workers, milliseconds(row.Median), milliseconds(row.P99), milliseconds(row.Largest),
			times(row.Requests, 1), times(row.Loss, 100))
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

func milliseconds(ns *float64) string {
	if ns == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *ns/1e6)
}

// times is x times n.
func times(x *float64, n float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *x*n)
}
