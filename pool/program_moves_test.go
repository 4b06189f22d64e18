package pool_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

// A job is a node that runs.
type job struct {
	*program
	w      *pool.Worker
	node   *node
	rng    *rand.Rand
	within *extent
	// live are the forks that can be joined.
	live   []handle
	budget int
}

// A handle is a pool.Forked of any type.
type handle struct {
	*node
	made int // its place among the job's forks
	join func(w *pool.Worker)
}

func (j *job) check() {
	if err := j.w.CheckStack(); err != nil {
		j.t.Errorf("P1: the stack of job %d: %v", j.node.id, err)
	}
}

func (j *job) moves(n int) {
	moves := [...]func(){
		j.fork, j.fork, j.fork, j.fork, j.burst, j.joinSome, j.joinSome, j.joinSome, j.joinSome,
		j.invoke, j.joinBoth, j.joinBoth, j.scope, j.scope, j.spawn, j.recovers, j.recovers, j.nest, j.fails, j.fails,
	}
	for ; n > 0 && !j.t.Failed(); n-- {
		move := moves[j.rng.IntN(len(moves))]
		if j.rng.IntN(3) == 0 {
			j.attempt(move)
		} else {
			move()
		}
		j.check()
	}
}

// child is the next job that is forked, nil if there are enough.
func (j *job) child() *node {
	if j.budget <= 0 {
		return nil
	}
	share := j.rng.IntN(j.budget/2 + 1)
	j.budget -= 1 + share
	return j.newNode(j.within, j.rng.Uint64(), share)
}

func (j *job) fork() {
	if n := j.child(); n != nil {
		j.forkNode(n)
	}
}

func (j *job) forkNode(n *node) {
	h := handle{n, len(j.node.forks), nil}
	switch n.id % 3 {
	case 0:
		h.join = keep(j, pool.Fork(j.w, j.play, n), n.id)
	case 1:
		h.join = keep(j, pool.Fork(j.w, j.playString, n), strconv.Itoa(int(n.id)))
	case 2:
		h.join = keep(j, pool.Fork(j.w, j.playPair, pair{n, n}), pair{n, n})
	}
	j.node.forks = append(j.node.forks, n)
	j.live = append(j.live, h)
}

// Types that make the slots of a stack alternate.

type pair struct{ a, b *node }

func (g *program) playPair(w *pool.Worker, p pair) pair { g.play(w, p.a); return p }

func (g *program) playString(w *pool.Worker, n *node) string {
	return strconv.Itoa(int(g.play(w, n)))
}

func keep[A any, R comparable](j *job, f pool.Forked[A, R], want R) func(w *pool.Worker) {
	return func(w *pool.Worker) {
		if got := f.Join(w); got != want {
			j.t.Errorf("P1: a fork gave %v, want %v", got, want)
		}
	}
}

// burst forks so many leaves that not each join out of order closes its hole.
func (j *job) burst() {
	if j.node.budget < 30 {
		return
	}
	for range j.rng.IntN(200) {
		j.forkNode(j.newNode(j.within, j.rng.Uint64(), 0))
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
		h.settled = true
		h.join(j.w)
		j.returned(h.node, "Forked.Join")
		j.check()
	}
}

// inside calls f for a function that the job calls through the pool, within an
// extent of its own.
func (j *job) inside(e *extent, f func()) {
	outer := j.within
	e.outer = outer
	j.within = e
	defer func() { j.within = outer }()
	f()
}

// forget gives up the handles of forks made since then.
func (j *job) forget(since int) {
	j.live = slices.DeleteFunc(j.live, func(h handle) bool { return h.made >= since })
}

func (j *job) invoke() {
	b := j.child()
	if b == nil {
		return
	}
	since, returnedA, returned := len(j.node.forks), false, false
	defer func() {
		switch forks := j.node.forks[since:]; {
		case returned:
		case returnedA: // one of its forks failed, or b
			settle(forks)
			j.forget(since)
			fallthrough
		default:
			// It lives on, but can be joined no more.
			b.settled = b.starts.Load() > 0
			j.node.forks = append(j.node.forks, b)
		}
	}()
	a := func(*pool.Worker, int) int {
		j.moves(1 + j.rng.IntN(3))
		returnedA = true
		return since
	}
	x, y := pool.Invoke(j.w, a, 0, j.playPair, pair{b, nil})
	returned = true
	expect(j.t, x == since && y.a == b, "P1: Invoke returned %v and %v", x, y)
	j.ended(since, b, "Invoke")
}

// ended checks what Invoke and Join have run.
func (j *job) ended(since int, b *node, what string) {
	j.returned(b, what)
	j.haveReturned(j.node.forks[since:], what)
	j.forget(since)
}

func (j *job) joinBoth() {
	e, since, returned := new(extent), len(j.node.forks), false
	defer func() {
		j.leave(e, "Both")
		if !returned {
			settle(j.node.forks[since:])
			j.forget(since)
		}
	}()
	j.inside(e, func() {
		b := j.child()
		if b == nil {
			returned = true
			return
		}
		x, y := pool.Both(j.w, func(*pool.Worker) int {
			j.moves(1 + j.rng.IntN(3))
			return since
		}, func(w *pool.Worker) int64 { return j.play(w, b) })
		returned = true
		expect(j.t, x == since && y == b.id, "P1: Both returned %v and %v", x, y)
		j.ended(since, b, "Both")
	})
}

// spawns are the jobs of a scope.
type spawns struct {
	*pool.Scope
	extent *extent
	mu     sync.Mutex
	nodes  []*node
}

func (j *job) scope() {
	s, since, returned := &spawns{extent: new(extent)}, len(j.node.forks), false
	outer := j.node.spawns
	defer func() {
		j.node.spawns = outer
		for _, n := range s.nodes {
			expect(j.t, n.starts.Load() == 1, "P1: a job of a scope was run %d times", n.starts.Load())
			if returned {
				j.returned(n, "Scope")
			}
		}
		if !returned {
			j.leave(s.extent, "Scope")
			settle(j.node.forks[since:])
			j.forget(since)
		}
	}()
	j.inside(s.extent, func() {
		j.w.Scope(func(_ *pool.Worker, scope *pool.Scope) {
			s.Scope = scope
			j.node.spawns = s
			j.moves(1 + j.rng.IntN(4))
		})
	})
	returned = true
}

func (j *job) spawn() {
	s := j.node.spawns
	if s == nil {
		return
	}
	n := j.child()
	if n == nil {
		return
	}
	n.outer, n.spawns = s.extent, s
	s.mu.Lock()
	s.nodes = append(s.nodes, n)
	s.mu.Unlock()
	s.Spawn(j.w, func(w *pool.Worker) { j.play(w, n) })
}

func (j *job) recovers() { j.attempt(func() { j.moves(1 + j.rng.IntN(4)) }) }

// nest calls Run in the job, or Submit.
func (j *job) nest() {
	if n := j.child(); n != nil {
		n.outer = nil // if the job exits, the one that it waits for goes on
		j.enter(n, j.w, n.id%3 == 0)
	}
}

func (j *job) fails() {
	switch {
	case j.rng.IntN(40) < j.panics:
		panic(planned{j.node.id})
	case j.exits && j.rng.IntN(20) == 0:
		runtime.Goexit()
	}
}
