package results

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/rouse-go/rouse/tools/bench"
)

// colors of the kinds, and of lines of which each has its own.
var (
	kindColors = map[string]color.RGBA{
		bench.Plain.String(): {0x6e, 0x6e, 0x6e, 255},
		bench.Peer.String():  {0x2b, 0x6c, 0xb0, 255},
		bench.Ours.String():  {0xd6, 0x4b, 0x1f, 255},
	}
	lineColors = []color.RGBA{
		{0x2b, 0x6c, 0xb0, 255}, {0x2f, 0x85, 0x5a, 255}, {0x6b, 0x46, 0xc1, 255}, {0xb8, 0x83, 0x1a, 255},
		{0x0b, 0x8a, 0x9e, 255}, {0xb8, 0x32, 0x80, 255}, {0x4a, 0x55, 0x68, 255}, {0x7a, 0x9a, 0x01, 255},
	}
)

// lineColor returns a colour for the i-th line; ours stand out.
func lineColor(r *Row, i int) color.RGBA {
	switch {
	case r.Implementation == "rouse":
		return kindColors[r.Kind]
	case r.Implementation == "rouse-eager":
		return color.RGBA{0xf0, 0x95, 0x6b, 255}
	}
	return lineColors[i%len(lineColors)]
}

const width = 17 * vg.Centimeter

// drawTimes compares all implementations with the greatest number of workers
// that most have: a dot for the statistic, a bar for the confidence interval of
// the median.
func drawTimes(w *Workload) (figure, bool, error) {
	rows := w.plotted()
	if len(rows) == 0 {
		return figure{}, false, nil
	}
	if counts := workerCounts(rows); len(counts) > 0 {
		most := counts[len(counts)-1]
		rows = slices.DeleteFunc(rows, func(r Row) bool { return r.Kind != plain && r.Workers != most })
	}
	slices.SortFunc(rows, func(a, b Row) int { return -cmp.Compare(*a.Judged, *b.Judged) })

	p := plot.New()
	p.X.Label.Text = "time for each " + w.Unit + ", " + w.Judge
	logarithmic(&p.X)
	var names []string
	for i, r := range rows {
		names = append(names, r.Implementation)
		at := plotter.XYs{{X: *r.Judged, Y: float64(i)}}
		dot, err := plotter.NewScatter(at)
		if err != nil {
			return figure{}, false, err
		}
		dot.GlyphStyle = draw.GlyphStyle{Color: kindColors[r.Kind], Radius: vg.Points(4), Shape: draw.CircleGlyph{}}
		p.Add(dot)
		if w.Judge == "median" && r.MedianLow != nil && r.MedianHigh != nil && *r.MedianLow > 0 {
			interval, err := plotter.NewLine(plotter.XYs{{X: *r.MedianLow, Y: float64(i)}, {X: *r.MedianHigh, Y: float64(i)}})
			if err != nil {
				return figure{}, false, err
			}
			interval.Color, interval.Width = kindColors[r.Kind], vg.Points(1.5)
			p.Add(interval)
		}
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(rows))-0.4
	grid := plotter.NewGrid()
	grid.Horizontal.Color = nil
	p.Add(grid)
	return render(p, "Times", vg.Length(len(rows))*0.6*vg.Centimeter+2.2*vg.Centimeter)
}

// drawWorkers shows the time against the number of workers.
func drawWorkers(w *Workload) (figure, bool, error) {
	rows := w.plotted()
	counts := workerCounts(rows)
	if len(counts) < 2 {
		return figure{}, false, nil
	}
	p := plot.New()
	p.X.Label.Text = "workers"
	p.Y.Label.Text = "time for each " + w.Unit
	logarithmic(&p.Y)
	p.X.Tick.Marker = ticksAt(counts)
	p.Add(plotter.NewGrid())
	var legend []entry
	var order []string
	byName := make(map[string]plotter.XYs)
	first := make(map[string]*Row)
	for i := range rows {
		r := &rows[i]
		if first[r.Implementation] == nil {
			first[r.Implementation] = r
			order = append(order, r.Implementation)
		}
		byName[r.Implementation] = append(byName[r.Implementation], plotter.XY{X: float64(r.Workers), Y: *r.Judged})
	}
	for _, name := range order {
		xys := byName[name]
		if first[name].Kind == plain { // the same for any number
			xys = plotter.XYs{{X: float64(counts[0]), Y: xys[0].Y}, {X: float64(counts[len(counts)-1]), Y: xys[0].Y}}
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			return figure{}, false, err
		}
		line.Color, line.Width = lineColor(first[name], len(legend)), vg.Points(1.5)
		if first[name].Kind == plain {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line)
		legend = append(legend, entry{name, css(line.Color)})
	}
	return render(p, "Time against workers", 9*vg.Centimeter, legend...)
}

// drawDistribution shows which part of the runs took at most how long, where
// each run is an event of its own.
func drawDistribution(w *Workload) (figure, bool, error) {
	if w.Ops != 1 || w.Unit != "job" && w.Unit != "post" {
		return figure{}, false, nil
	}
	p := plot.New()
	p.X.Label.Text = "time"
	p.Y.Label.Text = "part of the runs that took at most this"
	p.Y.Min, p.Y.Max = 0, 1
	logarithmic(&p.X)
	p.Add(plotter.NewGrid())
	var legend []entry
	for i, r := range w.plotted() {
		ns := slices.Sorted(slices.Values(r.Nanos))
		var xys plotter.XYs
		for j, x := range ns {
			xys = append(xys, plotter.XY{X: max(x, 1), Y: float64(j+1) / float64(len(ns))})
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			return figure{}, false, err
		}
		line.StepStyle = plotter.PostStep
		line.Color, line.Width = lineColor(&r, i), vg.Points(1.5)
		p.Add(line)
		legend = append(legend, entry{r.Implementation, css(line.Color)})
	}
	return render(p, "Distribution", 9*vg.Centimeter, legend...)
}

// logarithmic makes an axis one of times on a logarithmic scale.
func logarithmic(a *plot.Axis) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = timeTicks{}
}

// timeTicks are the ticks of a logarithmic axis in nanoseconds. Where the
// times are so close that no power of ten is among them, the ends are labelled.
type timeTicks struct{}

// Ticks implements [plot.Ticker].
func (timeTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	wide := high/low >= 100
	for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
		for m := 1; m < 10; m++ {
			x := decade * float64(m)
			if x < low || x > high {
				continue
			}
			t := plot.Tick{Value: x}
			if m == 1 || !wide && (m == 2 || m == 5) {
				t.Label = tick(x)
			}
			ticks = append(ticks, t)
		}
	}
	if !slices.ContainsFunc(ticks, func(t plot.Tick) bool { return t.Label != "" }) {
		ticks = append(ticks, plot.Tick{Value: low, Label: tick(low)}, plot.Tick{Value: high, Label: tick(high)})
	}
	return ticks
}

// tick writes a time as short as it can.
func tick(ns float64) string {
	x, unit := scale(ns)
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + unit
}

func ticksAt(counts []int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, n := range counts {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: plural(n, "worker")})
	}
	return ticks
}

// css writes a colour as style sheets do.
func css(c color.Color) template.CSS {
	rgba := color.RGBAModel.Convert(c).(color.RGBA)
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", rgba.R, rgba.G, rgba.B))
}

// render draws a plot as SVG that can stand in a page.
func render(p *plot.Plot, title string, height vg.Length, legend ...entry) (figure, bool, error) {
	p.BackgroundColor = nil // the page has one
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Variant = "Sans"
		a.Tick.Label.Font.Variant = "Sans"
	}
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return figure{}, false, err
	}
	svg := b.Bytes()
	svg = svg[max(0, bytes.Index(svg, []byte("<svg"))):] // without the header of a file
	return figure{Title: title, SVG: template.HTML(svg), Legend: legend}, true, nil
}
