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
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// Local returns those that run in this process. A goroutine for each fork stands for all libraries that
// start one: these differ in what they do with panics and errors. Where the number of goroutines is
// bounded, one that waits for others keeps its place, so nested waits come to a deadlock: such libraries
// are measured where a workload has a way for them.
func Local() []*bench.Implementation {
	return []*bench.Implementation{
		sequential, inGo(work.Goroutine), inGo(work.Cutoff), inGo(work.Conc), inGo(work.Pond),
		pooled(bench.Ours), pooled(bench.OursFutex, futexBackend),
		backend("jec", func() (api.Sleep, error) { return jec.New(1) }),
		backend("futex", func() (api.Sleep, error) { return futex.New(1) }),
		// A condition variable in place of the futex.
		backend("futex-goroutine", func() (api.Sleep, error) { return futex.New(1, futex.WithGoroutinePark()) }),
	}
}

// A way does a job, and times it in nanoseconds.
type way func() (uint64, []float64, error)

// timed makes a way of what does not time itself.
func timed(f func() (uint64, error)) way {
	return func() (uint64, []float64, error) {
		start := time.Now()
		result, err := f()
		return result, []float64{float64(time.Since(start))}, err
	}
}

// plainly makes a way of what does not fail either.
func plainly(f func() uint64) way {
	return timed(func() (uint64, error) { return f(), nil })
}

// called is the way of what times what callers see.
func called(p *work.Program, on work.System) way {
	return func() (uint64, []float64, error) {
		result, nanos := p.Calls(on)
		return result, nanos, nil
	}
}

// atRest is the way of what is timed by the processor.
func atRest(p *work.Program) way {
	return func() (uint64, []float64, error) {
		used, err := p.AtRest()
		return 1, []float64{float64(used)}, err
	}
}

// here returns an instance that runs in this process.
func here(p *work.Program, run way) *bench.Instance {
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
	Name: bench.Sequential, Fixed: true,
	Open: func(_ *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
		switch {
		case p.Plain != nil:
			return here(p, plainly(p.Plain)), nil
		case p.AtRest != nil:
			return here(p, atRest(p)), nil
		}
		return nil, bench.ErrUnfit
	},
}

// inGo is a way without this repository. It uses fewer processors than Go gives it only if there are
// fewer. A caller that waits has the processors that it has beside a pool.
func inGo(name string) *bench.Implementation {
	return &bench.Implementation{Name: name, Open: func(_ *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		if name == work.Goroutine && p.Calls != nil {
			return here(p, called(p, work.OnGoroutines(workers))), nil
		}
		run := p.InGo[name]
		if run == nil {
			return nil, bench.ErrUnfit
		}
		i := here(p, plainly(func() uint64 { return run(workers) }))
		before := runtime.GOMAXPROCS(min(workers, runtime.GOMAXPROCS(0)))
		i.Close = func() error { runtime.GOMAXPROCS(before); return nil }
		return i, nil
	}}
}

// backend is a sleep backend without a pool.
func backend(name string, open func() (api.Sleep, error)) *bench.Implementation {
	return &bench.Implementation{Name: "sleep=" + name, Fixed: true, Open: func(_ *bench.Workload, p *work.Program, _ int) (*bench.Instance, error) {
		if p.Sleeps == nil {
			return nil, bench.ErrUnfit
		}
		sleep, err := open()
		if err != nil {
			return nil, err
		}
		worker := p.Sleeps(sleep)
		i := here(p, func() (uint64, []float64, error) { return 1, []float64{float64(worker.Run())}, nil })
		i.Close = func() error { worker.Stop(); return nil }
		return i, nil
	}}
}
