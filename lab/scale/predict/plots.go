package predict

import (
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/figure"
)

// plotHeight is that of both plots of a workload.
const plotHeight = 8 * vg.Centimeter

// drawSpeedups shows the speed-up against the number of workers: a band from low
// to high, base as a line in it, and Graham's bound.
func drawSpeedups(courses []course) (*figure.Figure, error) {
	p := byWorkers(courses)
	var all []float64
	for _, c := range courses {
		for _, cell := range c.Cells {
			all = append(all, cell.Low, cell.High, cell.Bound)
		}
	}
	figure.Speedups(&p.Y, all...)
	figure.Grid(p, true, true)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		for _, course := range courses {
			course.drawBand(c, at)
		}
		for _, b := range bounds(courses) {
			drawLine(c, at, b, func(cell Cell) float64 { return cell.Bound }, draw.LineStyle{
				Color: figure.Hue("plain"), Width: vg.Points(figure.LineWidth), Dashes: []vg.Length{vg.Points(3), vg.Points(2)},
			})
		}
		for _, course := range courses {
			course.draw(c, at, func(cell Cell) float64 { return cell.Base })
		}
	}))
	svg, err := figure.Render(p, plotHeight, vg.Points(6))
	return &figure.Figure{
		Title: "Predicted speed-up", SVG: svg, Axis: "over the plain program, against workers",
		Note: "Bands reach from low to high; dashed: Graham's bound.",
	}, err
}

// drawParts shows which part of the bound the sharing of work reaches.
func drawParts(courses []course) (*figure.Figure, error) {
	p := byWorkers(courses)
	p.Y.Min, p.Y.Max = 0, 1
	for _, c := range courses {
		for _, cell := range c.Cells {
			p.Y.Max = max(p.Y.Max, cell.OfBound)
		}
	}
	var ticks plot.ConstantTicks
	for tenths := 0.0; tenths <= 10; tenths += 2 {
		ticks = append(ticks, plot.Tick{Value: tenths / 10, Label: strconv.FormatFloat(tenths/10, 'g', 1, 64)})
	}
	p.Y.Tick.Marker = ticks
	p.Y.Max *= 1.03
	figure.Grid(p, true, true)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		for _, course := range courses {
			course.draw(c, at, func(cell Cell) float64 { return cell.OfBound })
		}
	}))
	svg, err := figure.Render(p, plotHeight, vg.Points(6))
	return &figure.Figure{Title: "Part of the bound", SVG: svg, Axis: "(T1/P + T∞)/TP, against workers"}, err
}

// shortest is the least time that a plot shows: a logarithm has no 0.
const shortest = 1 // ns

func shownRamp(c Cell) float64 { return max(shortest, c.Ramp) }

// drawRamps shows the ramp against the number of workers. One worker has none.
func drawRamps(courses []course) (*figure.Figure, error) {
	var ramps []course
	var all []float64
	for _, c := range courses {
		c.Cells = slices.DeleteFunc(slices.Clone(c.Cells), func(cell Cell) bool { return cell.Workers == 1 })
		for _, cell := range c.Cells {
			all = append(all, shownRamp(cell))
		}
		ramps = append(ramps, c)
	}
	if all == nil {
		return nil, nil
	}
	p := byWorkers(ramps)
	figure.Logarithmic(&p.Y, all...)
	figure.Grid(p, true, true)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		for _, course := range ramps {
			course.draw(c, at, shownRamp)
		}
	}))
	svg, err := figure.Render(p, plotHeight, vg.Points(6))
	return &figure.Figure{Title: "Ramp", SVG: svg, Axis: "until all useful workers work, against workers"}, err
}

// byWorkers returns a plot against the numbers of workers.
func byWorkers(courses []course) *plot.Plot {
	var counts []int
	for _, c := range courses {
		for _, cell := range c.Cells {
			counts = append(counts, cell.Workers)
		}
	}
	slices.Sort(counts)
	p := figure.NewPlot()
	figure.Workers(&p.X, slices.Compact(counts))
	figure.Widen(&p.X, 0.03, 0.03)
	return p
}

// bounds returns the courses of Graham's bound: one for each size that the
// workload has in the reports, with all numbers of workers.
func bounds(courses []course) (all [][]Cell) {
	var of []string
	for _, c := range courses {
		for _, cell := range c.Cells {
			i := slices.Index(of, cell.About)
			if i < 0 {
				i, of, all = len(of), append(of, cell.About), append(all, nil)
			}
			all[i] = append(all[i], cell)
		}
	}
	for i, cells := range all {
		slices.SortStableFunc(cells, func(a, b Cell) int { return a.Workers - b.Workers })
		all[i] = slices.CompactFunc(cells, func(a, b Cell) bool { return a.Workers == b.Workers })
	}
	return all
}

func drawLine(c draw.Canvas, at func(x, y float64) vg.Point, cells []Cell, value func(Cell) float64, style draw.LineStyle) {
	var points []vg.Point
	for _, cell := range cells {
		points = append(points, at(float64(cell.Workers), value(cell)))
	}
	if len(points) == 1 { // short, or there would be nothing to see
		beside := vg.Point{X: vg.Points(8)}
		points = []vg.Point{points[0].Sub(beside), points[0].Add(beside)}
	}
	c.StrokeLines(style, points)
}

// draw draws a line with a glyph at each number of workers.
func (s *course) draw(c draw.Canvas, at func(x, y float64) vg.Point, value func(Cell) float64) {
	if len(s.Cells) > 1 {
		drawLine(c, at, s.Cells, value, draw.LineStyle{Color: s.Hue, Width: vg.Points(1.2 * figure.LineWidth)})
	}
	for _, cell := range s.Cells {
		c.DrawGlyph(draw.GlyphStyle{Color: s.Hue, Radius: vg.Points(2.5), Shape: s.shape}, at(float64(cell.Workers), value(cell)))
	}
}

// drawBand fills what is between low and high. One number of workers has no width,
// and gets a bar.
func (s *course) drawBand(c draw.Canvas, at func(x, y float64) vg.Point) {
	var low, high []vg.Point
	for _, cell := range s.Cells {
		low = append(low, at(float64(cell.Workers), cell.Low))
		high = append(high, at(float64(cell.Workers), cell.High))
	}
	if len(s.Cells) == 1 {
		c.StrokeLines(draw.LineStyle{Color: s.Hue, Width: vg.Points(figure.LineWidth)}, []vg.Point{low[0], high[0]})
		return
	}
	slices.Reverse(high)
	c.FillPolygon(s.Hue.Band(), append(low, high...))
}
