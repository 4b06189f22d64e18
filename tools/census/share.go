package census

import (
	"runtime"
	"sync"
	"time"
)

// Share keeps every processor that Go uses busy for d, and returns which part
// of their time the process got: nearly 1 on a quiet machine, a half where as
// many other programs compete. It returns false where the platform does not say
// what processor time was used.
func Share(d time.Duration) (float64, bool) {
	processors := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	before, ok := CPUTime()
	start := time.Now()
	var spinning sync.WaitGroup
	for range processors {
		spinning.Go(func() {
			for time.Since(start) < d {
			}
		})
	}
	spinning.Wait()
	after, _ := CPUTime()
	asked := time.Since(start) * time.Duration(processors)
	return min(float64(after-before)/float64(asked), 1), ok
}
