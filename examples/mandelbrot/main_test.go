package main

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var whole = view{width: 300, height: 200, x: -0.5, size: 2.5, iterations: 500}

func TestSamePicture(t *testing.T) {
	want := image.NewRGBA(image.Rect(0, 0, whole.width, whole.height))
	for y := range whole.height {
		whole.row(want, y)
	}
	for name, draw := range map[string]func(view) *image.RGBA{"par": drawn, "plain": drawnPlain} {
		if got := draw(whole); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%s draws another picture than a loop", name)
		}
	}
	// The center of the large disc, the middle of the left bulb, and what is far away.
	for point, inside := range map[complex128]bool{0: true, -1: true, 1: false, 2i: false} {
		if black := whole.colour(point) == (color.RGBA{A: 255}); black != inside {
			t.Errorf("%v is in the set: %t, want %t", point, black, inside)
		}
	}
}

func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.png")
	if err := run([]string{"-o", name, "-width", "90", "-height", "60"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p, err := png.Decode(f); err != nil || p.Bounds() != image.Rect(0, 0, 90, 60) {
		t.Errorf("the file is a picture of %v, %v", p.Bounds(), err)
	}
	for _, bad := range [][]string{{"x"}, {"-width", "z"}} {
		if err := run(bad, io.Discard); err != flag.ErrHelp {
			t.Errorf("mandelbrot %q: %v", bad, err)
		}
	}
	for _, bad := range [][]string{{"-width", "0"}, {"-size", "-1"}, {"-size", "NaN"}, {"-o", filepath.Join(name, "x"), "-width", "9", "-height", "9"}} {
		if err := run(bad, io.Discard); err == nil {
			t.Errorf("mandelbrot %q: no error", bad)
		}
	}
}
