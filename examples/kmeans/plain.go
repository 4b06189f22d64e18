package main

import (
	"runtime"
	"sync"
)

// assignPlain is assign with a goroutine for each processor. The last bits of the sums
// depend on how many there are.
func assignPlain(points, centers []point) sums {
	parts := make([]sums, runtime.GOMAXPROCS(0))
	var done sync.WaitGroup
	for i := range parts {
		done.Go(func() {
			s := make(sums, len(centers))
			for _, p := range points[i*len(points)/len(parts) : (i+1)*len(points)/len(parts)] {
				s.add(nearest(p, centers), p, 1)
			}
			parts[i] = s
		})
	}
	done.Wait()
	all := make(sums, len(centers))
	for _, s := range parts {
		all.plus(s)
	}
	return all
}
