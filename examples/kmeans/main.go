// Kmeans finds clusters of points in the plane, by Lloyd's method: each point belongs to the
// nearest center, and each center moves to the middle of its points, until none moves.
//
//	kmeans -points 1000000 -clusters 20
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"time"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case err != nil:
		fmt.Fprintln(os.Stderr, "kmeans:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes to log what it did.
func run(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("kmeans", flag.ContinueOnError)
	flags.SetOutput(log)
	n := flags.Int("points", 200_000, "how many points there are")
	k := flags.Int("clusters", 8, "how many clusters to find")
	seed := flags.Uint64("seed", 1, "another number makes other points")
	plain := flags.Bool("plain", false, "use goroutines in place of par")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		fmt.Fprintln(flags.Output(), "kmeans takes no arguments")
		flags.Usage()
		return flag.ErrHelp
	}
	if *k < 1 || *n < *k {
		return errors.New("-clusters must be positive, and at most -points")
	}
	points := newPoints(*n, *k, *seed)
	assign := assign
	if *plain {
		assign = assignPlain
	}
	start := time.Now()
	centers, steps := cluster(points, *k, assign)
	fmt.Fprintf(log, "%d points, %d steps, %.2f s\n", *n, steps, time.Since(start).Seconds())
	for _, c := range centers {
		fmt.Fprintf(out, "%8.3f %8.3f\n", c.x, c.y)
	}
	return nil
}

type point struct{ x, y float64 }

// newPoints makes points around as many places as there are clusters.
func newPoints(n, clusters int, seed uint64) []point {
	r := rand.New(rand.NewPCG(seed, 0))
	places := make([]point, clusters)
	for i := range places {
		places[i] = point{r.Float64() * 100, r.Float64() * 100}
	}
	points := make([]point, n)
	for i := range points {
		at := places[i%clusters]
		points[i] = point{at.x + r.NormFloat64(), at.y + r.NormFloat64()}
	}
	return points
}

// A sums is the sum of the points of each cluster, and how many they are.
type sums []struct {
	point
	n int
}

func (s sums) add(cluster int, p point, n int) {
	s[cluster].x += p.x
	s[cluster].y += p.y
	s[cluster].n += n
}

// plus adds what t has, and returns s.
func (s sums) plus(t sums) sums {
	for i, c := range t {
		s.add(i, c.point, c.n)
	}
	return s
}

// cluster moves the centers, first points, until none moves. assign adds up the points that
// are nearest to each.
func cluster(points []point, k int, assign func(points, centers []point) sums) (centers []point, steps int) {
	centers = append(centers, points[:k]...)
	for moved := true; moved && steps < 1000; steps++ {
		moved = false
		for i, s := range assign(points, centers) {
			if s.n == 0 {
				continue
			}
			middle := point{s.x / float64(s.n), s.y / float64(s.n)}
			moved = moved || middle != centers[i]
			centers[i] = middle
		}
	}
	return centers, steps
}

// nearest returns the center that is nearest, and of those that are as near the first.
func nearest(p point, centers []point) (best int) {
	least := math.Inf(1)
	for i, c := range centers {
		dx, dy := p.x-c.x, p.y-c.y
		if d := dx*dx + dy*dy; d < least {
			best, least = i, d
		}
	}
	return best
}
