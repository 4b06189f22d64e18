package main

import (
	"math"

	"github.com/rouse-go/rouse/par"
)

func add(a, b float64) float64 { return a + b }

// step writes the next ranks, and returns by how much all have changed. The sums are the
// same to the last bit, on any number of processors.
func step(w *web, next, rank, share []float64) float64 {
	lost := par.FoldRange(w.pages(), func(lo, hi int) (lost float64) {
		for p := lo; p < hi; p++ {
			share[p] = w.shareOf(p, rank[p])
			lost += w.lostOf(p, rank[p])
		}
		return lost
	}, add)
	return par.FoldRange(w.pages(), func(lo, hi int) (change float64) {
		for p := lo; p < hi; p++ {
			next[p] = w.gets(p, share, lost)
			change += math.Abs(next[p] - rank[p])
		}
		return change
	}, add)
}
