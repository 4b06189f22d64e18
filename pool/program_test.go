package pool_test

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// FuzzProgram runs random programs: jobs that fork, join what they have forked in any order and at any
// depth, or not at all, spawn, panic, recover, and call Run. The same program is played by plain calls,
// where a fork runs as it is joined, or at the end of what it was forked in. Both must have the same
// result, or end with the same panic; what the plain program runs the pool must run, and nothing twice.
//
// A job recovers panics around Both, Scope and Run alone. Elsewhere what the panic has left behind may
// run or not. The panics of jobs of one scope are equal, for which of them comes first in time is chance.
//
// A failure is repeated by the number of its subtest. A hang is found by the watchdog.
func FuzzProgram(f *testing.F) {
	programs := 300
	if testing.Short() {
		programs = 100
	}
	for i := range programs {
		f.Add(uint64(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		during(t, "P4", "the program of a seed ends, and Close returns", func() { runSeed(t, seed) })
	})
}

func runSeed(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	opts := []pool.Option{pool.WithWorkers(1 + rng.IntN(3))}
	way := rng.IntN(4)
	eager := way == 0
	switch way {
	case 0:
		opts = append(opts, pool.WithEagerPublish())
	case 1:
		opts = append(opts, pool.WithRandomSchedule(seed))
	}
	if rng.IntN(2) == 0 {
		opts = append(opts, pool.WithPanicHandler(func(e *pool.PanicError) {
			_, ok := e.Value.(planned)
			expect(t, ok && len(e.Stack) > 0, "P2: the panic handler is called with %v", e)
		}))
	}
	panics := []int{0, 1, 4, 10}[rng.IntN(4)]
	plain, onPool := &program{t: t, panics: panics}, &program{t: t, panics: panics, pool: newPool(t, opts...)}
	var callers []func()
	for range 1 + rng.IntN(2) {
		n := node{seed: rng.Uint64(), budget: 20 + rng.IntN(200)}
		callers = append(callers, func() {
			want, got := plain.attempt(n), onPool.attempt(n)
			equal(t, fmt.Sprintf("%T %v", got, got), fmt.Sprintf("%T %v", want, want), "P1: the type and the value that a program returned, or panicked with, are")
		})
	}
	together(callers...)
	noError(t, onPool.pool.Close(), "P6: Close:")
	noError(t, onPool.pool.CheckStacks(), "P8: after Close:")
	s, forks, spawned := onPool.pool.Stats(), onPool.forks.Load(), onPool.spawned.Load()
	expect(t, s.Forks == forks && s.Spawned == spawned && s.Published <= forks && (!eager || s.Published == forks) &&
		s.Steals <= s.Published+spawned+s.Injected, "P26: of %d forks, all of which are published at once: %t, and %d spawned jobs Stats says %+v",
		forks, eager, spawned, s)
	plain.runs.Range(func(seed, _ any) bool {
		_, ran := onPool.runs.Load(seed)
		expect(t, ran, "P1: a job that a plain program would run was not run")
		return true
	})
}

// A program is what a seed stands for, as it is played once.
type program struct {
	t      *testing.T
	pool   *pool.Pool // nil if it is played by plain calls
	panics int        // how often jobs panic, of forty times
	runs   sync.Map   // by the seed of the job
	// forks and spawned are what Stats is to count.
	forks, spawned atomic.Uint64
}

// planned is what jobs panic with.
type planned uint64

// A node is a job, before it runs.
type node struct {
	seed   uint64
	budget int     // for how many jobs may descend from it
	within *extent // what it was forked in
	scope  *spawns // of which it is a job, or nil
	value  planned // what it panics with, if not with its own seed
}

func (n node) panicsWith() planned { return cmp.Or(n.value, planned(n.seed)) }

// An extent is what Both, Scope or Run spans. When it is left, what was forked inside has ended or will
// never start.
type extent struct {
	outer   *extent
	left    atomic.Pointer[string]
	running atomic.Int32
}

// spawns are the jobs of a scope. A plain program runs them at its end.
type spawns struct {
	*pool.Scope
	within *extent
	plain  []node
}

// A job is a node that runs.
type job struct {
	*program
	node
	w   *pool.Worker
	rng *rand.Rand
	sum uint64
	// live are the forks that can be joined, the newest last. made counts all.
	live []handle
	made int
	body bool // of a scope
}

// A handle is a pool.Forked of any type.
type handle struct {
	number int
	join   func() uint64
}

// attempt runs a program. It returns the result, or the panic.
func (g *program) attempt(n node) (result any) {
	defer func() {
		if v := recover(); v != nil {
			result = v
		}
	}()
	return g.enter(nil, n)
}

// play is what each job does.
func (g *program) play(w *pool.Worker, n node) uint64 {
	_, again := g.runs.LoadOrStore(n.seed, true)
	expect(g.t, !again, "P1: a job is run twice")
	for e := n.within; e != nil; e = e.outer {
		e.running.Add(1)
		defer e.running.Add(-1)
		if what := e.left.Load(); what != nil {
			g.t.Errorf("P2: a job starts, and the %s that it was forked in has been left", *what)
		}
	}
	j := &job{program: g, node: n, w: w, rng: rand.New(rand.NewPCG(n.seed, 2)), sum: n.seed}
	if n.budget > 0 {
		j.moves(2 + j.rng.IntN(6))
	} else {
		j.fails()
	}
	j.settle(0)
	return j.sum
}

func (j *job) moves(n int) {
	moves := [...]func(){
		j.fork, j.fork, j.fork, j.fork, j.burst, j.joinSome, j.joinSome, j.joinSome, j.joinSome,
		j.invoke, j.both, j.both, j.inScope, j.inScope, j.spawn, j.nest, j.fails, j.looks,
	}
	for ; n > 0 && !j.t.Failed(); n-- {
		moves[j.rng.IntN(len(moves))]()
		if j.w != nil {
			noError(j.t, j.w.CheckStack(), "P1: the stack of a job:")
		}
	}
}

// child is the next job that is forked, if there are not enough.
func (j *job) child() (n node, ok bool) {
	if j.budget <= 0 {
		return n, false
	}
	share := j.rng.IntN(j.budget/2 + 1)
	j.budget -= 1 + share
	n = node{seed: j.rng.Uint64(), budget: share, within: j.within, value: j.value}
	if j.scope != nil {
		n.value = j.panicsWith()
	}
	return n, true
}

func (j *job) fork() {
	if n, ok := j.child(); ok {
		j.forkNode(n)
	}
}

// forkNode forks by functions of several types, so that the slots of a stack alternate.
func (j *job) forkNode(n node) {
	h := handle{j.made, func() uint64 { return j.play(nil, n) }}
	j.forks.Add(1)
	switch {
	case j.w == nil:
	case n.seed%2 == 0:
		f := pool.Fork(j.w, j.play, n)
		h.join = func() uint64 { return f.Join(j.w) }
	default:
		f := pool.Fork(j.w, j.playText, [2]node{n})
		h.join = func() uint64 { r, _ := strconv.ParseUint(f.Join(j.w), 10, 64); return r }
	}
	j.made++
	j.live = append(j.live, h)
}

func (g *program) playText(w *pool.Worker, n [2]node) string {
	return strconv.FormatUint(g.play(w, n[0]), 10)
}

// burst forks so many leaves that not each join out of order closes its hole.
func (j *job) burst() {
	if j.budget >= 30 {
		for range j.rng.IntN(200) {
			j.forkNode(node{seed: j.rng.Uint64(), within: j.within, value: j.value})
		}
	}
}

func (j *job) joinSome() {
	n := 1
	if j.rng.IntN(3) == 0 {
		n += j.rng.IntN(len(j.live) + 1)
	}
	order := j.rng.IntN(4)
	for ; n > 0 && len(j.live) > 0; n-- {
		last := len(j.live) - 1
		i := [...]int{last, 0, last / 2, j.rng.IntN(last + 1)}[order]
		h := j.live[i]
		j.live = slices.Delete(j.live, i, i+1)
		j.sum += h.join()
	}
}

// settle gives up the forks since then. A plain program runs them, the newest first, as the pool does.
func (j *job) settle(since int) {
	for len(j.live) > 0 && j.live[len(j.live)-1].number >= since {
		h := j.live[len(j.live)-1]
		j.live = j.live[:len(j.live)-1]
		if j.w == nil {
			h.join()
		}
	}
}

// some are moves whose forks do not outlive them.
func (j *job) some() uint64 {
	since := j.made
	j.moves(1 + j.rng.IntN(3))
	j.settle(since)
	return 1
}

// beside calls some moves beside another job.
func (j *job) beside(call func(n node) (a, b uint64)) {
	n, ok := j.child()
	switch {
	case !ok:
	case j.w == nil:
		a := j.some()
		j.sum += a + j.play(nil, n)
	default:
		j.forks.Add(1)
		a, b := call(n)
		j.sum += a + b
	}
}

func (j *job) invoke() {
	j.beside(func(n node) (a, b uint64) {
		return pool.Invoke(j.w, func(*pool.Worker, int) uint64 { return j.some() }, 0, j.play, n)
	})
}

// boundary calls f, and sees that what was forked within has ended as f is left, or never starts. At
// times it recovers a panic. If the body of a scope returns, its forks are those of the job.
func (j *job) boundary(what string, f func()) {
	outer, since, recovers, returned := j.within, j.made, j.rng.IntN(2) == 0, false
	e := &extent{outer: outer}
	j.within = e
	defer func() {
		j.within = outer
		if what != "Scope" || !returned {
			e.left.Store(&what)
			n := e.running.Load()
			expect(j.t, n == 0, "P2: %s is left while %d jobs still run that were forked inside", what, n)
			j.live = slices.DeleteFunc(j.live, func(h handle) bool { return h.number >= since })
		}
		if !returned && recovers {
			value, ok := recover().(planned)
			expect(j.t, ok, "P2: a job panicked with what none has raised")
			j.sum += uint64(value)
		}
	}()
	f()
	returned = true
}

func (j *job) both() {
	j.boundary("Both", func() {
		j.beside(func(n node) (a, b uint64) {
			return pool.Both(j.w, func(*pool.Worker) uint64 { return j.some() }, func(w *pool.Worker) uint64 { return j.play(w, n) })
		})
	})
}

func (j *job) inScope() {
	scope, body := j.scope, j.body
	defer func() { j.scope, j.body = scope, body }()
	j.boundary("Scope", func() {
		s := &spawns{within: j.within}
		j.scope, j.body = s, true
		body := func() {
			for range j.rng.IntN(3) {
				j.spawn()
			}
			j.moves(1 + j.rng.IntN(4))
		}
		if j.w != nil {
			j.w.Scope(func(_ *pool.Worker, scope *pool.Scope) { s.Scope = scope; body() })
			return
		}
		var failed any
		try := func(f func()) {
			defer func() { failed = cmp.Or(failed, recover()) }()
			f()
		}
		for try(body); len(s.plain) > 0; {
			n := s.plain[0]
			s.plain = s.plain[1:]
			try(func() { j.play(nil, n) })
		}
		if failed != nil {
			panic(failed)
		}
	})
}

func (j *job) spawn() {
	s := j.scope
	if s == nil {
		return
	}
	n, ok := j.child()
	if n.within, n.scope = s.within, s; !ok {
		return
	}
	if j.w == nil {
		s.plain = append(s.plain, n)
	} else {
		j.spawned.Add(1)
		s.Spawn(j.w, func(w *pool.Worker) { j.play(w, n) })
	}
}

// nest has another job run, which it waits for.
func (j *job) nest() {
	j.boundary("Run", func() {
		if n, ok := j.child(); ok {
			j.sum += j.enter(j.w, n)
		}
	})
}

// enter runs the job by Run, or Submit and Wait or Handle.Join.
func (g *program) enter(in *pool.Worker, n node) (result uint64) {
	var err error
	switch way := n.seed % 4; {
	case g.pool == nil:
		return g.play(nil, n)
	case way < 2:
		ctx := background
		if way == 0 && in != nil {
			ctx = pool.NewContext(ctx, in)
		}
		result, err = pool.Run(ctx, g.pool, g.play, n)
	default:
		h := submitted(g.t, g.pool, func(w *pool.Worker) uint64 { return g.play(w, n) })
		if way == 2 && in != nil {
			result, err = h.Join(in)
		} else {
			result, err = h.Wait(background)
		}
		if e, ok := err.(*pool.PanicError); ok {
			panic(e.Value)
		}
	}
	noError(g.t, err, "P1: Run, Join or Wait returned")
	return result
}

func (j *job) fails() {
	if j.rng.IntN(40) >= j.panics {
		return
	}
	value := j.panicsWith()
	if j.body && j.value == 0 {
		value++ // which counts, whatever the jobs of the scope do
	}
	panic(value)
}

// looks calls Stats and Dump while other jobs run.
func (j *job) looks() {
	if j.pool != nil {
		last := j.pool.Stats()
		j.pool.Dump(io.Discard)
		notLess(j.t, last, j.pool.Stats())
	}
}
