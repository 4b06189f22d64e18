package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/aclements/go-moremath/stats"
)

// A Report says what came of a benchmark, workload by workload. It counts goals, and what has failed.
type Report struct {
	told, kept, failed int
}

// A row is a cell, with what its times amount to if there are any.
type row struct {
	*Cell
	name             string // of the implementation
	p10, median, p99 float64
	judged           float64 // by the workload's statistic
}

func newRow(c *Cell) *row {
	r := &row{Cell: c, name: c.Implementation.Name}
	if len(c.Nanos) == 0 {
		return r
	}
	sample := stats.Sample{Xs: slices.Sorted(slices.Values(c.Nanos)), Sorted: true}
	r.p10, r.median, r.p99 = sample.Quantile(0.1), sample.Quantile(0.5), sample.Quantile(0.99)
	if r.judged = r.median; c.Workload.Cost {
		r.judged = r.p10
	}
	return r
}

// timed reports whether the row has times, and right answers.
func (r *row) timed() bool { return len(r.Nanos) > 0 && r.Err == nil }

// Table prints what came of the cells of one workload: a row for each that has times, then why others have
// none, then whether the goals are kept.
func (r *Report) Table(out io.Writer, cells []*Cell) error {
	w := cells[0].Workload
	statistic := map[bool]string{false: "median", true: "p10"}[w.Cost]
	fmt.Fprintf(out, "\n%s: %s\ntimes for each %s, compared by the %s\n\n", w.Name, w.About, w.Unit, statistic)
	var rows []*row
	for _, c := range cells {
		rows = append(rows, newRow(c))
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tworkers\tp10\tmedian\tp99\tto seq.\truns")
	for _, row := range rows {
		if !row.timed() {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t", row.name, row.Workers, nanos(row.p10), nanos(row.median), nanos(row.p99))
		if plain := fastest(rows, 1, Sequential); plain != nil {
			fmt.Fprint(t, times(row.judged/plain.judged))
		}
		fmt.Fprintf(t, "\t%d\n", row.Runs)
	}
	err := t.Flush()
	for _, row := range rows {
		if row.Hung > 0 {
			fmt.Fprintf(out, "%s, %d workers: hangs in %d of %d runs\n", row.name, row.Workers, row.Hung, row.Hung+row.Runs)
		}
		if row.Err != nil {
			fmt.Fprintf(out, "%s, %d workers: %s\n", row.name, row.Workers, strings.ReplaceAll(row.Err.Error(), "\n", "; "))
			r.failed++
		}
	}
	for _, g := range w.Goals {
		r.judge(out, g, rows)
	}
	return err
}

// fastest returns the fastest row of an implementation, or of [Others], with so many workers, or nil.
func fastest(rows []*row, workers int, name string) *row {
	var all []*row
	for _, r := range rows {
		other := r.name != Sequential && r.name != Ours && r.name != OursFutex
		if r.timed() && (r.name == name || name == Others && other) && (r.Workers == workers || r.Implementation.Fixed) {
			all = append(all, r)
		}
	}
	if all == nil {
		return nil
	}
	return slices.MinFunc(all, func(a, b *row) int { return cmp.Compare(a.judged, b.judged) })
}

// judge prints whether a goal is kept, for each of our rows that it is about, unless what it is
// compared with was not measured.
func (r *Report) judge(out io.Writer, g Goal, rows []*row) {
	for _, ours := range rows {
		if ours.name != Ours || !ours.timed() || g.Workers > 0 && ours.Workers != g.Workers {
			continue
		}
		is, tail, of, write := ours.judged, ours.p99, "", nanos
		if g.Of != "" {
			other := fastest(rows, ours.Workers, g.Of)
			if other == nil {
				continue
			}
			is, tail, of, write = is/other.judged, tail/other.p99, " of "+other.name, times
		}
		reads := write(is)
		if g.Tail {
			reads += ", p99 " + write(tail)
			is = max(is, tail)
		}
		verdict := "missed"
		r.told++
		if is <= g.Most {
			verdict = "kept"
			r.kept++
		}
		fmt.Fprintf(out, "%s, with %d workers: at most %s%s: %s\n", verdict, ours.Workers, write(g.Most), of, reads)
	}
}

// End prints how many goals are kept. The error says that something was missing, failed or answered wrong. A
// run that hangs is a result.
func (r *Report) End(out io.Writer) error {
	if r.told > 0 {
		fmt.Fprintf(out, "\ngoals: %d of %d kept\n", r.kept, r.told)
	}
	if r.failed > 0 {
		return fmt.Errorf("%d rows could not be measured, or had a wrong answer: see below the tables", r.failed)
	}
	return nil
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
func Lines(out io.Writer, cells []*Cell) (err error) {
	for _, c := range cells {
		// Dashes would be taken for the number of processors.
		name := strings.ReplaceAll(c.Workload.Name, "-", "_")
		for _, ns := range c.Nanos {
			if c.Err == nil && err == nil {
				_, err = fmt.Fprintf(out, "Benchmark/%s/impl=%s/workers=%d 1 %v ns/%s\n", name, c.Implementation.Name, c.Workers, ns, c.Workload.Unit)
			}
		}
	}
	return err
}
