package impl

import (
	"context"
	"runtime"

	"github.com/alitto/pond/v2"
	"github.com/sourcegraph/conc"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// groups are the ways of others in Go. A goroutine for each fork stands for all libraries that
// start one: these differ in what they do with panics and errors. Where the number of goroutines is
// bounded, one that waits for others keeps its place, so nested waits come to a deadlock. So conc,
// errgroup and pond are measured where jobs are handed over, and conc where it has a stream.
var groups = []*bench.Implementation{
	grouped("goroutine", func(p *work.Program, workers int) (run shape, stop func()) {
		switch {
		case p.Goroutines != nil:
			return plainly(p.Goroutines), nil
		case p.Waits != nil:
			return func() (uint64, []float64, error) { return waits(p, work.OnGoroutines(workers)) }, nil
		case p.Posts != nil:
			return posted(p, func(job func()) func() { return func() { go job() } }), nil
		}
		return nil, nil
	}),
	grouped("goroutine-cutoff", func(p *work.Program, workers int) (run shape, stop func()) {
		if p.Cutoff == nil {
			return nil, nil
		}
		return plainly(func() uint64 { return p.Cutoff(piecesPerWorker * workers) }), nil
	}),
	grouped("conc", func(p *work.Program, workers int) (run shape, stop func()) {
		switch {
		case p.Stream != nil:
			return plainly(func() uint64 { return p.Stream(workers) }), nil
		case p.Posts != nil:
			var all conc.WaitGroup
			return posted(p, func(job func()) func() { return func() { all.Go(job) } }), all.Wait
		}
		return nil, nil
	}),
	grouped("errgroup", func(p *work.Program, _ int) (run shape, stop func()) {
		if p.Posts == nil {
			return nil, nil
		}
		all, _ := errgroup.WithContext(context.Background())
		post := func(job func()) func() {
			return func() { all.Go(func() error { job(); return nil }) }
		}
		return posted(p, post), func() { _ = all.Wait() }
	}),
	grouped("pond", func(p *work.Program, workers int) (run shape, stop func()) {
		if p.Posts == nil {
			return nil, nil
		}
		all := pond.NewPool(workers)
		post := func(job func()) func() {
			return func() {
				if err := all.Go(job); err != nil {
					panic(err) // only a closed pool gives one
				}
			}
		}
		return posted(p, post), all.StopAndWait
	}),
}

// piecesPerWorker is into how many pieces a loop is cut for each worker: enough
// that one large piece at the end does not matter much.
const piecesPerWorker = 16

// grouped is one of them by the shape in which it runs a program, nil if in none, and what
// stops it, nil if nothing does. Goroutines use fewer processors than Go gives them only if there are fewer.
func grouped(name string, start func(p *work.Program, workers int) (run shape, stop func())) *bench.Implementation {
	open := func(_ *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		run, stop := start(p, workers)
		if run == nil {
			return nil, bench.ErrUnfit
		}
		i := here(p, run)
		if stop != nil {
			i.Close = func() error { stop(); return nil }
		}
		// A caller that waits has the processors that it has beside a pool.
		if p.Waits == nil {
			before := runtime.GOMAXPROCS(0)
			i.Resume = func() error { runtime.GOMAXPROCS(min(workers, before)); return nil }
			i.Pause = func() error { runtime.GOMAXPROCS(before); return nil }
		}
		return i, nil
	}
	return &bench.Implementation{Name: name, Kind: bench.Peer, Open: open}
}

func posted(p *work.Program, poster work.Poster) shape {
	return func() (uint64, []float64, error) {
		result, elapsed := p.Posts(poster)
		return result, []float64{float64(elapsed)}, nil
	}
}

func waits(p *work.Program, on work.System) (uint64, []float64, error) {
	result, nanos := p.Waits(on)
	return result, nanos, nil
}
