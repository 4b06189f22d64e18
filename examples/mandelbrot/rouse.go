package main

import (
	"image"

	"github.com/rouse-go/rouse/par"
)

// drawn draws the rows on all processors.
func drawn(v view) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, v.width, v.height))
	par.For(v.height, func(y int) { v.row(p, y) })
	return p
}
