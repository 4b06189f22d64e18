package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// The test program is the program itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("THUMBNAILS_TEST") != "" {
		main()
	}
	m.Run()
}

// picture is red on the left and blue on the right.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{R: 255, A: 255})
			if 2*x >= width {
				m.Set(x, y, color.RGBA{B: 255, A: 255})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each picture has a small one under its name, which is the same from several processes as from one. What is no
// picture is listed.
func TestThumbnails(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	if err := os.Mkdir(filepath.Join(from, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"wide.png": picture(t, 400, 100), "sub/high.PNG": picture(t, 30, 90), "tiny.png": picture(t, 3, 2),
		"broken.jpg": []byte("words"), "words.txt": []byte("words"),
	} {
		if err := os.WriteFile(filepath.Join(from, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, from, to, "--size", "40", "--workers", "2")
	cmd.Env = append(os.Environ(), "THUMBNAILS_TEST=1")
	out, err := cmd.CombinedOutput()
	if want := "broken.jpg: image: unknown format\n4 files, 3 pictures\n"; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("error %v; got\n%s\nwant at the beginning\n%s", err, out, want)
	}
	for name, size := range map[string]image.Point{"wide.png": {40, 10}, "sub/high.PNG": {13, 40}, "tiny.png": {3, 2}} {
		data, err := os.ReadFile(filepath.Join(to, name+".jpg"))
		if err != nil {
			t.Error(err)
			continue
		}
		alone, err := scale(t.Context(), pool.Default(), fmt.Appendf(nil, "40 %s", filepath.Join(from, name)))
		if err != nil || !bytes.Equal(alone, data) {
			t.Errorf("%s: error %v, or another picture than from one process", name, err)
		}
		m, _, err := image.Decode(bytes.NewReader(data))
		if err != nil || m.Bounds().Size() != size {
			t.Errorf("%s: error %v, %v; want a picture of %v", name, err, m, size)
			continue
		}
		left, _, _, _ := m.At(0, 0).RGBA()
		_, _, right, _ := m.At(size.X-1, size.Y-1).RGBA()
		if size.X > 3 && (left < 0xc000 || right < 0xc000) {
			t.Errorf("%s: red %x on the left, blue %x on the right", name, left, right)
		}
	}
	if _, err := scale(t.Context(), pool.Default(), []byte("40 "+from+"/none.png")); err == nil {
		t.Error("a file that is not there is no error: no other worker would try")
	}
}
