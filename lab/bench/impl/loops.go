package impl

import (
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

// par is module par on a pool with its defaults.
var par = &bench.Implementation{
	Name: bench.ParName, Kind: bench.Ours,
	Open: func(w *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		if p.Par == nil {
			return nil, bench.ErrUnfit
		}
		return onPool(w, p, func(on *pool.Pool) shape {
			return plainly(func() uint64 { return p.Par(on) })
		}, pool.WithWorkers(workers))
	},
}

// libraries are those of others in Go that have loops and nothing else that is measured.
var libraries = []*bench.Implementation{library("pargo"), library("rill")}

func library(name string) *bench.Implementation {
	open := func(w *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		run := p.Library[name]
		if run == nil {
			return nil, bench.ErrUnfit
		}
		return limited(here(w, p, plainly(func() uint64 { return run(workers) })), workers), nil
	}
	return &bench.Implementation{Name: name, Kind: bench.Peer, Open: open}
}
