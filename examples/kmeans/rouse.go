package main

import "github.com/rouse-go/rouse/par"

// assign adds up the points that are nearest to each center. The sums are the same to the
// last bit on any number of processors, and so the steps are, too.
func assign(points, centers []point) sums {
	return par.FoldRange(len(points), func(lo, hi int) sums {
		s := make(sums, len(centers))
		for _, p := range points[lo:hi] {
			s.add(nearest(p, centers), p, 1)
		}
		return s
	}, sums.plus)
}
