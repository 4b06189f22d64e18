package results

import (
	"cmp"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/figure"
)

// timed returns the rows that have a time to plot, apart from the combinations
// of backends.
func (w *Workload) timed() (rows []Row) {
	for _, r := range w.Rows {
		if _, ok := r.combination(); !ok && r.Judged != nil && r.Error == "" && *r.Judged > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// scales reports whether the number of workers means anything to the row: not
// to plain code, nor to a sleep backend alone.
func (r *Row) scales() bool {
	return r.Kind != bench.Plain.String() && !strings.HasPrefix(r.Implementation, "sleep=")
}

// workerCounts returns the numbers of workers of what scales.
func workerCounts(rows []Row) (counts []int) {
	for _, r := range rows {
		if r.scales() {
			counts = append(counts, r.Workers)
		}
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// atMost keeps the rows with the greatest number of workers, and those to
// which it means nothing.
func atMost(rows []Row) (kept []Row, workers int) {
	counts := workerCounts(rows)
	if len(counts) == 0 {
		return rows, 0
	}
	workers = counts[len(counts)-1]
	return slices.DeleteFunc(rows, func(r Row) bool { return r.scales() && r.Workers != workers }), workers
}

// isEvents reports whether each run is an event of its own, whose times say
// more by how they are distributed.
func (w *Workload) isEvents() bool { return w.Ops == 1 && (w.Unit == "job" || w.Unit == "post") }

// axisLabel says what a time is.
func (w *Workload) axisLabel() string { return "time for each " + w.Unit + ", " + w.Judge }

// drawTimes compares all implementations with the greatest number of workers,
// the fastest at the top.
func drawTimes(w *Workload) (*figure.Figure, error) {
	rows, workers := atMost(w.timed())
	if len(rows) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(*a.Judged, *b.Judged) })

	p := figure.NewPlot()
	var names, values []string
	var ends []float64
	for _, r := range rows {
		names, values = append(names, r.Implementation), append(values, nanos(r.Judged))
		ends = append(ends, *r.Judged)
		if w.isEvents() {
			ends = append(ends, r.percentiles()...)
		} else {
			low, high := r.reach()
			ends = append(ends, low, high)
		}
	}
	figure.Logarithmic(&p.X, ends...)
	figure.NameRows(p, names)
	figure.Grid(p, true, false)
	sequential := w.row(bench.SequentialName, 1)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		if sequential != nil && *sequential.Judged > 0 {
			x := at(*sequential.Judged, 0).X
			c.StrokeLine2(plain.dashes(), x, c.Min.Y, x, c.Max.Y)
		}
		for i, r := range rows {
			y := float64(len(rows) - 1 - i)
			glyph := r.family().glyph()
			if w.isEvents() {
				drawPercentiles(c, at, &r, y)
				glyph.Color = figure.Hue("ink")
			} else {
				low, high := r.reach()
				c.StrokeLines(r.family().line(), []vg.Point{at(low, y), at(high, y)})
			}
			c.DrawGlyph(glyph, at(*r.Judged, y))
			figure.Write(c, c.Max.X+vg.Points(4), at(1, y).Y, values[i])
		}
	}))
	svg, err := figure.Render(p, figure.Height(len(rows)), figure.Widest(values)+vg.Points(5))
	f := &figure.Figure{Title: "Times", SVG: svg, Axis: w.axisLabel(), Note: "Lines reach from the p10 to the p99"}
	if workers > 0 {
		f.Title += " with " + plural(workers, "worker")
	}
	if w.isEvents() {
		f.Note = "Each tick is a percent of the runs, a dark mark the median"
	}
	if sequential != nil {
		f.Note += "; dashed: sequential"
	}
	f.Note += "."
	return f, err
}

// reach returns between what most times are, the p10 and the p99.
func (r *Row) reach() (low, high float64) {
	low, high = *r.Judged, *r.Judged
	if r.P10 != nil && *r.P10 > 0 {
		low = min(low, *r.P10)
	}
	if r.P99 != nil {
		high = max(high, *r.P99)
	}
	return low, high
}

// percentiles returns for each percent of the runs how long its fastest took.
func (r *Row) percentiles() (all []float64) {
	ns := slices.Sorted(slices.Values(r.Nanos))
	for percent := range 100 {
		if len(ns) > 0 {
			all = append(all, max(1, ns[percent*len(ns)/100])) // There is no 0 on the axis.
		}
	}
	return all
}

// drawPercentiles draws a tick for each of them.
func drawPercentiles(c draw.Canvas, at func(x, y float64) vg.Point, r *Row, y float64) {
	var ticks vg.Path
	for _, x := range r.percentiles() {
		ticks.Move(at(x, y).Sub(vg.Point{Y: vg.Points(3.5)}))
		ticks.Line(at(x, y).Add(vg.Point{Y: vg.Points(3.5)}))
	}
	if len(ticks) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: r.family().Hue, Width: vg.Points(0.5)})
		c.Stroke(ticks)
	}
}
