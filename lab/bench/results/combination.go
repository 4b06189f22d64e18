package results

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/figure"
)

// A combination is the parts of a pool that is one of many.
type combination struct{ Deque, Sleep, Publish string }

// combination returns the parts that the row's name lists, if it does.
func (r *Row) combination() (c combination, ok bool) {
	rest, ok := strings.CutPrefix(r.Implementation, "rouse/deque=")
	if !ok {
		return c, false
	}
	if c.Deque, rest, ok = strings.Cut(rest, "/sleep="); ok {
		c.Sleep, c.Publish, ok = strings.Cut(rest, "/publish=")
	}
	return c, ok
}

// drawCombinations compares the combinations of backends with the greatest
// number of workers.
func drawCombinations(w *Workload) (*figure.Figure, error) {
	var rows []Row
	most := 0
	var sleeps []string
	var all []float64
	for _, r := range w.Rows {
		c, ok := r.combination()
		if !ok || r.Judged == nil || r.Error != "" || *r.Judged <= 0 {
			continue
		}
		if r.Workers > most {
			most, rows, sleeps, all = r.Workers, nil, nil, nil
		}
		if r.Workers == most {
			rows, all = append(rows, r), append(all, *r.Judged)
			if !slices.Contains(sleeps, c.Sleep) {
				sleeps = append(sleeps, c.Sleep)
			}
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	p := figure.NewPlot()
	defaults := w.row(ours, most)
	if defaults != nil && *defaults.Judged > 0 {
		all = append(all, *defaults.Judged)
	}
	figure.Logarithmic(&p.X, all...)
	figure.NameRows(p, sleeps)
	figure.Grid(p, true, false)
	p.Add(figure.Drawing(func(c draw.Canvas, at func(x, y float64) vg.Point) {
		if defaults != nil && *defaults.Judged > 0 {
			x := at(*defaults.Judged, 0).X
			c.StrokeLine2(rouse.dashes(), x, c.Min.Y, x, c.Max.Y)
		}
		for _, r := range rows {
			of, _ := r.combination()
			i := slices.IndexFunc(parts, func(p part) bool { return p.deque == of.Deque && p.publish == of.Publish })
			if i < 0 {
				continue
			}
			y := float64(len(sleeps)-1-slices.Index(sleeps, of.Sleep)) + 0.3 - 0.2*float64(i)
			c.DrawGlyph(draw.GlyphStyle{Color: parts[i].Hue, Radius: vg.Points(2.5), Shape: parts[i].shape}, at(*r.Judged, y))
		}
	}))
	f := &figure.Figure{Title: "Combinations of backends with " + plural(most, "worker"), Axis: w.axisLabel(), Note: "Dashed: the defaults."}
	for _, p := range parts {
		f.Legend = append(f.Legend, p.Key)
	}
	var err error
	f.SVG, err = figure.Render(p, figure.Height(2*len(sleeps)), vg.Points(6))
	return f, err
}

// A part is how a deque and a way to publish look.
type part struct {
	deque, publish string
	figure.Key
	shape draw.GlyphDrawer
}

var parts = []part{
	{"chaselev", "demand", figure.Key{Hue: "ours", Mark: "●", Name: "chaselev, on demand"}, draw.CircleGlyph{}},
	{"locked", "demand", figure.Key{Hue: "ours", Mark: "■", Name: "locked, on demand"}, draw.BoxGlyph{}},
	{"chaselev", "eager", figure.Key{Hue: "go", Mark: "○", Name: "chaselev, eager"}, figure.Hollow{Sides: 0, Larger: 1}},
	{"locked", "eager", figure.Key{Hue: "go", Mark: "□", Name: "locked, eager"}, figure.Hollow{Sides: 4, Larger: 1.2}},
}
