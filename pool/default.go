package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/sleep/jec"
)

// This file alone says which backends a pool is made of when nothing else is
// asked for. No other file of the package imports one.

func defaultDeque() api.Deque[Job] { return deque.NewChaseLev[Job]() }

func defaultSleep(workers int) (api.Sleep, error) { return jec.New(workers) }

func newInjector() api.Injector[Job] { return deque.NewInjector[Job]() }
