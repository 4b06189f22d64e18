package work

import "time"

// Rest measures the processor time that the whole process uses in a while in which nothing is
// asked of it, and all workers of a pool have worked, and sleep. What a process uses without a pool is the
// floor.
func Rest(d time.Duration) *Program {
	return &Program{Calls: func(s System) (uint64, []time.Duration) {
		wake(s)
		time.Sleep(20 * time.Millisecond) // The workers fall asleep.
		before := cpuTime()
		time.Sleep(d)
		return 0, []time.Duration{cpuTime() - before}
	}}
}
