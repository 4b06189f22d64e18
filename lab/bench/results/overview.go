package results

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/figure"
)

// draw shows how many times as fast the pool is as others.
func (g *glance) draw() (*figure.Figure, error) {
	p := figure.NewPlot()
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, figure.RatioTicks{}
	p.X.Min, p.X.Max = 0.5, 2
	var names []string
	for _, s := range g.Standings {
		names = append(names, s.Workload)
		for _, v := range s.Versus {
			if v.Times > 0 {
				p.X.Min, p.X.Max = min(p.X.Min, v.Times), max(p.X.Max, v.Times)
			}
		}
	}
	figure.Widen(&p.X, 0.04, 0.04)
	figure.NameRows(p, names)
	figure.Grid(p, true, false)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		x := at(1, 0).X
		c.StrokeLine2(draw.LineStyle{Color: figure.Hue("ink"), Width: vg.Points(1)}, x, c.Min.Y, x, c.Max.Y)
		for i, s := range g.Standings {
			y := float64(len(names) - 1 - i)
			for j, v := range s.Versus {
				if v.Times > 0 {
					c.DrawGlyph(g.Rivals[j].look.glyph(), at(v.Times, y))
				}
			}
		}
	}))
	f := &figure.Figure{Title: "How many times as fast", Axis: "slower ← this repository → faster"}
	for _, r := range g.Rivals {
		f.Legend = append(f.Legend, figure.Key{Hue: r.look.Hue, Mark: r.look.Mark, Name: "as " + r.Rival})
	}
	var err error
	f.SVG, err = figure.Render(p, figure.Height(len(names)), vg.Points(6))
	return f, err
}
