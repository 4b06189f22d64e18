package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/futex"
)

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.
//
// The sleep backend is futex because the one who publishes a fork stays busy:
// a thread that is released from a futex then starts as soon as a processor
// wakes, while a goroutine that is made ready must be fetched by one (the
// workload wake of the bench). Nothing else tells the backends apart by much.

func defaultDeque() api.Deque[Job] { return deque.NewChaseLev[Job]() }

// manyThreads is how many workers are too many to hold a thread or two each
// while they sleep.
const manyThreads = 1000

func defaultSleep(workers int) (api.Sleep, error) {
	if workers > manyThreads {
		return futex.New(workers, futex.WithGoroutinePark())
	}
	return futex.New(workers)
}

func newInjector() api.Injector[Job] { return deque.NewInjector[Job]() }
