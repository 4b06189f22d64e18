//go:build !explore

// Package user has what stands for the work of a user, in programs that are measured and
// simulated: in a normal build it takes time, in the simulator it moves the clock.
package user

import (
	"runtime"
	"sync"
	"time"

	"github.com/rouse-go/rouse/lab/simulate"
)

// Own stands for the code around it, which takes about so long when it runs.
func Own(simulate.Time) {}

// Busy keeps the processor busy for about so long.
func Busy(d simulate.Time) {
	steps := int(float64(d) * stepsPerPicosecond())
	runtime.KeepAlive(advance(1, steps))
}

// Rest does nothing for so long, and needs no processor meanwhile.
func Rest(d simulate.Time) { time.Sleep(time.Duration(d / simulate.Nanosecond)) }

// advance takes steps of a generator of Knuth, each of which needs the one
// before: nothing makes it faster.
func advance(x uint64, steps int) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// stepsPerPicosecond is how fast this machine advances, by the fastest of some
// tries: an interrupted try is slower.
var stepsPerPicosecond = sync.OnceValue(func() float64 {
	const steps = 100_000
	fastest := time.Duration(1<<63 - 1)
	for range 50 {
		start := time.Now()
		runtime.KeepAlive(advance(1, steps))
		fastest = min(fastest, time.Since(start))
	}
	return steps / (1000 * float64(max(fastest, 1)))
})
