package bench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// A Report says what came of a benchmark, workload by workload.
type Report struct {
	// Processors is how many there are.
	Processors int

	told, kept int // goals
	problems   []string
	places     map[string][]string // of each problem, the workloads
}

// A row is a cell, with what its times amount to if there are any.
type row struct {
	*Cell
	name string // of the implementation
	// The median, and between what it is with a confidence of 95 %; infinite
	// if there are too few runs to say.
	median, low, high float64
	p10, p99          float64
	judged            float64 // by the workload's statistic
}

// newRow assumes nothing of how the times are distributed.
func newRow(c *Cell) *row {
	r := &row{Cell: c, name: c.Implementation.Name}
	if len(c.Nanos) == 0 {
		return r
	}
	sample := benchmath.NewSample(slices.Clone(c.Nanos), &benchmath.DefaultThresholds)
	median := benchmath.AssumeNothing.Summary(sample, 0.95)
	order := stats.Sample{Xs: sample.Values, Sorted: true}
	r.median, r.low, r.high = median.Center, median.Lo, median.Hi
	r.p10, r.p99 = order.Quantile(0.1), order.Quantile(0.99)
	if r.judged = r.median; c.Workload.Judge == Cost {
		r.judged = r.p10
	}
	return r
}

// timed reports whether the row has times, and right answers.
func (r *row) timed() bool { return len(r.Nanos) > 0 && r.Err == nil }

// isOther reports whether the implementation is neither plain code nor this repository's.
func (r *row) isOther() bool { return r.name != Sequential && r.name != Ours && r.name != OursFutex }

// spread is how far from the median its confidence interval reaches.
func (r *row) spread() string {
	away := max(r.high/r.median-1, 1-r.low/r.median)
	if math.IsInf(away, 0) || math.IsNaN(away) {
		return "?"
	}
	return fmt.Sprintf("%.0f%%", 100*away)
}

// Table prints what came of the cells of one workload: a row for each that has times, then why others have
// none, then whether the goals are kept.
func (r *Report) Table(out io.Writer, cells []*Cell) error {
	w := cells[0].Workload
	fmt.Fprintf(out, "\n%s: %s\ntimes for each %s, compared by the %s\n\n", w.Name, w.About, w.Unit, w.Judge)
	var rows []*row
	for _, c := range cells {
		rows = append(rows, newRow(c))
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tworkers\tp10\tmedian\t±\tp99\tto seq.\truns")
	for _, row := range rows {
		if !row.timed() {
			continue
		}
		share := ""
		if plain := fastest(rows, 1, Sequential); plain != nil {
			share = times(row.judged / plain.judged)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\n", row.name, row.Workers, nanos(row.p10), nanos(row.median), row.spread(), nanos(row.p99),
			share, row.Runs)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, row := range rows {
		at := fmt.Sprintf("%s, %d workers: ", row.name, row.Workers)
		if row.Hung > 0 {
			fmt.Fprintf(out, "%shangs in %d of %d runs\n", at, row.Hung, row.Hung+row.Runs)
		}
		if row.Err != nil {
			why := strings.ReplaceAll(row.Err.Error(), "\n", "; ")
			fmt.Fprintf(out, "%s%s\n", at, why)
			r.problem(row.name+": "+why, w.Name)
		}
	}
	for _, g := range w.Goals {
		r.judge(out, g, rows)
	}
	return nil
}

// fastest returns the fastest row of an implementation, or of [Others], with so many workers, or nil.
func fastest(rows []*row, workers int, name string) (best *row) {
	for _, r := range rows {
		named := r.name == name || name == Others && r.isOther()
		if named && r.timed() && (r.Workers == workers || r.Implementation.Fixed) && (best == nil || r.judged < best.judged) {
			best = r
		}
	}
	return best
}

// judge prints whether a goal is kept, for each of our rows that it is about, unless what it is
// compared with was not measured.
func (r *Report) judge(out io.Writer, g Goal, rows []*row) {
	for _, ours := range rows {
		if ours.name != Ours || !ours.timed() || g.Workers > 0 && ours.Workers != g.Workers {
			continue
		}
		limit, is, worst, write := "", ours.judged, ours.p99, nanos
		if g.Of != "" {
			other := fastest(rows, ours.Workers, g.Of)
			if other == nil {
				continue
			}
			limit, is, worst, write = " of "+other.name, is/other.judged, worst/other.p99, times
		}
		if g.Shared {
			limit += ", by the processors"
			is *= float64(min(ours.Workers, r.Processors))
		}
		verdict, reads := "missed", write(is)
		if g.Tail {
			reads += ", p99 " + write(worst)
			is = max(is, worst)
		}
		r.told++
		if is <= g.Most {
			verdict = "kept"
			r.kept++
		}
		fmt.Fprintf(out, "%s, with %d workers: at most %s%s: %s\n", verdict, ours.Workers, write(g.Most), limit, reads)
	}
}

// problem notes what went wrong, the same problem of the same implementation once.
func (r *Report) problem(what, where string) {
	if r.places == nil {
		r.places = make(map[string][]string)
	}
	if r.places[what] == nil {
		r.problems = append(r.problems, what)
	}
	if !slices.Contains(r.places[what], where) {
		r.places[what] = append(r.places[what], where)
	}
}

// End prints what all amounts to. The error says that something was missing, failed or answered wrong. A
// run that hangs is a result.
func (r *Report) End(out io.Writer) error {
	if r.told > 0 {
		fmt.Fprintf(out, "\ngoals: %d of %d kept\n", r.kept, r.told)
	}
	if len(r.problems) == 0 {
		return nil
	}
	fmt.Fprint(out, "\nnot measured, or wrong:\n")
	for _, what := range r.problems {
		fmt.Fprintf(out, "  %s (%s)\n", what, strings.Join(r.places[what], ", "))
	}
	return errors.New("not everything could be measured, or an answer was wrong: see the report")
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

// Lines prints a line for each time of a workload in the format of Go benchmarks, for
// benchstat and its like. A wrong answer has no time.
func Lines(out io.Writer, cells []*Cell) error {
	for _, c := range cells {
		if c.Err != nil {
			continue
		}
		// Dashes would be taken for the number of processors.
		name := strings.ReplaceAll(strings.ToUpper(c.Workload.Name[:1])+c.Workload.Name[1:], "-", "_")
		for _, ns := range c.Nanos {
			if _, err := fmt.Fprintf(out, "Benchmark%s/impl=%s/workers=%d 1 %v ns/%s\n", name, c.Implementation.Name, c.Workers, ns, c.Workload.Unit); err != nil {
				return err
			}
		}
	}
	return nil
}
