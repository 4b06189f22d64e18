package results

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/figure"
)

// A course is how the time of one implementation goes with the number of
// workers.
type course struct {
	Row
	counts, nanos []float64
}

// drawWorkers shows the time against the number of workers.
func drawWorkers(w *Workload) (*figure.Figure, error) {
	rows := slices.DeleteFunc(w.timed(), func(r Row) bool {
		return !r.scales() && r.Implementation != bench.SequentialName
	})
	counts := workerCounts(rows)
	if len(counts) < 2 {
		return nil, nil
	}
	p := figure.NewPlot()
	figure.Workers(&p.X, counts)
	lines := courses(rows)
	if len(lines) == 0 {
		return nil, nil
	}
	var names []string
	var all []float64
	for _, l := range lines {
		names = append(names, l.Implementation)
		all = append(all, l.nanos...)
	}
	figure.Logarithmic(&p.Y, all...)
	figure.Grid(p, true, true)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		var ends []vg.Length
		for _, l := range lines {
			var points []vg.Point
			for i, n := range l.counts {
				points = append(points, at(n, l.nanos[i]))
				c.DrawGlyph(l.family().glyph(), points[i])
			}
			style := l.family().line()
			if !l.scales() { // the same with any number
				style = plain.dashes()
				points = []vg.Point{{X: c.Min.X, Y: points[0].Y}, {X: c.Max.X, Y: points[0].Y}}
			}
			c.StrokeLines(style, points)
			ends = append(ends, points[len(points)-1].Y)
		}
		for i, y := range figure.Apart(ends, vg.Points(figure.FontSize+1), c.Min.Y, c.Max.Y) {
			f := lines[i].family()
			c.StrokeLine2(draw.LineStyle{Color: f.Hue, Width: vg.Points(0.4)}, c.Max.X+vg.Points(3), ends[i], c.Max.X+vg.Points(14), y)
			figure.Write(c, c.Max.X+vg.Points(16), y, names[i])
		}
	}))
	svg, err := figure.Render(p, 8.5*vg.Centimeter, figure.Widest(names)+vg.Points(17))
	return &figure.Figure{Title: "Time against workers", SVG: svg, Axis: w.axisLabel() + ", against the number of workers"}, err
}

// courses puts the rows of each implementation together, if there are several.
func courses(rows []Row) (all []*course) {
	for _, r := range rows {
		i := slices.IndexFunc(all, func(c *course) bool { return c.Implementation == r.Implementation })
		if i < 0 {
			i = len(all)
			all = append(all, &course{Row: r})
		}
		all[i].counts = append(all[i].counts, float64(r.Workers))
		all[i].nanos = append(all[i].nanos, *r.Judged)
	}
	return slices.DeleteFunc(all, func(c *course) bool { return c.scales() && len(c.counts) < 2 })
}
