package results

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/figure"
)

// A family is implementations that look alike: each its colour and its shape,
// since not everybody sees the colours.
type family struct {
	figure.Key
	shape draw.GlyphDrawer
}

var (
	plain  = family{figure.Key{Hue: "plain", Mark: "◆", Name: "without parallelism"}, figure.Diamond{}}
	rouse  = family{figure.Key{Hue: "ours", Mark: "●", Name: "this repository"}, draw.CircleGlyph{}}
	inGo   = family{figure.Key{Hue: "go", Mark: "■", Name: "others in Go"}, draw.BoxGlyph{}}
	abroad = family{figure.Key{Hue: "abroad", Mark: "▲", Name: "in other languages"}, draw.PyramidGlyph{}}
)

// families are in the order of the legend.
var families = []family{rouse, inGo, abroad, plain}

// family returns the one that the row belongs to.
func (r *Row) family() family {
	switch {
	case r.Kind == bench.Plain.String():
		return plain
	case r.Kind == bench.Ours.String():
		return rouse
	case bench.IsOutside(r.Implementation):
		return abroad
	}
	return inGo
}

// Hue is the row's in the page's tables.
func (r Row) Hue() string { return string(r.family().Key.Hue) }

func (f family) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: f.Key.Hue, Radius: vg.Points(2.5), Shape: f.shape}
}

func (f family) line() draw.LineStyle {
	return draw.LineStyle{Color: f.Key.Hue, Width: vg.Points(figure.LineWidth)}
}

// dashes are a line that is no measurement by itself.
func (f family) dashes() draw.LineStyle {
	return draw.LineStyle{Color: f.Key.Hue, Width: vg.Points(figure.LineWidth), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
}
