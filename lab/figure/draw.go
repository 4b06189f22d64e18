package figure

import (
	"bytes"
	"html/template"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Figure is a plot, as SVG.
type Figure struct {
	Title  string
	SVG    template.HTML
	Axis   string // what it is of
	Legend []Key
	Note   string
}

// A Key is a line of a legend.
type Key struct {
	Hue  Hue
	Mark string
	Name string
}

const (
	// width is that of all plots: of a small screen, or of a third of a large
	// one, so that nobody has to read them shrunk.
	width    = 10 * vg.Centimeter
	rowPitch = 0.45 * vg.Centimeter

	// FontSize and LineWidth are in points.
	FontSize  = 8
	LineWidth = 1
)

// NewPlot returns an empty plot in the page's style.
func NewPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // The page has one.
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color, a.Tick.Label.Color = Hue("faint"), Hue("faint"), Hue("ink")
		a.Tick.Label.Font.Variant, a.Tick.Label.Font.Size = "Sans", FontSize
	}
	return p
}

// Grid draws lines across, at the ticks that have labels.
func Grid(p *plot.Plot, vertical, horizontal bool) {
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, draw.LineStyle{}
	faint := draw.LineStyle{Color: Hue("faint"), Width: vg.Points(0.4)}
	if vertical {
		g.Vertical = faint
	}
	if horizontal {
		g.Horizontal = faint
	}
	p.Add(g)
}

// A Drawing is what a plot shows, drawn by hand.
type Drawing func(c draw.Canvas, at func(x, y float64) vg.Point)

// Plot implements [plot.Plotter].
func (d Drawing) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	d(c, func(px, py float64) vg.Point { return vg.Point{X: x(px), Y: y(py)} })
}

// letters are the style of what is written.
func letters() text.Style {
	style := text.Style{Color: Hue("ink"), Font: plot.DefaultFont, YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant, style.Font.Size = "Sans", FontSize
	return style
}

// Write writes to the right of a point, as high as the axes do beside theirs.
func Write(c draw.Canvas, x, y vg.Length, s string) {
	c.FillText(letters(), vg.Point{X: x, Y: y + letters().FontExtents().Descent}, s)
}

// Widest returns how wide the longest of the texts is.
func Widest(texts []string) (width vg.Length) {
	for _, s := range texts {
		width = max(width, letters().Width(s))
	}
	return width
}

// NameRows makes the y axis one of names, the first at the top.
func NameRows(p *plot.Plot, names []string) {
	upwards := slices.Clone(names)
	slices.Reverse(upwards)
	p.NominalY(upwards...)
	p.Y.Tick.Label.Color = Hue("ink")
	p.Y.Min, p.Y.Max = -0.7, float64(len(names))-0.3
}

// Height returns that of a plot with so many rows.
func Height(rows int) vg.Length { return vg.Length(rows)*rowPitch + vg.Centimeter }

// Render draws a plot as SVG that can stand in a page, with a margin at its
// right.
func Render(p *plot.Plot, height, margin vg.Length) (template.HTML, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(canvas), 0, -margin, 0, -vg.Points(3)))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", err
	}
	_, svg, _ := strings.Cut(b.String(), "<svg") // after the header of a file
	return template.HTML("<svg" + named.Replace(inPage.Replace(svg))), nil
}

// inPage leaves out what the page's style sheet says, and what only a file
// needs.
var inPage = strings.NewReplacer(
	"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "",
	"\n\txmlns=\"http://www.w3.org/2000/svg\"\n\txmlns:xlink=\"http://www.w3.org/1999/xlink\"", "",
)
