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
	r.writeSweep(&b, width)
	r.writeGoals(&b, width)
	if problems := r.problems(); len(problems) > 0 {
		fmt.Fprintf(&b, "\nnot measured, or wrong:\n  %s\n", strings.Join(problems, "\n  "))
	}
	return b.String()
}

// write renders one workload. Rows without times stand beneath.
func (w *workload) write(b *strings.Builder, width int) {
	// The most important columns come first.
	t := columns.New(1, "", "workers", "p10", "median", "±", "to seq.", "to best peer", "p99", "CPU", "allocs", "steals", "wakes", "runs")
	var took time.Duration
	for _, r := range w.rows {
		took += r.Took
		if !r.timed() {
			continue
		}
		u := r.Usage
		t.Row(r.name, r.Workers, nanos(r.p10), nanos(r.median), r.spread(),
			r.to(w.fastest(1, bench.SequentialName)), r.to(w.fastest(r.Workers, anyPeer)), nanos(r.p99),
			nanos(r.per(int64(u.CPU))), count(r.per(u.Allocs)), count(r.per(u.Steals)), count(r.per(u.Wakes)), len(r.Nanos))
	}
	fmt.Fprintf(b, "\n%s: %s\ntimes for each %s, compared by the %s; CPU and counts for each run; measured for %v\n",
		w.Name, w.About, w.Unit, w.Judge, took.Round(100*time.Millisecond))
	if t.Len() > 0 {
		fmt.Fprintf(b, "\n%s\n", t.Fit(width))
	}
	for _, r := range w.rows {
		if r.Err != nil {
			fmt.Fprintf(b, "%s, %s: %s\n", r.name, plural(r.Workers, "worker"), r.why())
		}
	}
}

// why says why there are no times, or that an answer was wrong.
func (r *row) why() string { return strings.ReplaceAll(r.Err.Error(), "\n", "; ") }

// problems lists what went wrong, the same problem of the same implementation once.
func (r *Report) problems() (lines []string) {
	places := map[[2]string][]string{} // by implementation and error
	for _, w := range r.workloads {
		for _, row := range w.rows {
			if row.Err != nil {
				p := [2]string{row.name, row.why()}
				places[p] = append(places[p], w.Name)
			}
		}
	}
	for p, where := range places {
		where = slices.Compact(where)
		if len(where) > 1 {
			where[0] = plural(len(where), "workload")
		}
		lines = append(lines, fmt.Sprintf("%s in %s: %s", p[0], where[0], p[1]))
	}
	slices.Sort(lines)
	return lines
}

// writeSweep says how par, without a grain, stands beside the best grain that is set by hand.
func (r *Report) writeSweep(b *strings.Builder, width int) {
	t := columns.New(1, "", bench.ParName, "best grain, called", "", "par to it", "best grain, all", "", "par to it")
	for _, w := range r.workloads {
		mine := w.ours()
		if mine == nil || !w.Apart {
			continue
		}
		cells := []any{w.Name, nanos(mine.judged)}
		for _, names := range []string{bench.NoVectors + bench.GrainInfix, bench.GrainInfix} {
			best := w.best(func(r *row) bool { return r.Workers == mine.Workers && strings.Contains(r.name, names) })
			if best == nil {
				cells = append(cells, "", "", "")
				continue
			}
			cells = append(cells, nanos(best.judged), strings.Replace(best.name, bench.GrainInfix, ", ", 1), mine.to(best))
		}
		t.Row(cells...)
	}
	if t.Len() > 0 {
		fmt.Fprintf(b, "\nthe sweep: medians of par, and of the best grain set by hand, where bodies are called and at all\n\n%s\n", t.Fit(width))
	}
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
	away := max(r.high/r.median-1, 1-r.low/r.median)
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
