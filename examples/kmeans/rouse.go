package main

import "github.com/rouse-go/rouse/par"

// assign adds up the points that are nearest to each center. The sums, and so the steps of
// the algorithm, are bit-identical on any number of processors.
func assign(points, centers []point) sums {
	return par.FoldRange(len(points), func(lo, hi int) sums {
		s := make(sums, len(centers))
		for _, p := range points[lo:hi] {
			s.add(nearest(p, centers), p, 1)
		}
		return s
	}, sums.plus)
}
