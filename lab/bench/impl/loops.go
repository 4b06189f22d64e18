package impl

import (
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/pool"
)

// Loops are module par, and the libraries of others in Go that have loops and
// nothing else that is measured.
func Loops() []bench.Implementation {
	return []bench.Implementation{library("lo"), library("pargo"), library("rill"), loops{}}
}

// loops is module par on a pool with its defaults.
type loops struct{}

func (loops) Name() string     { return bench.ParName }
func (loops) Scales() bool     { return true }
func (loops) Kind() bench.Kind { return bench.Ours }

func (loops) Open(w *bench.Workload, p bench.Program, workers int) (bench.Instance, error) {
	if p.Par == nil {
		return nil, bench.Unfit("")
	}
	i := &poolInstance{instance: instance{workload: w, program: p}}
	i.opts = []pool.Option{pool.WithWorkers(workers)}
	i.instance.pool = func() *pool.Pool { return i.p }
	i.shape = timed(func() uint64 { return p.Par(i.p) })
	return i, i.open()
}

// A library has this name.
type library string

func (l library) Name() string     { return string(l) }
func (l library) Scales() bool     { return true }
func (l library) Kind() bench.Kind { return bench.Peer }

func (l library) Open(w *bench.Workload, p bench.Program, workers int) (bench.Instance, error) {
	run := p.Library[string(l)]
	if run == nil {
		return nil, bench.Unfit("")
	}
	i := &instance{workload: w, program: p, shape: timed(func() uint64 { return run(workers) })}
	i.limit(workers)
	return i, nil
}
