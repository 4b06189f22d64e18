package main

import (
	"math"
	"runtime"
	"sync"
)

// stepPlain is step with a goroutine for each processor and an equal share of the pages for
// each, whatever they have to do. The sums depend on how many those are.
func stepPlain(w *web, next, rank, share []float64) float64 {
	lost := eachPart(w.pages(), func(lo, hi int) (lost float64) {
		for p := lo; p < hi; p++ {
			share[p] = w.shareOf(p, rank[p])
			lost += w.lostOf(p, rank[p])
		}
		return lost
	})
	return eachPart(w.pages(), func(lo, hi int) (change float64) {
		for p := lo; p < hi; p++ {
			next[p] = w.gets(p, share, lost)
			change += math.Abs(next[p] - rank[p])
		}
		return change
	})
}

// eachPart calls f for as many parts as there are processors, and adds what it returns.
func eachPart(n int, f func(lo, hi int) float64) (sum float64) {
	parts := make([]float64, min(n, runtime.GOMAXPROCS(0)))
	var done sync.WaitGroup
	for i := range parts {
		done.Go(func() { parts[i] = f(i*n/len(parts), (i+1)*n/len(parts)) })
	}
	done.Wait()
	for _, part := range parts {
		sum += part
	}
	return sum
}
