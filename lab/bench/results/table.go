package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/columns"
)

// WriteTable prints a table for each workload, and after them, where they are
// on the screen in the end, what they amount to. On a terminal it leaves out
// the last columns of what is too wide for it.
func (r *Report) WriteTable(w io.Writer) error {
	all := r.text(0)
	shown := r.text(columns.Width(w))
	if shown != all {
		shown += "\nThe terminal is too narrow for some columns; a file gets them all.\n"
	}
	_, err := io.WriteString(w, shown)
	return err
}

// text is everything in lines of this width.
func (r *Report) text(width int) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Machine)
	if r.Command != "" {
		fmt.Fprintln(&b, r.Command)
	}
	for _, w := range r.workloads {
		w.write(&b, width)
	}
	for _, g := range []*grid{r.depths(), r.fills(), r.sweep()} {
		g.write(&b, width)
	}
	r.writeGoals(&b, width)
	if problems := r.problems(); len(problems) > 0 {
		fmt.Fprintf(&b, "\nnot measured, or wrong:\n  %s\n", strings.Join(problems, "\n  "))
	}
	return b.String()
}

// write renders one workload. Rows without times stand beneath.
func (w *workload) write(b *strings.Builder, width int) {
	// The most important columns come first.
	t := columns.New(1, "", "workers", "p10", "median", "±", "to seq.", "to best peer", "p99", "CPU", "slept", "allocs", "steals", "wakes", "runs")
	var took time.Duration
	for _, r := range w.rows {
		took += r.Took
		if !r.timed() {
			continue
		}
		u := r.Usage
		t.Row(r.Implementation, r.Workers, nanos(r.P10), nanos(r.Median), r.spread(),
			r.to(w.fastest(1, bench.SequentialName)), r.to(w.fastest(r.Workers, anyPeer)), nanos(r.P99),
			nanos(r.per(int64(u.CPU))), count(r.per(u.Slept)), count(r.per(u.Allocs)), count(r.per(u.Steals)), count(r.per(u.Wakes)), len(r.Nanos))
	}
	fmt.Fprintf(b, "\n%s: %s\ntimes for each %s, compared by the %s; CPU and counts for each run; measured for %v\n",
		w.Name, w.About, w.Unit, w.Judge, took.Round(100*time.Millisecond))
	if t.Len() > 0 {
		fmt.Fprintf(b, "\n%s\n", t.Fit(width))
	}
	for _, r := range w.rows {
		if why := r.why(); why != "" {
			fmt.Fprintf(b, "%s, %s: %s\n", r.Implementation, plural(r.Workers, "worker"), why)
		}
	}
}

// why says why there are no times, or that an answer was wrong.
func (r *row) why() string {
	if r.Err != nil {
		return strings.ReplaceAll(r.Err.Error(), "\n", "; ")
	}
	return r.Unfit
}

// problems lists what went wrong, the same problem of the same implementation once.
func (r *Report) problems() (lines []string) {
	var all []string
	places := map[string][]string{}
	for _, w := range r.workloads {
		for _, row := range w.rows {
			if row.Err == nil {
				continue
			}
			p := row.Implementation + " in %s: " + strings.ReplaceAll(row.why(), "%", "%%")
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
			if !slices.Contains(places[p], w.Name) {
				places[p] = append(places[p], w.Name)
			}
		}
	}
	for _, p := range all {
		where := places[p][0]
		if n := len(places[p]); n > 1 {
			where = plural(n, "workload")
		}
		lines = append(lines, fmt.Sprintf(p, where))
	}
	return lines
}

// to writes how long the row takes, to one of what the other takes.
func (r *row) to(other *row) string {
	if other == nil {
		return ""
	}
	return columns.Times(r.judged / other.judged)
}

// nanos writes a time, or nothing if it is not known.
func nanos(ns float64) string { return known(ns, columns.Nanos) }

func count(x float64) string { return known(x, columns.Digits) }

func known(x float64, write func(float64) string) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return write(x)
}

// spread is how far from the median its confidence interval reaches.
func (r *row) spread() string {
	away := max(r.High/r.Median-1, 1-r.Low/r.Median)
	if math.IsInf(away, 0) || math.IsNaN(away) {
		return "?"
	}
	return fmt.Sprintf("%.0f%%", 100*away)
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
