// Mandelbrot draws a part of the Mandelbrot set and writes it as a PNG.
//
//	mandelbrot -o m.png -width 1920 -height 1080
//
// Points inside the set take all iterations, and points far away take few, so some rows take
// a hundred times as long as others.
package main

import (
	"bufio"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("mandelbrot", run) }

func run(ctx context.Context, c *program.Call) error {
	name := c.Flags.String("o", "mandelbrot.png", "the `file` to write")
	v := view{}
	c.Flags.IntVar(&v.width, "width", 1200, "pixels")
	c.Flags.IntVar(&v.height, "height", 800, "pixels")
	c.Flags.Float64Var(&v.x, "x", -0.5, "the real part of the center")
	c.Flags.Float64Var(&v.y, "y", 0, "its imaginary part")
	c.Flags.Float64Var(&v.size, "size", 2.5, "the height of the picture in the plane")
	c.Flags.IntVar(&v.iterations, "iterations", 1000, "how long a point must stay to be in the set")
	if err := c.Parse(0, "", "width", "height", "iterations", "size"); err != nil {
		return err
	}
	if err := c.AtMost(1<<15, "width", "height"); err != nil {
		return err
	}
	picture, err := program.Within(ctx, func() image.Image { return program.Either(c, drawn, drawnPlain)(v) })
	if err != nil {
		return err
	}
	c.Done("%d by %d points", v.width, v.height)
	return write(*name, picture)
}

func write(name string, p image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	return errors.Join(png.Encode(out, p), out.Flush(), f.Close())
}

// A view is the part that is drawn.
type view struct {
	width, height int
	x, y, size    float64
	iterations    int
}

// row draws one row of pixels.
func (v *view) row(p *image.RGBA, y int) {
	step := v.size / float64(v.height)
	for x := range v.width {
		c := complex(v.x+(float64(x)-float64(v.width)/2)*step, v.y-(float64(y)-float64(v.height)/2)*step)
		p.SetRGBA(x, y, v.colour(c))
	}
}

// colour is black in the set, and otherwise depends on how soon the point leaves.
func (v *view) colour(c complex128) color.RGBA {
	z := c
	for n := range v.iterations {
		if r, i := real(z), imag(z); r*r+i*i > 16 {
			t := math.Log2(float64(n + 2))
			return color.RGBA{wave(t), wave(t + 0.7), wave(t + 1.4), 255}
		}
		z = z*z + c
	}
	return color.RGBA{A: 255}
}

func wave(t float64) uint8 { return uint8(127.5 - 127.5*math.Cos(t)) }
