package impl

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// Groups are the ways of others in Go: goroutines, and libraries that start
// functions and wait for them.
//
// Where the number of goroutines is bounded, one that waits for others inside
// keeps its place, so nested waits come to a deadlock. Those libraries get the
// job cut into pieces beforehand, as does the goroutine-cutoff, which is what
// one writes by hand.
func Groups() []bench.Implementation {
	return []bench.Implementation{
		&grouped{name: "goroutine", nests: true, start: goroutines},
		&grouped{name: "goroutine-cutoff", start: goroutines},
		&grouped{name: "conc", nests: true, start: concs},
		&grouped{name: "errgroup", start: errgroups},
		&grouped{name: "errgroup-unlimited", nests: true, start: errgroupsUnlimited},
		&grouped{name: "pond", start: ponds},
		&grouped{name: "ants", start: antsPools},
	}
}

// piecesPerWorker is into how many pieces a job is cut for each worker: enough
// that one large piece at the end does not matter much.
const piecesPerWorker = 16

type grouped struct {
	name  string
	nests bool // a function may wait for a group of its own
	start func(workers int) (*started, error)
}

// started is a library that is ready to run functions.
type started struct {
	groups work.Groups
	poster work.Poster
	stop   func() // nil if there is nothing to stop
}

func (g *grouped) Name() string     { return g.name }
func (g *grouped) Scales() bool     { return true }
func (g *grouped) Kind() bench.Kind { return bench.Peer }

func (g *grouped) Open(w *bench.Workload, p bench.Program, workers int) (bench.Instance, error) {
	nested := g.nests && p.Nested != nil
	library := p.Library[g.name]
	switch {
	case library != nil:
	case p.Nested == nil && p.Flat == nil && p.Posts == nil:
		return nil, bench.Unfit("")
	case p.Posts != nil && g.name == "goroutine-cutoff":
		return nil, bench.Unfit("") // There is nothing to cut.
	case g.name == "errgroup-unlimited" && w.Beside == nil:
		return nil, bench.Unfit("") // It does what goroutines do.
	}
	s, err := g.start(workers)
	if err != nil {
		return nil, err
	}
	i := &groupInstance{instance: instance{workload: w, program: p}, started: s}
	switch {
	case library != nil:
		i.shape = timed(func() uint64 { return library(workers) })
	case p.Posts != nil:
		i.shape = func() (uint64, time.Duration, error) {
			result, elapsed := p.Posts(s.poster)
			return result, elapsed, nil
		}
	case nested:
		i.shape = timed(func() uint64 { return p.Nested(s.groups) })
	default:
		i.shape = timed(func() uint64 { return p.Flat(s.groups, piecesPerWorker*workers) })
	}
	i.limit(workers)
	return i, nil
}

// limit has the instance run on so many processors: it is the only way to have
// goroutines use fewer than Go gives them.
func (i *instance) limit(workers int) {
	before := runtime.GOMAXPROCS(0)
	i.resume = func() error { runtime.GOMAXPROCS(min(workers, before)); return nil }
	i.pause = func() error { runtime.GOMAXPROCS(before); return nil }
}

type groupInstance struct {
	instance
	*started
}

func (i *groupInstance) Close() error {
	if i.stop != nil {
		i.stop()
	}
	return nil
}

func goroutines(int) (*started, error) {
	return &started{
		groups: func() work.Group { return new(sync.WaitGroup) },
		poster: func(job func()) func() { return func() { go job() } },
	}, nil
}

func concs(int) (*started, error) {
	var all conc.WaitGroup
	return &started{
		groups: func() work.Group { return new(conc.WaitGroup) },
		poster: func(job func()) func() { return func() { all.Go(job) } },
		stop:   all.Wait,
	}, nil
}

// An errGroup is an errgroup.Group whose functions do not fail.
type errGroup struct{ *errgroup.Group }

func (g errGroup) Go(f func()) { g.Group.Go(func() error { f(); return nil }) }
func (g errGroup) Wait()       { _ = g.Group.Wait() }

// errgroupsUnlimited are those with a goroutine for each job at once, and a context.
func errgroupsUnlimited(int) (*started, error) {
	all, _ := errgroup.WithContext(context.Background())
	return &started{
		groups: func() work.Group {
			g, _ := errgroup.WithContext(context.Background())
			return errGroup{g}
		},
		poster: func(job func()) func() { return func() { errGroup{all}.Go(job) } },
		stop:   func() { _ = all.Wait() },
	}, nil
}

func errgroups(workers int) (*started, error) {
	limited := func() errGroup {
		g := errGroup{new(errgroup.Group)}
		g.SetLimit(workers)
		return g
	}
	all := limited()
	return &started{
		groups: func() work.Group { return limited() },
		poster: func(job func()) func() { return func() { all.Go(job) } },
		stop:   all.Wait,
	}, nil
}

// A pondGroup is a pond.TaskGroup whose functions do not fail.
type pondGroup struct{ pond.TaskGroup }

func (g pondGroup) Go(f func()) { g.Submit(f) }
func (g pondGroup) Wait()       { _ = g.TaskGroup.Wait() }

func ponds(workers int) (*started, error) {
	p := pond.NewPool(workers)
	return &started{
		groups: func() work.Group { return pondGroup{p.NewGroup()} },
		poster: func(job func()) func() { return func() { must(p.Go(job)) } },
		stop:   p.StopAndWait,
	}, nil
}

// An antsGroup counts what it gave to a pool, which has no groups of its own.
type antsGroup struct {
	pool *ants.Pool
	wg   sync.WaitGroup
}

func (g *antsGroup) Go(f func()) {
	g.wg.Add(1)
	must(g.pool.Submit(func() { defer g.wg.Done(); f() }))
}
func (g *antsGroup) Wait() { g.wg.Wait() }

func antsPools(workers int) (*started, error) {
	p, err := ants.NewPool(workers)
	if err != nil {
		return nil, err
	}
	return &started{
		groups: func() work.Group { return &antsGroup{pool: p} },
		poster: func(job func()) func() { return func() { must(p.Submit(job)) } },
		stop:   p.Release,
	}, nil
}

// must is for errors that only a closed pool gives.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
