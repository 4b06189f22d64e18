// Thumbnails makes small pictures of all JPEG and PNG files of a folder, with several processes. A key is
// a size and a file, a result is the small picture.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/examples/cluster"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

var size = 128 // the flag

func main() {
	cluster.Main(cluster.Job{
		Name:     "thumbnails",
		Synopsis: "Thumbnails makes small pictures of the JPEG and PNG files in and beneath a folder, with several processes.",
		Args:     "FROM TO",
		Flags: func(flags *flag.FlagSet) {
			flags.IntVar(&size, "size", size, "make them at most `n` pixels wide and high")
		},
		Plan:  plan,
		Do:    scale,
		Label: func(key []byte) string { return string(key) },
	})
}

// plan finds the pictures. The small ones get the same names in another folder, with .jpg behind.
func plan(ctx context.Context, args []string) (*cluster.Plan, error) {
	if len(args) != 2 {
		return nil, errors.New("name two directories; \"thumbnails --help\" says more")
	}
	from, err := cluster.Dir(args[0])
	if err != nil {
		return nil, err
	}
	if size < 1 || size > 1024 {
		return nil, fmt.Errorf("--size is %d, must be from 1 to 1024", size)
	}
	p := &cluster.Plan{Of: from}
	var names []string
	err = fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		kind := strings.ToLower(filepath.Ext(name))
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".jpg", ".jpeg", ".png"}, kind) {
			return cmp.Or(err, ctx.Err())
		}
		p.Keys = append(p.Keys, fmt.Appendf(nil, "%d %s", size, filepath.Join(from, name)))
		names = append(names, name)
		return nil
	})
	p.Fold = func(results [][]byte, stdout io.Writer) error {
		made := 0
		for i, result := range results {
			if problem, is := bytes.CutPrefix(result, broken); is {
				fmt.Fprintf(stdout, "%s: %s\n", cli.Printable(names[i]), cli.Printable(string(problem)))
				continue
			}
			to := filepath.Join(args[1], names[i]+".jpg")
			if err := cmp.Or(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, result, 0o666)); err != nil {
				return err
			}
			made++
		}
		_, err := fmt.Fprintf(stdout, "%d files, %d pictures\n", len(results), made)
		return err
	}
	return p, err
}

// broken begins the result of a file that is no picture. No JPEG begins so.
var broken = []byte("broken: ")

// scale makes a small picture. A file that cannot be read may be read by another worker, a broken one is
// broken everywhere.
func scale(ctx context.Context, p *pool.Pool, key []byte) ([]byte, error) {
	number, file, _ := strings.Cut(string(key), " ")
	size, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return append(slices.Clone(broken), err.Error()...), nil
	}
	from := src.Bounds()
	longer := max(from.Dx(), from.Dy(), size)
	s := &scaling{src, image.NewRGBA(image.Rect(0, 0, max(1, from.Dx()*size/longer), max(1, from.Dy()*size/longer)))}
	if _, err := pool.Run(ctx, p, s.rows, [2]int{0, s.dst.Rect.Dy()}); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, s.dst, nil)
	return out.Bytes(), err
}

type scaling struct {
	src image.Image
	dst *image.RGBA
}

// rows makes rows, the halves of them possibly at the same time.
func (s *scaling) rows(w *pool.Worker, span [2]int) struct{} {
	if from, to := span[0], span[1]; to-from > 1 {
		middle := (from + to) / 2
		pool.Invoke(w, s.rows, [2]int{from, middle}, s.rows, [2]int{middle, to})
		return struct{}{}
	}
	for x, y := 0, span[0]; x < s.dst.Rect.Dx(); x++ {
		s.dst.Set(x, y, s.mean(x, y))
	}
	return struct{}{}
}

// mean is the mean colour of what one pixel is made of.
func (s *scaling) mean(x, y int) color.Color {
	from, to := s.src.Bounds(), s.dst.Rect.Size()
	var sum [4]uint64
	n := uint64(0)
	for j := y * from.Dy() / to.Y; j < (y+1)*from.Dy()/to.Y; j++ {
		for i := x * from.Dx() / to.X; i < (x+1)*from.Dx()/to.X; i++ {
			r, g, b, a := s.src.At(from.Min.X+i, from.Min.Y+j).RGBA()
			sum[0], sum[1], sum[2], sum[3] = sum[0]+uint64(r), sum[1]+uint64(g), sum[2]+uint64(b), sum[3]+uint64(a)
			n++
		}
	}
	return color.RGBA64{uint16(sum[0] / n), uint16(sum[1] / n), uint16(sum[2] / n), uint16(sum[3] / n)}
}
