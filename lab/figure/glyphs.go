package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Diamond is a filled square that stands on a corner.
type Diamond struct{}

// DrawGlyph implements [draw.GlyphDrawer].
func (Diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetColor(s.Color)
	c.Fill(corners(at, s.Radius*1.2, 4, 0))
}

// Hollow is the outline of a polygon, or of a circle if it has no sides, larger
// by a factor than what is filled.
type Hollow struct {
	Sides  int
	Larger vg.Length
}

// DrawGlyph implements [draw.GlyphDrawer].
func (h Hollow) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: s.Color, Width: vg.Points(LineWidth)})
	if h.Sides > 0 {
		c.Stroke(corners(at, s.Radius*h.Larger, h.Sides, math.Pi/float64(h.Sides)))
		return
	}
	var circle vg.Path
	circle.Move(vg.Point{X: at.X + s.Radius*h.Larger, Y: at.Y})
	circle.Arc(at, s.Radius*h.Larger, 0, 2*math.Pi)
	circle.Close()
	c.Stroke(circle)
}

// corners is a regular polygon, turned by an angle.
func corners(at vg.Point, radius vg.Length, sides int, angle float64) (p vg.Path) {
	for i := range sides {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(sides))
		corner := at.Add(vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)})
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}
