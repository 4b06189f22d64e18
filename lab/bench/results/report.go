// Package results says what came of a benchmark: in tables, and in the format of Go
// benchmarks.
package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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
	summary
	judged float64 // by the workload's statistic
}

// A summary says how the times of many runs are distributed.
type summary struct {
	// The median, and between what it is with a confidence of 95 %; infinite
	// if there are too few runs to say.
	median, low, high float64
	p10, p99          float64
}

// summarize assumes nothing of how the times, at least one, are distributed.
func summarize(nanos []float64) summary {
	sample := benchmath.NewSample(slices.Clone(nanos), &benchmath.DefaultThresholds)
	median := benchmath.AssumeNothing.Summary(sample, 0.95)
	order := stats.Sample{Xs: sample.Values, Sorted: true}
	return summary{median.Center, median.Lo, median.Hi, order.Quantile(0.1), order.Quantile(0.99)}
}

// New makes a report of what was measured.
func New(m machine.Machine, cells []*bench.Cell) *Report {
	r := &Report{Machine: m}
	for _, c := range cells {
		if n := len(r.workloads); n == 0 || r.workloads[n-1].Workload != c.Workload {
			r.workloads = append(r.workloads, &workload{Workload: c.Workload})
		}
		one := &row{Cell: c, name: c.Implementation.Name}
		if len(c.Nanos) > 0 {
			one.summary = summarize(c.Nanos)
			if one.judged = one.median; c.Workload.Judge == bench.Cost {
				one.judged = one.p10
			}
		}
		w := r.workloads[len(r.workloads)-1]
		w.rows = append(w.rows, one)
	}
	return r
}

// OK reports whether nothing was missing, failed or answered wrong.
func (r *Report) OK() bool { return len(r.problems()) == 0 }

// timed reports whether the row has times, and right answers.
func (r *row) timed() bool { return len(r.Nanos) > 0 && r.Err == nil }

// per is a count of a run, pauses between runs included.
func (r *row) per(count int64) float64 {
	if r.Counted == 0 {
		return math.NaN()
	}
	return float64(count) / float64(r.Counted)
}

// isOurs reports whether the row stands for this repository: module par where there are
// loops, else the pool on its defaults.
func (r *row) isOurs() bool {
	name := "rouse"
	if strings.HasPrefix(r.Workload.Name, bench.ParPrefix) || strings.HasPrefix(r.Workload.Name, bench.SweepPrefix) {
		name = bench.ParName
	}
	return r.name == name
}

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

// WriteBenchfmt prints a line for each run in the format of Go benchmarks, for
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
		name := strings.ReplaceAll(workload.Name, "-", "_")
		name = strings.ToUpper(name[:1]) + name[1:]
		for _, row := range workload.rows {
			if !row.timed() {
				continue
			}
			full := benchfmt.Name(fmt.Sprintf("%s/impl=%s/workers=%d", name, row.name, row.Workers))
			for _, ns := range row.Nanos {
				values := []benchfmt.Value{seconds(ns*float64(workload.Ops), "op")}
				if workload.Ops > 1 {
					values = append(values, seconds(ns, workload.Unit))
				}
				if u := row.Usage; row.Counted > 0 {
					values = append(values, benchfmt.Value{Value: row.per(u.Bytes), Unit: "B/op"}, benchfmt.Value{Value: row.per(u.Allocs), Unit: "allocs/op"})
				}
				if err := out.Write(&benchfmt.Result{Config: config, Name: full, Iters: 1, Values: values}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seconds is a time as benchmarks print it, in nanoseconds.
func seconds(ns float64, unit string) benchfmt.Value {
	return benchfmt.Value{Value: ns / 1e9, Unit: "sec/" + unit, OrigValue: ns, OrigUnit: "ns/" + unit}
}
