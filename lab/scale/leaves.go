package scale

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// leaves are n calls of leaf, each of which takes so long.
type leaves struct {
	n    int
	each simulate.Time
	leaf func(simulate.Time)
}

// plain takes the leaves one after the other.
func (l leaves) plain() uint64 {
	for range l.n {
		l.leaf(l.each)
	}
	return uint64(l.n)
}

// about says what they are.
func (l leaves) about() string {
	return fmt.Sprintf("%d leaves of %d µs", l.n, l.each/simulate.Microsecond)
}

// A shape is a way to run leaves on a pool.
type shape func(*pool.Worker, leaves) uint64

func (s shape) on(l leaves) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, s, l) }
}

func (s shape) row(name, about string, l leaves, c Cost) *Row {
	return &Row{
		Name: name, About: l.about() + ", " + about, Unit: "leaf", Units: l.n, Callers: 1,
		Cost: c, Plain: l.plain, Pool: s.on(l), Answer: uint64(l.n),
	}
}

// forking is how long a program takes for itself between two forks, or at a
// split.
const forking = 2 * simulate.Nanosecond

func treeRow(n int, each simulate.Time) *Row {
	return shape(halves).row("tree", "Invoke by halves", leaves{n, each, busy}, halvesCost(n, each))
}

// halves calls Invoke on the halves of the leaves.
func halves(w *pool.Worker, l leaves) uint64 {
	if l.n == 1 {
		l.leaf(l.each)
		return 1
	}
	own(forking)
	a, b := l, l
	a.n = l.n / 2
	b.n = l.n - a.n
	x, y := pool.Invoke(w, halves, a, halves, b)
	return x + y
}

func halvesCost(n int, each simulate.Time) Cost {
	if n == 1 {
		return step(each)
	}
	return step(forking).then(halvesCost(n/2, each).beside(halvesCost(n-n/2, each)))
}

func flatRow(n int, each simulate.Time) *Row {
	return shape(flat).row("flat", "a loop of forks, the newest joined first", leaves{n, each, busy}, loopCost(n, each))
}

// flat forks all leaves in a loop, and joins the newest first.
func flat(w *pool.Worker, l leaves) (total uint64) {
	forks := make([]pool.Forked[leaves, uint64], l.n)
	one := l
	one.n = 1
	for i := range forks {
		own(forking)
		forks[i] = pool.Fork(w, single, one)
	}
	for i := len(forks) - 1; i >= 0; i-- {
		total += forks[i].Join(w)
	}
	return total
}

func single(_ *pool.Worker, l leaves) uint64 { return l.plain() }

func loopCost(n int, each simulate.Time) Cost {
	return step(forking).times(n).then(step(each).copies(n))
}

func scopeRow(n int, each simulate.Time) *Row {
	return shape(spawned).row("scope", "spawned in a loop", leaves{n, each, busy}, loopCost(n, each))
}

// spawned spawns all leaves from the body of one scope.
func spawned(w *pool.Worker, l leaves) uint64 {
	leaf := func(*pool.Worker) { l.leaf(l.each) }
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range l.n {
			own(forking)
			s.Spawn(w, leaf)
		}
	})
	return uint64(l.n)
}
