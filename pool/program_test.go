package pool_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// FuzzProgram runs random programs: jobs that fork, join what they have forked
// in any order and at any depth of Invoke, Join and Scope, or not at all, panic,
// recover, exit, and call Run. What each fork did is compared with what it
// should have done.
//
// The seed decides what the jobs do, until one panics, and with one worker in
// which order. A failure is repeated by the number of its subtest. A hang is
// found by the watchdog.
func FuzzProgram(f *testing.F) {
	programs := 1200
	if testing.Short() {
		programs = 200
	}
	for i := range programs {
		f.Add(uint64(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		during(t, "P4", "the program of a seed ends, and Close returns", func() { runSeed(t, seed) })
	})
}

// runSeed runs the program of a seed.
func runSeed(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	opts := []pool.Option{pool.WithWorkers(1 + rng.IntN(3))}
	if rng.IntN(3) == 0 {
		opts = append(opts, pool.WithEagerPublish())
	}
	g := &program{t: t, panics: []int{0, 1, 4, 10}[rng.IntN(4)], exits: rng.IntN(4) == 0}
	if rng.IntN(2) == 0 {
		opts = append(opts, pool.WithPanicHandler(g.report))
	}
	p := newPool(t, opts...)
	g.pool = p
	var wg sync.WaitGroup
	for range 1 + rng.IntN(2) {
		n := g.newNode(nil, rng.Uint64(), 20+rng.IntN(200))
		submitted := g.exits || rng.IntN(2) == 0
		wg.Go(func() { g.attempt(func() { g.enter(n, nil, submitted) }) })
	}
	wg.Wait()
	noError(t, p.Close(), "P6: Close:")
	noError(t, p.CheckStacks(), "P8: after Close:")
}

// A program is what one seed stands for.
type program struct {
	t      *testing.T
	pool   *pool.Pool
	panics int  // how often jobs panic, of forty times
	exits  bool // jobs may call Goexit
	ids    atomic.Int64
}

// planned is what jobs panic with.
type planned struct{ id int64 }

// attempt calls f and recovers a panic of the program.
func (g *program) attempt(f func()) (ok bool) {
	defer func() {
		switch v := recover().(type) {
		case nil, planned:
		default:
			g.t.Errorf("P2: a job panicked with what none has raised: %v", v)
		}
	}()
	f()
	return true
}

// report is the panic handler of the program, if it has one.
func (g *program) report(e *pool.PanicError) {
	if _, ok := e.Value.(planned); !ok || len(e.Stack) == 0 {
		g.t.Errorf("P2: the panic handler is called with %v", e)
	}
}

// An extent is what a job, Join, Scope or Run spans. When it is left, what was
// forked inside has ended or will never start.
type extent struct {
	outer   *extent
	left    atomic.Pointer[string]
	running atomic.Int32
}

func (g *program) leave(e *extent, what string) {
	e.left.Store(&what)
	expect(g.t, e.running.Load() == 0,
		"P2: %s is left while %d jobs still run that were forked inside", what, e.running.Load())
}

// A node is a job.
type node struct {
	id     int64
	seed   uint64
	budget int // for how many jobs may descend from it
	extent
	starts atomic.Int32
	// forks are those that the job has made. Only the job uses them until it
	// is known to have returned.
	forks []*node
	// settled says that there is nothing left to be checked of it: it was
	// joined, or the Join or Scope that it was forked in has failed.
	settled bool
	// spawns is set if the job belongs to a scope.
	spawns *spawns
}

func (g *program) newNode(outer *extent, seed uint64, budget int) *node {
	return &node{id: g.ids.Add(1), seed: seed, budget: budget, extent: extent{outer: outer}}
}

// returned checks a job that has returned, and so have its forks.
func (g *program) returned(n *node, what string) {
	expect(g.t, n.starts.Load() == 1,
		"P1: %s has returned, and job %d was run %d times", what, n.id, n.starts.Load())
	g.leave(&n.extent, what)
	g.haveReturned(n.forks, what)
}

func (g *program) haveReturned(forks []*node, what string) {
	for _, f := range forks {
		if !f.settled {
			g.returned(f, what)
		}
	}
	settle(forks)
}

func settle(forks []*node) {
	for _, f := range forks {
		f.settled = true
	}
}

// play is what each job does.
func (g *program) play(w *pool.Worker, n *node) int64 {
	expect(g.t, n.starts.Add(1) == 1, "P1: job %d is run twice", n.id)
	for e := n.outer; e != nil; e = e.outer {
		e.running.Add(1)
		defer e.running.Add(-1)
		if what := e.left.Load(); what != nil {
			g.t.Errorf("P2: job %d starts, but the %s that it was forked in has been left", n.id, *what)
		}
	}
	j := &job{g, w, n, rand.New(rand.NewPCG(n.seed, 2)), &n.extent, nil, n.budget}
	if n.budget > 0 {
		j.moves(2 + j.rng.IntN(6))
	} else {
		j.fails()
	}
	return n.id
}

// enter runs the job by Run, or Submit and Wait or Handle.Join.
func (g *program) enter(n *node, in *pool.Worker, submitted bool) {
	defer func() {
		if v := recover(); v != nil { // and not Goexit, which may leave the job to itself
			g.leave(&n.extent, "Run")
			panic(v)
		}
	}()
	var got int64
	var err error
	if !submitted {
		ctx := background
		if in != nil && n.id%4 != 0 {
			ctx = pool.NewContext(background, in)
		}
		got, err = pool.Run(ctx, g.pool, g.play, n)
	} else {
		var h *pool.Handle[int64]
		h, err = pool.Submit(g.pool, func(w *pool.Worker) int64 { return g.play(w, n) })
		if err == pool.ErrClosed && g.exits {
			return // a job that goes on after who waited for it has exited
		}
		if err != nil {
			g.t.Errorf("P1: Submit returned the error %v", err)
			return
		}
		if in != nil {
			got, err = h.Join(in)
		} else {
			got, err = h.Wait(background)
		}
		if e, ok := err.(*pool.PanicError); ok {
			panic(e.Value)
		}
	}
	if err == pool.ErrGoexit {
		return
	}
	expect(g.t, err == nil && got == n.id, "P1: Run, Join or Wait returned %d, %v, want %d", got, err, n.id)
	g.returned(n, "Run")
}
