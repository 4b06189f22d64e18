package impl

import (
	"context"
	"sync"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/sourcegraph/conc"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// groups are the ways of others in Go: goroutines, and libraries that start
// functions and wait for them.
//
// Where the number of goroutines is bounded, one that waits for others inside
// keeps its place, so nested waits come to a deadlock. Such a library gets the
// job cut into pieces beforehand, as does the goroutine-cutoff, which is what
// one writes by hand. An errgroup does what goroutines do, and is measured where it is the habit.
var groups = []*bench.Implementation{
	grouped("goroutine", true, goroutines),
	grouped("goroutine-cutoff", false, goroutines),
	grouped("conc", true, concs),
	grouped("errgroup", true, errgroups),
	grouped("pond", false, ponds),
	// They have loops, and nothing else that is measured.
	grouped("pargo", false, nil),
	grouped("rill", false, nil),
}

// piecesPerWorker is into how many pieces a job is cut for each worker: enough
// that one large piece at the end does not matter much.
const piecesPerWorker = 16

// started is a library that is ready to run functions.
type started struct {
	groups work.Groups
	poster work.Poster
	stop   func() // nil if there is nothing to stop
}

// grouped is a library by what starts it, if anything does. nests says that a function may wait
// for a group of its own.
func grouped(name string, nests bool, start func(workers int) started) *bench.Implementation {
	open := func(w *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		var s started
		var run shape
		switch library := p.Library[name]; {
		case library != nil:
			run = plainly(func() uint64 { return library(workers) })
		case start == nil:
			return nil, bench.ErrUnfit
		case p.Posts != nil && name != "goroutine-cutoff": // There is nothing to cut.
			run = func() (uint64, time.Duration, error) {
				result, elapsed := p.Posts(s.poster)
				return result, elapsed, nil
			}
		case p.Nested != nil && nests:
			run = plainly(func() uint64 { return p.Nested(s.groups) })
		case p.Flat != nil:
			run = plainly(func() uint64 { return p.Flat(s.groups, piecesPerWorker*workers) })
		default:
			return nil, bench.ErrUnfit
		}
		if start != nil {
			s = start(workers)
		}
		i := limited(here(w, p, run), workers)
		if s.stop != nil {
			i.Close = func() error { s.stop(); return nil }
		}
		return i, nil
	}
	return &bench.Implementation{Name: name, Kind: bench.Peer, Rare: name == "errgroup", Open: open}
}

func goroutines(int) started {
	return started{
		groups: func() work.Group { return new(sync.WaitGroup) },
		poster: func(job func()) func() { return func() { go job() } },
	}
}

func concs(int) started {
	var all conc.WaitGroup
	return started{
		groups: func() work.Group { return new(conc.WaitGroup) },
		poster: func(job func()) func() { return func() { all.Go(job) } },
		stop:   all.Wait,
	}
}

// An errGroup is an errgroup.Group whose functions do not fail, with a context.
type errGroup struct{ *errgroup.Group }

func (g errGroup) Go(f func()) { g.Group.Go(func() error { f(); return nil }) }
func (g errGroup) Wait()       { _ = g.Group.Wait() }

func errgroups(int) started {
	group := func() errGroup {
		g, _ := errgroup.WithContext(context.Background())
		return errGroup{g}
	}
	all := group()
	return started{
		groups: func() work.Group { return group() },
		poster: func(job func()) func() { return func() { all.Go(job) } },
		stop:   all.Wait,
	}
}

// A pondGroup is a pond.TaskGroup whose functions do not fail.
type pondGroup struct{ pond.TaskGroup }

func (g pondGroup) Go(f func()) { g.Submit(f) }
func (g pondGroup) Wait()       { _ = g.TaskGroup.Wait() }

func ponds(workers int) started {
	p := pond.NewPool(workers)
	return started{
		groups: func() work.Group { return pondGroup{p.NewGroup()} },
		poster: func(job func()) func() { return func() { must(p.Go(job)) } },
		stop:   p.StopAndWait,
	}
}

// must is for errors that only a closed pool gives.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
