package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
)

// isDepth reports whether the workload is a row of the table by depth.
func (w *Workload) isDepth() bool { return strings.HasPrefix(w.Name, bench.DepthPrefix) }

// depths returns what a fork costs in trees of each depth, or nil if none was
// measured. "Lock-Free Futex Wake" has such a table, of whole runs.
func (r *Report) depths() *comparison {
	c := comparison{
		ID: "depth", Title: "fork-join by depth",
		About: "complete binary trees of 2^depth-1 nodes, a fork at every inner one; time for each fork, p10, one Run included",
		Texts: 1, Header: []string{"depth", "forks"},
	}
	var of []column
	for i := range r.Workloads {
		if w := &r.Workloads[i]; w.isDepth() {
			of = w.addColumns(of)
		}
	}
	for _, column := range of {
		c.Header = append(c.Header, column.title())
	}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if !w.isDepth() {
			continue
		}
		cells := []string{strings.TrimPrefix(w.Name, bench.DepthPrefix), strconv.Itoa(w.Ops)}
		for _, column := range of {
			cell := ""
			if row := w.row(column.implementation, column.workers); row != nil {
				cell = nanos(row.Judged)
			}
			cells = append(cells, cell)
		}
		c.Rows = append(c.Rows, cells)
	}
	if len(of) == 0 {
		return nil
	}
	return &c
}

// A column is an implementation with a number of workers, 0 if that means
// nothing to it.
type column struct {
	implementation string
	workers        int
	scales         bool
}

func (c column) title() string {
	if !c.scales {
		return c.implementation
	}
	return fmt.Sprintf("%s, %d", c.implementation, c.workers)
}

// addColumns adds those that the workload has and that are not there yet.
func (w *Workload) addColumns(all []column) []column {
	for _, r := range w.Rows {
		c := column{r.Implementation, r.Workers, r.scales()}
		if r.Judged != nil && r.Error == "" && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}
