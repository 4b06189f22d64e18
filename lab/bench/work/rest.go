package work

import (
	"errors"
	"time"
)

// Rest measures the processor time that the whole process uses in a while in which nothing is
// asked of it. What a process uses without a pool is the floor.
func Rest(d time.Duration) *Program {
	return &Program{AtRest: func() (time.Duration, error) {
		before, ok := cpuTime()
		if !ok {
			return 0, errors.New("this platform does not say what processor time it used")
		}
		time.Sleep(d)
		after, _ := cpuTime()
		return after - before, nil
	}}
}
