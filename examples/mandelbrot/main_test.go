package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

var whole = view{width: 300, height: 200, x: -0.5, size: 2.5, iterations: 500}

func TestSamePicture(t *testing.T) {
	want := image.NewRGBA(image.Rect(0, 0, whole.width, whole.height))
	for y := range whole.height {
		whole.row(want, y)
	}
	programtest.Each(t, drawn, drawnPlain, func(t *testing.T, draw func(view) *image.RGBA) {
		if got := draw(whole); !bytes.Equal(got.Pix, want.Pix) {
			t.Error("it draws another picture than a loop")
		}
	})
	// The center of the large disc, the middle of the left bulb, and what is far away.
	for point, inside := range map[complex128]bool{0: true, -1: true, 1: false, 2i: false} {
		if black := whole.colour(point) == (color.RGBA{A: 255}); black != inside {
			t.Errorf("%v is in the set: %t, want %t", point, black, inside)
		}
	}
}

func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.png")
	if _, _, err := programtest.Try(t.Context(), run, "-o", name, "-width", "90", "-height", "60"); err != nil {
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
	programtest.Refuses(t, run, map[string]string{"-width 0": "must be positive", "-width 1000000": "must be at most", "-height 3037000500": "must be at most", "-size -1": "must be positive", "-size NaN": "must be positive",
		"-width 9 -height 9 -o " + filepath.Join(name, "x"): "not a directory"})
}
