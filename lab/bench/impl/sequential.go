package impl

import "github.com/rouse-go/rouse/lab/bench"

// Sequential is plain code on one goroutine: what all others are compared with.
func Sequential() bench.Implementation { return sequential{} }

type sequential struct{}

func (sequential) Name() string     { return bench.SequentialName }
func (sequential) Scales() bool     { return false }
func (sequential) Kind() bench.Kind { return bench.Plain }

func (sequential) Open(w *bench.Workload, p bench.Program, _ int) (bench.Instance, error) {
	if p.Sequential == nil {
		return nil, bench.Unfit("")
	}
	return &instance{workload: w, program: p, shape: timed(p.Sequential)}, nil
}
