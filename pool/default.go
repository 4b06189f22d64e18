package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.
//
// With few workers the sleep backend is jec, because a wake costs the waker least
// where goroutines park: a system call to release a thread takes it more time than
// most jobs that are worth a fork, though the thread then starts sooner than a
// goroutine that must be fetched (workloads post-asleep, tree-small, the bursts and
// wake of the bench). It holds no thread, and is the same on every platform.
//
// With many workers, and a processor for each, it is futex. The Go runtime starts
// threads for goroutines one after the other, and the system starts those that wait
// for a futex side by side. Predicted, not measured, for 64 workers: all are at work
// after 0.1 ms in place of 0.5 (lab predict --workers 64, column ramp). What would
// refute it is lab scale on a machine with 16 processors or more: rows that gain
// more with --sleep jec, or a program whose other goroutines wait for processors
// right after the pool has gone to sleep.

func defaultDeque() api.Deque[Job] { return deque.NewChaseLev[Job]() }

func defaultSleep(workers int) (api.Sleep, error) {
	if workers >= manyWorkers && workers <= prim.Processors() {
		return futex.New(workers)
	}
	return jec.New(workers)
}

// builtInSleep makes the backend of the built-in default pool, whose workers sleep
// without a goroutine.
func builtInSleep(workers int) (api.Sleep, error) {
	return jec.New(workers, jec.WithoutGoroutines())
}

// manyWorkers is from how many workers on their starts, one after the other, would
// take longer than 0.1 ms.
const manyWorkers = 16

func newInjector() api.Injector[Job] { return deque.NewInjector[Job]() }
