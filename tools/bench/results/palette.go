package results

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/tools/bench"
)

// A hue is a colour of the page's style sheet, which has two for each: one for
// light screens, one for dark ones. In a drawing it stands as a code, which
// render replaces by the name.
type hue string

// hues are the names in the style sheet.
var hues = []hue{"ink", "faint", "plain", "ours", "go", "abroad"}

// RGBA implements [color.Color].
func (h hue) RGBA() (r, g, b, a uint32) {
	return color.RGBA{1, 2, uint8(slices.Index(hues, h)), 255}.RGBA()
}

// named replaces the codes in an SVG by the names.
var named = func() *strings.Replacer {
	var pairs []string
	for i, h := range hues {
		pairs = append(pairs, fmt.Sprintf("#0102%02X", i), "var(--"+string(h)+")")
	}
	return strings.NewReplacer(pairs...)
}()

// A family is implementations that look alike: each its colour and its shape,
// since not everybody sees the colours.
type family struct {
	key
	shape draw.GlyphDrawer
}

var (
	plain  = family{key{"plain", "◆", "without parallelism"}, diamond{}}
	rouse  = family{key{"ours", "●", "this repository"}, draw.CircleGlyph{}}
	inGo   = family{key{"go", "■", "others in Go"}, draw.BoxGlyph{}}
	abroad = family{key{"abroad", "▲", "in other languages"}, draw.PyramidGlyph{}}
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
	case slices.Contains([]string{"rayon", "onetbb", "openmp"}, r.Implementation):
		return abroad
	}
	return inGo
}

// Hue is the row's in the page's tables.
func (r Row) Hue() string { return string(r.family().key.Hue) }

func (f family) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: f.key.Hue, Radius: vg.Points(2.5), Shape: f.shape}
}

func (f family) line() draw.LineStyle {
	return draw.LineStyle{Color: f.key.Hue, Width: vg.Points(lineWidth)}
}

// dashes are a line that is no measurement by itself.
func (f family) dashes() draw.LineStyle {
	return draw.LineStyle{Color: f.key.Hue, Width: vg.Points(lineWidth), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
}
