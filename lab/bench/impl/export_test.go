package impl

import "reflect"

// DefaultSleepType is the type of what stands for the pool's default.
func DefaultSleepType(workers int) reflect.Type {
	s, err := defaultSleep(workers)
	if err != nil {
		panic(err)
	}
	return reflect.TypeOf(s)
}
