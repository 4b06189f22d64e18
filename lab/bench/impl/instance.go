// Package impl holds the implementations that [bench] compares.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package impl

import (
	"runtime"
	"slices"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/tools/backends"
)

// Local returns those that run in this process.
func Local() []*bench.Implementation {
	all := slices.Concat([]*bench.Implementation{sequential}, groups, []*bench.Implementation{par}, pools)
	for _, s := range backends.Sleeps() {
		all = append(all, alone(s))
	}
	return all
}

// A shape runs a job, and times it.
type shape func() (uint64, time.Duration, error)

// timed makes a shape of what does not time itself.
func timed(f func() (uint64, error)) shape {
	return func() (uint64, time.Duration, error) {
		start := time.Now()
		result, err := f()
		return result, time.Since(start), err
	}
}

// plainly makes a shape of what does not fail either.
func plainly(f func() uint64) shape {
	return timed(func() (uint64, error) { return f(), nil })
}

// here returns an instance that runs in this process.
func here(w *bench.Workload, p *work.Program, run shape) *bench.Instance {
	return &bench.Instance{
		Run: func() (bench.Run, error) {
			if p.Prepare != nil {
				p.Prepare()
			}
			result, elapsed, err := run()
			if err != nil {
				return bench.Run{}, err
			}
			if p.Digest != nil {
				result = p.Digest()
			}
			return bench.Run{Elapsed: elapsed, Answer: w.Answer(result)}, nil
		},
		Usage: func() bench.Usage { return bench.OwnUsage(nil) },
	}
}

// limited has an instance run on so many processors: it is the only way to have
// goroutines use fewer than Go gives them.
func limited(i *bench.Instance, workers int) *bench.Instance {
	before := runtime.GOMAXPROCS(0)
	i.Resume = func() error { runtime.GOMAXPROCS(min(workers, before)); return nil }
	i.Pause = func() error { runtime.GOMAXPROCS(before); return nil }
	return i
}

// sequential is plain code on one goroutine: what all others are compared with.
var sequential = &bench.Implementation{
	Name: bench.SequentialName, Kind: bench.Plain, Fixed: true,
	Open: func(w *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
		if p.Sequential == nil {
			return nil, bench.ErrUnfit
		}
		return here(w, p, plainly(p.Sequential)), nil
	},
}

// alone is a sleep backend without a pool.
func alone(s backends.Sleep) *bench.Implementation {
	open := func(w *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
		if p.Sleeps == nil {
			return nil, bench.ErrUnfit
		}
		var worker work.SleepRun
		i := here(w, p, func() (uint64, time.Duration, error) {
			result, elapsed := worker.Run()
			return result, elapsed, nil
		})
		i.Resume = func() error {
			sleep, err := s.New(1)
			if err == nil {
				worker = p.Sleeps(sleep)
			}
			return err
		}
		i.Pause = func() error { worker.Stop(); return nil }
		return i, nil
	}
	return &bench.Implementation{Name: "sleep=" + s.Name, Kind: bench.Ours, Fixed: true, Open: open}
}
