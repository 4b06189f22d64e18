package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/jec"
)

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.
//
// The sleep backend is jec because a wake costs the waker least where goroutines
// park: a system call to release a thread takes it more time than most jobs that
// are worth a fork, though the thread then starts sooner than a goroutine that
// must be fetched (workloads post-asleep, tree-small, the bursts and wake of the
// bench). It holds no thread, and is the same on every platform.

func defaultDeque() api.Deque[Job] { return deque.NewChaseLev[Job]() }

func defaultSleep(workers int) (api.Sleep, error) { return jec.New(workers) }

func newInjector() api.Injector[Job] { return deque.NewInjector[Job]() }
