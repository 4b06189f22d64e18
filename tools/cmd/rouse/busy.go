package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/rouse-go/rouse/api/pulse"
)

// share keeps every processor busy for d, and returns which part of their time this process got:
// nearly 1 on a quiet machine, and where the platform does not say what processor time was used.
func share(d time.Duration) float64 {
	processors := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	before, ok := pulse.CPUTime()
	if !ok {
		return 1
	}
	start := time.Now()
	var spinning sync.WaitGroup
	for range processors {
		spinning.Go(func() {
			for time.Since(start) < d {
			}
		})
	}
	spinning.Wait()
	after, _ := pulse.CPUTime()
	return float64(after-before) / float64(time.Since(start)*time.Duration(processors))
}

// busy is a warning, if the share is that of a machine on which other programs run.
func busy(share float64) string {
	if share >= 0.9 {
		return ""
	}
	return "\n" + wrap(fmt.Sprintf("Other programs are running: this one got only %.0f %% of the processor time that it could use. "+
		"So do not rely on the numbers above.", 100*share))
}
