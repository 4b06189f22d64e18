package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// A Hue is a colour of the page's style sheet, which has two for each: one for
// light screens, one for dark ones. In a drawing it stands as a code, which
// Render replaces by the name.
type Hue string

// hues are the names in the style sheet.
var hues = []Hue{
	"ink", "faint", "plain", "ours", "go", "abroad", "violet", "gold",
	"ours-band", "go-band", "abroad-band", "violet-band", "gold-band",
}

// Band is the same colour, so light that what is beneath shows through. Neither
// "ink" nor "faint" nor "plain" has one.
func (h Hue) Band() Hue { return h + "-band" }

// RGBA implements [color.Color].
func (h Hue) RGBA() (r, g, b, a uint32) {
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
