// Package results says what came of a benchmark: in tables, and in the format of Go
// benchmarks.
package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/internal/machine"
)

// A Report is what came of a benchmark.
type Report struct {
	Machine machine.Machine
	Command string // that prints it
	Quick   bool   // of small sizes, for a first look

	workloads []*workload
}

// A workload has a row for each implementation with each number of workers.
type workload struct {
	*bench.Workload
	rows []*row
}

// A row is a cell, with what its times amount to if there are any.
type row struct {
	*bench.Cell
	name string // of the implementation
	// The median, and between what it is with a confidence of 95 %; infinite
	// if there are too few runs to say.
	median, low, high float64
	p10, p99          float64
	judged            float64 // by the workload's statistic
}

// New makes a report of what was measured.
func New(m machine.Machine, cells []*bench.Cell) *Report {
	r := &Report{Machine: m}
	for _, c := range cells {
		if n := len(r.workloads); n == 0 || r.workloads[n-1].Workload != c.Workload {
			r.workloads = append(r.workloads, &workload{Workload: c.Workload})
		}
		w := r.workloads[len(r.workloads)-1]
		w.rows = append(w.rows, newRow(c))
	}
	return r
}

// newRow assumes nothing of how the times are distributed.
func newRow(c *bench.Cell) *row {
	r := &row{Cell: c, name: c.Implementation.Name}
	if len(c.Nanos) == 0 {
		return r
	}
	sample := benchmath.NewSample(slices.Clone(c.Nanos), &benchmath.DefaultThresholds)
	median := benchmath.AssumeNothing.Summary(sample, 0.95)
	order := stats.Sample{Xs: sample.Values, Sorted: true}
	r.median, r.low, r.high = median.Center, median.Lo, median.Hi
	r.p10, r.p99 = order.Quantile(0.1), order.Quantile(0.99)
	if r.judged = r.median; c.Workload.Judge == bench.Cost {
		r.judged = r.p10
	}
	return r
}

// timed reports whether the row has times, and right answers.
func (r *row) timed() bool { return len(r.Nanos) > 0 && r.Err == nil }

// isOurs reports whether the row stands for this repository.
func (r *row) isOurs() bool { return r.name == bench.OursName }

// ours returns our row with the most workers, or nil.
func (w *workload) ours() (most *row) {
	for _, r := range w.rows {
		if r.isOurs() && r.timed() && (most == nil || r.Workers > most.Workers) {
			most = r
		}
	}
	return most
}

// anyPeer is in place of the names of all peers.
const anyPeer = "fastest peer"

// fastest returns the fastest row of some implementations with so many workers, whatever
// that means to plain code, or nil.
func (w *workload) fastest(workers int, names ...string) *row {
	return w.best(func(r *row) bool {
		named := slices.Contains(names, r.name) || names[0] == anyPeer && r.Implementation.Kind == bench.Peer
		return named && (r.Workers == workers || r.Implementation.Kind == bench.Plain)
	})
}

// best returns the fastest right row of a kind, or nil.
func (w *workload) best(kind func(*row) bool) (best *row) {
	for _, r := range w.rows {
		if r.timed() && kind(r) && (best == nil || r.judged < best.judged) {
			best = r
		}
	}
	return best
}

// WriteTable prints a table for each workload, and after them, where they are on the screen in the
// end, what they amount to.
func (r *Report) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%s\n%s\n", r.Machine, r.Command)
	for _, workload := range r.workloads {
		if err := workload.write(w); err != nil {
			return err
		}
	}
	if err := r.writeGoals(w); err != nil {
		return err
	}
	if problems := r.problems(); len(problems) > 0 {
		fmt.Fprintf(w, "\nnot measured, or wrong:\n  %s\n", strings.Join(problems, "\n  "))
	}
	return nil
}

// write renders one workload. Rows without times stand beneath.
func (w *workload) write(out io.Writer) error {
	fmt.Fprintf(out, "\n%s: %s\ntimes for each %s, compared by the %s\n\n", w.Name, w.About, w.Unit, w.Judge)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tworkers\tp10\tmedian\t±\tp99\tto seq.\tto best peer\truns")
	var beneath []string
	for _, r := range w.rows {
		at := fmt.Sprintf("%s, %d workers: ", r.name, r.Workers)
		if r.Hung > 0 {
			beneath = append(beneath, at+fmt.Sprintf("hangs in %d of %d runs", r.Hung, r.Hung+r.Runs))
		}
		if r.Err != nil {
			beneath = append(beneath, at+r.why())
		}
		if r.timed() {
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", r.name, r.Workers, nanos(r.p10), nanos(r.median), r.spread(), nanos(r.p99),
				r.to(w.fastest(1, bench.SequentialName)), r.to(w.fastest(r.Workers, anyPeer)), r.Runs)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, line := range beneath {
		fmt.Fprintln(out, line)
	}
	return nil
}

// why says why there are no times, or that an answer was wrong.
func (r *row) why() string { return strings.ReplaceAll(r.Err.Error(), "\n", "; ") }

// OK reports whether nothing was missing, failed or answered wrong. A run that hangs is a result.
func (r *Report) OK() bool { return len(r.problems()) == 0 }

// problems lists what went wrong, the same problem of the same implementation once.
func (r *Report) problems() (lines []string) {
	places := map[string][]string{}
	for _, w := range r.workloads {
		for _, row := range w.rows {
			if row.Err != nil {
				problem := row.name + ": " + row.why()
				places[problem] = append(places[problem], w.Name)
			}
		}
	}
	for problem, where := range places {
		lines = append(lines, fmt.Sprintf("%s (%s)", problem, strings.Join(slices.Compact(where), ", ")))
	}
	slices.Sort(lines)
	return lines
}

// to writes how long the row takes, to one of what the other takes.
func (r *row) to(other *row) string {
	if other == nil {
		return ""
	}
	return times(r.judged / other.judged)
}

// times writes how many times as much something is.
func times(x float64) string { return fmt.Sprintf("%.3g×", x) }

// nanos writes a time in the unit in which it is 1 to 1000, if there is one.
func nanos(ns float64) string {
	unit := "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if ns < 999.5 {
			break
		}
		ns, unit = ns/1000, larger
	}
	return fmt.Sprintf("%.3g %s", ns, unit)
}

// spread is how far from the median its confidence interval reaches.
func (r *row) spread() string {
	away := max(r.high/r.median-1, 1-r.low/r.median)
	if math.IsInf(away, 0) || math.IsNaN(away) {
		return "?"
	}
	return fmt.Sprintf("%.0f%%", 100*away)
}

// WriteBenchfmt prints a line for each time in the format of Go benchmarks, for
// benchstat and its like. A wrong answer has no time.
func (r *Report) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	config := []benchfmt.Config{
		{Key: "goos", Value: []byte(r.Machine.OS), File: true},
		{Key: "goarch", Value: []byte(r.Machine.Arch), File: true},
		{Key: "cpu", Value: []byte(r.Machine.CPU), File: true},
		{Key: "commit", Value: []byte(r.Machine.Commit), File: true},
	}
	for _, workload := range r.workloads {
		// Dashes would be taken for the number of processors.
		name := strings.ReplaceAll(strings.ToUpper(workload.Name[:1])+workload.Name[1:], "-", "_")
		for _, row := range workload.rows {
			if !row.timed() {
				continue
			}
			full := benchfmt.Name(fmt.Sprintf("%s/impl=%s/workers=%d", name, row.name, row.Workers))
			for _, ns := range row.Nanos {
				value := benchfmt.Value{Value: ns / 1e9, Unit: "sec/" + workload.Unit, OrigValue: ns, OrigUnit: "ns/" + workload.Unit}
				if err := out.Write(&benchfmt.Result{Config: config, Name: full, Iters: 1, Values: []benchfmt.Value{value}}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
