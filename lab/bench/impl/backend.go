package impl

import (
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/tools/backends"
)

// Backends are sleep backends alone, without a pool.
func Backends(sleeps []backends.Sleep) []bench.Implementation {
	var all []bench.Implementation
	for _, s := range sleeps {
		all = append(all, backend{s})
	}
	return all
}

type backend struct{ backends.Sleep }

func (b backend) Name() string     { return "sleep=" + b.Sleep.Name }
func (b backend) Scales() bool     { return false }
func (b backend) Kind() bench.Kind { return bench.Ours }

func (b backend) Open(w *bench.Workload, p bench.Program, _ int) (bench.Instance, error) {
	if p.Sleeps == nil {
		return nil, bench.Unfit("")
	}
	i := &backendInstance{instance: instance{workload: w, program: p}}
	// Prepare and Digest are for the other shapes.
	i.program = &work.Program{Rests: p.Rests}
	i.shape = func() (uint64, time.Duration, error) {
		result, elapsed := i.worker.Run()
		return result, elapsed, nil
	}
	i.resume = func() error {
		s, err := b.New(1)
		if err == nil {
			i.worker = p.Sleeps(s)
		}
		return err
	}
	i.pause = func() error {
		if i.worker.Stop != nil {
			i.worker.Stop()
		}
		return nil
	}
	return i, nil
}

type backendInstance struct {
	instance
	worker work.SleepRun
}
