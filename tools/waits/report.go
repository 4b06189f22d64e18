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
	if len(xs) == 0 {
		return
	}
	slices.Sort(xs)
	sample := stats.Sample{Xs: xs, Sorted: true}
	at := func(q float64) *float64 {
		x := sample.Quantile(q)
		return &x
	}
	r.Median, r.P90, r.Largest = at(0.5), at(0.9), at(1)
}

// verdict says in words what the program did.
func (r *Row) verdict() string {
	of := func(what string, n int) string {
		return fmt.Sprintf("%s in %d of %d tries", what, n, r.Tries)
	}
	switch {
	case r.Error != "":
		return "failed, see below"
	case r.Hangs > 0 && r.Late != nil && *r.Late > 0:
		return of("hangs", r.Hangs) + ", " + of("late", *r.Late)
	case r.Hangs > 0:
		return of("hangs", r.Hangs)
	case r.Late != nil && *r.Late > 0:
		return of("late", *r.Late)
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
	t := columns.New(3, "program", "implementation", "verdict", "workers", "median ms", "p90 ms", "largest ms")
	for _, row := range r.Rows {
		t.Row(row.Program, row.Implementation, row.verdict(), row.Workers, milliseconds(row.Median), milliseconds(row.P90), milliseconds(row.Largest))
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
	return fmt.Sprintf("%.2f", *ns/1e6)
}
