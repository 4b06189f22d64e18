package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// isFill reports whether the workload is one of leaves that sleep.
func (w *Workload) isFill() bool { return strings.HasPrefix(w.Name, bench.FillPrefix) }

// shape returns the name of a workload of sleeping leaves without its number
// of workers.
func (w *Workload) shape() string { return w.Name[:strings.LastIndex(w.Name, "-")] }

// filler is what the sleeping leaves are compared with: as many goroutines at
// once as there are workers.
const filler = "goroutine"

// fills returns how fast pools get all their workers to work, or nil if that
// was not measured.
func (r *Report) fills() *comparison {
	c := comparison{
		ID: "fill", Title: "leaves that sleep",
		About: fmt.Sprintf("two leaves of %v for each worker, all workers asleep before; medians, in leaf times (perfect is %d), and to as many goroutines at once",
			work.LeafTime, work.FillLeaves(1)),
		Texts: 2, Header: []string{"", "implementation"},
	}
	var shapes []string
	var counts []int
	var names []string
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if !w.isFill() {
			continue
		}
		shapes = addNew(shapes, w.shape())
		for _, row := range w.Rows {
			if row.Median != nil && row.Error == "" {
				counts, names = addNew(counts, row.Workers), addNew(names, row.Implementation)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(counts)
	for _, n := range counts {
		c.Header = append(c.Header, plural(n, "worker"), "leaf times", "to "+filler)
	}
	for _, shape := range shapes {
		for _, name := range names {
			if cells := r.fillCells(shape, name, counts); strings.Join(cells, "") != "" {
				c.Rows = append(c.Rows, append([]string{shape, shortName(name)}, cells...))
			}
		}
	}
	return &c
}

// fillCells returns three cells for each number of workers.
func (r *Report) fillCells(shape, implementation string, counts []int) (cells []string) {
	for _, n := range counts {
		var time, leaves, to string
		if w := r.workload(shape + "-" + strconv.Itoa(n)); w != nil {
			if row := w.row(implementation, n); row != nil {
				time, leaves = nanos(row.Median), digits(*row.Median/float64(work.LeafTime))
				if other := w.row(filler, n); other != nil {
					to = times(ratio(row, other))
				}
			}
		}
		cells = append(cells, time, leaves, to)
	}
	return cells
}

// shortName leaves out of a combination's name what is as in the pool's
// defaults.
func shortName(implementation string) string {
	c, ok := (&Row{Implementation: implementation}).combination()
	if !ok || c.Deque != "chaselev" || c.Publish != "demand" {
		return implementation
	}
	return "rouse/sleep=" + c.Sleep
}

func addNew[T comparable](all []T, x T) []T {
	if slices.Contains(all, x) {
		return all
	}
	return append(all, x)
}
