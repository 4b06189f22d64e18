package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

func TestClusters(t *testing.T) {
	points := newPoints(20_000, 5)
	centers, steps := cluster(points, 5, assign)
	if steps < 2 || steps == 1000 {
		t.Errorf("%d steps", steps)
	}
	// No point is nearer to another center than the mean of its own says: a last assignment
	// moves nothing.
	for i, s := range assign(points, centers) {
		if s.n > 0 && centers[i] != (point{s.x / float64(s.n), s.y / float64(s.n)}) {
			t.Errorf("center %d is not in the middle of its points", i)
		}
	}
	if again, n := cluster(points, 5, assign); n != steps || !slices.Equal(again, centers) {
		t.Error("the second time the centers differ")
	}
	plain, _ := cluster(points, 5, assignPlain)
	for i, c := range plain {
		if math.Abs(c.x-centers[i].x) > 1e-6 || math.Abs(c.y-centers[i].y) > 1e-6 {
			t.Errorf("center %d is %v, and by goroutines %v", i, centers[i], c)
		}
	}
}

func TestNearest(t *testing.T) {
	centers := []point{{0, 0}, {10, 0}, {10, 0}}
	for p, want := range map[point]int{{1, 1}: 0, {9, 1}: 1, {5, 3}: 0} {
		if got := nearest(p, centers); got != want {
			t.Errorf("the center nearest to %v is %d, want %d", p, got, want)
		}
	}
}

func TestRun(t *testing.T) {
	out, log, err := programtest.Try(t.Context(), run, "-points", "1000", "-clusters", "3")
	if err != nil || strings.Count(out, "\n") != 3 || !strings.HasPrefix(log, "1000 points, ") {
		t.Errorf("%v, %q, %q", err, out, log)
	}
	programtest.Refuses(t, run, map[string]string{"-clusters 0": "must be positive", "-points 1000000000000": "must be at most", "-points 3 -clusters 4": "at most -points"})
}
