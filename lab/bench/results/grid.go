package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/tools/columns"
)

// A grid is a table that several workloads make together. Its rows and columns are in the
// order in which they have come.
type grid struct {
	title, about string
	texts        []any // the header of what a row is called by
	rows         [][]string
	columns      []string
	cells        map[[2]string]string // by row and column
}

func (g *grid) put(row []string, column, value string) {
	if g.cells == nil {
		g.cells = map[[2]string]string{}
	}
	if !slices.ContainsFunc(g.rows, func(r []string) bool { return slices.Equal(r, row) }) {
		g.rows = append(g.rows, row)
	}
	if !slices.Contains(g.columns, column) {
		g.columns = append(g.columns, column)
	}
	g.cells[[2]string{strings.Join(row, " "), column}] = value
}

// write appends the grid to a report of lines of this width, if anything was measured.
func (g *grid) write(b *strings.Builder, width int) {
	if g.rows == nil {
		return
	}
	header := slices.Clone(g.texts)
	for _, c := range g.columns {
		header = append(header, c)
	}
	t := columns.New(len(g.texts), header...)
	for _, row := range g.rows {
		var cells []any
		for _, text := range row {
			cells = append(cells, text)
		}
		for _, c := range g.columns {
			cells = append(cells, g.cells[[2]string{strings.Join(row, " "), c}])
		}
		t.Row(cells...)
	}
	fmt.Fprintf(b, "\n%s: %s\n\n%s\n", g.title, g.about, t.Fit(width))
}

// each calls f for all rows that have times, of workloads whose names begin so, with what
// follows in the name.
func (r *Report) each(prefix string, f func(w *workload, name string, row *row)) {
	for _, w := range r.workloads {
		name, ok := strings.CutPrefix(w.Name, prefix)
		for _, row := range w.rows {
			if ok && row.timed() {
				f(w, name, row)
			}
		}
	}
}

// depths has what a fork costs in trees of each depth. "Lock-Free Futex Wake" has such a
// table, of whole runs.
func (r *Report) depths() *grid {
	g := &grid{
		title: "fork-join by depth", texts: []any{"depth", "forks"},
		about: "complete binary trees of 2^depth-1 nodes, a fork at every inner one; time for each fork, p10, one Run included",
	}
	r.each(bench.DepthPrefix, func(w *workload, depth string, row *row) {
		column := row.Implementation
		if row.Kind != bench.Plain {
			column += ", " + strconv.Itoa(row.Workers)
		}
		g.put([]string{depth, strconv.Itoa(w.Ops)}, column, nanos(row.judged))
	})
	return g
}

// filler is what the sleeping leaves are compared with: as many goroutines at
// once as there are workers.
const filler = "goroutine"

// fills says how fast pools get all their workers to work.
func (r *Report) fills() *grid {
	g := &grid{
		title: "leaves that sleep", texts: []any{"", "implementation"},
		about: fmt.Sprintf("two leaves of %v for each worker, all workers asleep before; medians, in leaf times (perfect is %d), and to as many goroutines at once",
			work.LeafTime, work.FillLeaves(1)),
	}
	r.each(bench.FillPrefix, func(w *workload, name string, row *row) {
		shape, _, _ := strings.Cut(name, "-")
		place, workers := []string{bench.FillPrefix + shape, row.Implementation}, strconv.Itoa(row.Workers)
		g.put(place, workers+" workers", nanos(row.Median))
		g.put(place, workers+": leaf times", columns.Digits(row.Median/float64(work.LeafTime)))
		g.put(place, workers+": to "+filler, row.to(w.fastest(row.Workers, filler)))
	})
	return g
}

// sweep says how par, without a grain, stands beside the best grain that is set by hand.
func (r *Report) sweep() *grid {
	g := &grid{
		title: "the sweep", texts: []any{"elements", "of", "shape"},
		about: "medians of par, which has no grain, and of the best one set by hand for each row, where bodies are called and at all; the others by themselves",
	}
	r.each(bench.SweepPrefix, func(w *workload, name string, mine *row) {
		if mine != w.ours() {
			return
		}
		place := append(strings.SplitN(name, "-", 3), "", "")[:3]
		g.put(place, bench.ParName, nanos(mine.judged))
		for _, among := range []struct{ title, names string }{{"called", bench.NoVectors + bench.GrainInfix}, {"all", bench.GrainInfix}} {
			best := w.best(func(r *row) bool { return r.Workers == mine.Workers && strings.Contains(r.Implementation, among.names) })
			if best != nil {
				grain := strings.Replace(best.Implementation, bench.GrainInfix, ", ", 1)
				g.put(place, "best grain, "+among.title, nanos(best.judged)+", "+grain)
				g.put(place, "par to it, "+among.title, mine.to(best))
			}
		}
		for _, other := range []string{bench.SequentialName, "onetbb", "rayon", "goroutine-cutoff"} {
			if row := w.fastest(mine.Workers, other); row != nil {
				g.put(place, other, nanos(row.judged))
			}
		}
	})
	return g
}
