package results

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/tools/bench"
)

// A course is how the time of one implementation goes with the number of
// workers.
type course struct {
	Row
	counts, nanos []float64
}

// drawWorkers shows the time against the number of workers.
func drawWorkers(w *Workload) (*figure, error) {
	rows := slices.DeleteFunc(w.timed(), func(r Row) bool {
		return !r.scales() && r.Implementation != bench.SequentialName
	})
	counts := workerCounts(rows)
	if len(counts) < 2 {
		return nil, nil
	}
	p := newPlot()
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, workerTicks(counts)
	p.X.Min, p.X.Max = float64(counts[0]), float64(counts[len(counts)-1])
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
	logarithmic(&p.Y, all...)
	grid(p, true, true)
	p.Add(drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
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
		for i, y := range apart(ends, vg.Points(fontSize+1), c.Min.Y, c.Max.Y) {
			f := lines[i].family()
			c.StrokeLine2(draw.LineStyle{Color: f.Hue, Width: vg.Points(0.4)}, c.Max.X+vg.Points(3), ends[i], c.Max.X+vg.Points(14), y)
			write(c, c.Max.X+vg.Points(16), y, names[i])
		}
	}))
	svg, err := render(p, 8.5*vg.Centimeter, widest(names)+vg.Points(17))
	return &figure{Title: "Time against workers", SVG: svg, Axis: w.axisLabel() + ", against the number of workers"}, err
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

// apart moves what is at these places so far apart that they have a gap
// between them, all within the limits if there is room.
func apart(places []vg.Length, gap, least, most vg.Length) []vg.Length {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	moved := slices.Clone(places)
	for range 200 { // It settles long before.
		for i := 1; i < len(order); i++ {
			low, high := &moved[order[i-1]], &moved[order[i]]
			if lacks := gap - (*high - *low); lacks > 0 {
				*low -= lacks / 2
				*high += lacks / 2
			}
		}
		for i := range moved {
			moved[i] = min(max(moved[i], least), most)
		}
	}
	return moved
}
