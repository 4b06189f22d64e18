package work

import (
	"time"

	"github.com/rouse-go/rouse/api/pulse"
)

// Rest measures the processor time that the whole process uses in a while in which nothing is
// asked of it, and all workers of a pool have worked, and sleep. What a process uses without a pool is the
// floor.
func Rest(d time.Duration) *Program {
	return &Program{Calls: func(s System) (uint64, []time.Duration) {
		wake(s)
		time.Sleep(20 * time.Millisecond) // The workers fall asleep.
		before, _ := pulse.CPUTime()
		time.Sleep(d)
		after, _ := pulse.CPUTime()
		return 0, []time.Duration{after - before}
	}}
}
