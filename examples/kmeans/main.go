// Kmeans finds clusters of points in the plane, by Lloyd's method: each point belongs to the
// nearest center, and each center moves to the middle of its points, until none moves.
//
//	kmeans -points 1000000 -clusters 20
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("kmeans", run) }

func run(ctx context.Context, c *program.Call) error {
	n := c.Flags.Int("points", 200_000, "how many points there are")
	k := c.Flags.Int("clusters", 8, "how many clusters to find")
	if err := c.Parse(0, "", "clusters"); err != nil {
		return err
	}
	if *n < *k {
		return errors.New("-clusters must be at most -points")
	}
	if err := c.AtMost(1<<27, "points"); err != nil {
		return err
	}
	var centers []point
	steps, err := program.Within(ctx, func() (steps int) {
		centers, steps = cluster(newPoints(*n, *k), *k, program.Either(c, assign, assignPlain))
		return steps
	})
	if err != nil {
		return err
	}
	for _, p := range centers {
		fmt.Fprintf(c.Out, "%8.3f %8.3f\n", p.x, p.y)
	}
	c.Done("%d points, %d steps", *n, steps)
	return nil
}

type point struct{ x, y float64 }

// newPoints makes points around as many places as there are clusters.
func newPoints(n, clusters int) []point {
	r := rand.New(rand.NewPCG(1, 0))
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
