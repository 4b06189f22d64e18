// Package impl holds the implementations that [bench] compares.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package impl

import (
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// Local returns those that run in this process. A goroutine for each fork stands for all libraries that
// start one: these differ in what they do with panics and errors.
func Local() []*bench.Implementation {
	return []*bench.Implementation{
		sequential, goroutines, pooled(bench.Ours), pooled(bench.OursFutex, pool.WithSleep(func(workers int) (api.Sleep, error) { return futex.New(workers) })),
		backend("jec", func() (api.Sleep, error) { return jec.New(1) }),
		backend("futex", func() (api.Sleep, error) { return futex.New(1) }),
		// A condition variable in place of the futex.
		backend("futex-goroutine", func() (api.Sleep, error) { return futex.New(1, futex.WithGoroutinePark()) }),
	}
}

// sequential is plain code on one goroutine: what all others are compared with.
var sequential = &bench.Implementation{
	Name: bench.Sequential, Fixed: true,
	Open: func(_ *bench.Workload, p *work.Program, _ int) (work.Way, func() error, error) {
		if p.Plain == nil {
			return nil, nil, bench.ErrUnfit
		}
		return p.Run(func() (uint64, []time.Duration, error) { return p.Plain(), nil, nil }), nil, nil
	},
}

// goroutines use fewer processors than Go gives them only if there are fewer. A caller that waits has the
// processors that it has beside a pool.
var goroutines = &bench.Implementation{
	Name: bench.Goroutine,
	Open: func(_ *bench.Workload, p *work.Program, workers int) (work.Way, func() error, error) {
		if p.Calls != nil {
			return p.Run(p.On(work.OnGoroutines(workers))), nil, nil
		}
		if p.Goroutines == nil {
			return nil, nil, bench.ErrUnfit
		}
		before := runtime.GOMAXPROCS(min(workers, runtime.GOMAXPROCS(0)))
		way := func() (uint64, []time.Duration, error) { return p.Goroutines(workers), nil, nil }
		return p.Run(way), func() error { runtime.GOMAXPROCS(before); return nil }, nil
	},
}

// backend is a sleep backend without a pool.
func backend(name string, open func() (api.Sleep, error)) *bench.Implementation {
	return &bench.Implementation{Name: "sleep=" + name, Fixed: true, Open: func(_ *bench.Workload, p *work.Program, _ int) (work.Way, func() error, error) {
		if p.Sleeps == nil {
			return nil, nil, bench.ErrUnfit
		}
		sleep, err := open()
		if err != nil {
			return nil, nil, err
		}
		run, stop := p.Sleeps(sleep)
		way := func() (uint64, []time.Duration, error) { return 1, []time.Duration{run()}, nil }
		return way, func() error { stop(); return nil }, nil
	}}
}
