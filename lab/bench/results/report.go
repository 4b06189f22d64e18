// Package results says what came of a benchmark: in tables, and in the format of Go
// benchmarks.
package results

import (
	"math"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/machine"
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
	bench.Summary
	judged float64 // by the workload's statistic
}

// New makes a report of what was measured.
func New(m machine.Machine, cells []*bench.Cell) *Report {
	r := &Report{Machine: m}
	for _, c := range cells {
		if n := len(r.workloads); n == 0 || r.workloads[n-1].Workload != c.Workload {
			r.workloads = append(r.workloads, &workload{Workload: c.Workload})
		}
		one := &row{Cell: c}
		if len(c.Nanos) > 0 {
			one.Summary = bench.Summarize(c.Nanos)
			if one.judged = one.Median; c.Workload.Judge == bench.Cost {
				one.judged = one.P10
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
	if count < 0 || r.Counted == 0 {
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
	return r.Implementation == name
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
		named := slices.Contains(names, r.Implementation) || names[0] == anyPeer && r.Kind == bench.Peer
		return named && (r.Workers == workers || r.Kind == bench.Plain)
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
