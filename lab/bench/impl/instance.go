// Package impl holds the implementations that [bench] compares.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package impl

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// Local returns those that run in this process.
func Local() []*bench.Implementation {
	return slices.Concat([]*bench.Implementation{sequential}, groups, pools, alone)
}

// A shape runs a job, and times it in nanoseconds.
type shape func() (uint64, []float64, error)

// timed makes a shape of what does not time itself.
func timed(f func() (uint64, error)) shape {
	return func() (uint64, []float64, error) {
		start := time.Now()
		result, err := f()
		return result, []float64{float64(time.Since(start))}, err
	}
}

// plainly makes a shape of what does not fail either.
func plainly(f func() uint64) shape {
	return timed(func() (uint64, error) { return f(), nil })
}

// here returns an instance that runs in this process.
func here(p *work.Program, run shape) *bench.Instance {
	return &bench.Instance{Run: func() (bench.Run, error) {
		if p.Prepare != nil {
			p.Prepare()
		}
		result, nanos, err := run()
		if err == nil && p.Digest != nil {
			result = p.Digest()
		}
		return bench.Run{Answer: result, Nanos: nanos}, err
	}}
}

// sequential is plain code on one goroutine: what all others are compared with.
var sequential = &bench.Implementation{
	Name: bench.SequentialName, Kind: bench.Plain, Fixed: true,
	Open: func(_ *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
		switch {
		case p.Sequential != nil:
			return here(p, plainly(p.Sequential)), nil
		case p.AtRest != nil:
			return here(p, atRest(p)), nil
		}
		return nil, bench.ErrUnfit
	},
}

// atRest is the shape of what is timed by the processor.
func atRest(p *work.Program) shape {
	return func() (uint64, []float64, error) {
		used, err := p.AtRest()
		return 1, []float64{float64(used)}, err
	}
}

// alone are the sleep backends without a pool.
var alone = []*bench.Implementation{
	backend("jec", func(workers int) (api.Sleep, error) { return jec.New(workers) }),
	backend("futex", newFutex),
	// A condition variable for each worker, in place of the futex.
	backend("futex-goroutine", func(workers int) (api.Sleep, error) { return futex.New(workers, futex.WithGoroutinePark()) }),
}

func newFutex(workers int) (api.Sleep, error) { return futex.New(workers) }

func backend(name string, open func(workers int) (api.Sleep, error)) *bench.Implementation {
	return &bench.Implementation{
		Name: fmt.Sprint("sleep=", name), Kind: bench.Ours, Fixed: true,
		Open: func(_ *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
			if p.Sleeps == nil {
				return nil, bench.ErrUnfit
			}
			var worker work.SleepRun
			i := here(p, func() (uint64, []float64, error) {
				result, elapsed := worker.Run()
				return result, []float64{float64(elapsed)}, nil
			})
			i.Resume = func() error {
				sleep, err := open(1)
				if err == nil {
					worker = p.Sleeps(sleep)
				}
				return err
			}
			i.Pause = func() error { worker.Stop(); return nil }
			return i, nil
		},
	}
}
