package results

import (
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
)

// isSweep reports whether the workload is one of the sweep over lengths and grains.
func (w *Workload) isSweep() bool { return strings.HasPrefix(w.Name, bench.SweepPrefix) }

// sweepBeside are those whose times stand in the sweep beside the best grain.
var sweepBeside = []string{bench.SequentialName, "onetbb", "rayon", "goroutine-cutoff"}

// sweep returns how par, without a grain, stands beside the best grain that is set by
// hand, or nil if that was not measured.
func (r *Report) sweep() *comparison {
	c := comparison{
		ID: "sweep", Title: "the sweep",
		About: "medians of par, which has no grain, and of the best one set by hand for each row, where bodies are called and at all; the others by themselves",
		Texts: 3, Header: []string{"elements", "of", "shape", "par", "best grain, called", "", "par to it", "best grain", "", "par to it"},
	}
	c.Header = append(c.Header, sweepBeside...)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		mine := w.row(bench.ParName, w.most(bench.ParName))
		if !w.isSweep() || mine == nil {
			continue
		}
		name := strings.SplitN(strings.TrimPrefix(w.Name, bench.SweepPrefix), "-", 3)
		cells := append(name, make([]string, 3-len(name))...)
		cells = append(cells, nanos(mine.Judged))
		for _, among := range []string{bench.NoVectors + bench.GrainInfix, bench.GrainInfix} {
			best := w.best(func(r *Row) bool {
				return r.Workers == mine.Workers && strings.Contains(r.Implementation, among)
			})
			if best == nil {
				cells = append(cells, "", "", "")
				continue
			}
			grain := strings.Replace(best.Implementation, bench.GrainInfix, ", ", 1)
			cells = append(cells, nanos(best.Judged), grain, times(ratio(mine, best)))
		}
		for _, other := range sweepBeside {
			workers := mine.Workers
			if other == bench.SequentialName {
				workers = 1
			}
			cell := ""
			if row := w.row(other, workers); row != nil {
				cell = nanos(row.Judged)
			}
			cells = append(cells, cell)
		}
		c.Rows = append(c.Rows, cells)
	}
	if c.Rows == nil {
		return nil
	}
	return &c
}
