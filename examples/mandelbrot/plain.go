package main

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"
)

// drawnPlain is drawn with goroutines: as many as there are processors, each of which takes
// the next row.
func drawnPlain(v view) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, v.width, v.height))
	var next atomic.Int64
	var done sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			for {
				y := int(next.Add(1)) - 1
				if y >= v.height {
					return
				}
				v.row(p, y)
			}
		})
	}
	done.Wait()
	return p
}
