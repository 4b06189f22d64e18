package work

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A FillShape is a way to hand out many leaves at once.
type FillShape string

// The shapes of [Fill].
const (
	FillFlat   FillShape = "flat"   // forked in a loop, the newest joined first
	FillTree   FillShape = "tree"   // forked by halving
	FillScope  FillShape = "scope"  // spawned in one Scope
	FillSubmit FillShape = "submit" // submitted from outside the pool
	FillLoop   FillShape = "loop"   // one call of [par.For]
)

// FillShapes returns all shapes.
func FillShapes() []FillShape {
	return []FillShape{FillFlat, FillTree, FillScope, FillSubmit, FillLoop}
}

// LeafTime is how long a leaf of [Fill] sleeps where it is measured.
const LeafTime = 2 * time.Millisecond

// FillLeaves is how many leaves [Fill] has for so many workers. So two leaf
// times is the least that a run can take.
func FillLeaves(workers int) int { return 2 * workers }

// Fill runs leaves that sleep, twice as many as there are workers. A leaf that
// sleeps uses no processor, so any number of workers can be at work on few
// processors. The result is the number of leaves.
//
// Goroutines have no workers: there is one goroutine a leaf, and a semaphore
// lets as many of them sleep at once as there are workers. All workers of a
// pool sleep before a run.
func Fill(shape FillShape, workers int, leaf time.Duration) *Program {
	l := same{FillLeaves(workers), func() { time.Sleep(leaf) }}
	return &Program{
		Goroutines: func() uint64 { return l.goAll(workers) },
		Pool:       l.On(shape),
		Asleep:     true,
	}
}

// same are some leaves that all do the same.
type same struct {
	N    int
	Leaf func()
}

// On runs the leaves on a pool, in a shape, and returns how many have run.
func (l same) On(shape FillShape) func(*pool.Pool) (uint64, error) {
	forking := map[FillShape]func(*pool.Worker, same) uint64{
		FillFlat: fillFlat, FillTree: fillTree, FillScope: fillScope,
	}
	switch fork := forking[shape]; {
	case fork != nil:
		return onPool(fork, l)
	case shape == FillSubmit:
		return l.submit
	case shape == FillLoop:
		return l.loop
	}
	panic("work: no shape " + string(shape))
}

func (l same) one(*pool.Worker) uint64 { return runLeaf(nil, l.Leaf) }

func runLeaf(_ *pool.Worker, leaf func()) uint64 {
	leaf()
	return 1
}

func fillFlat(w *pool.Worker, l same) (n uint64) {
	forks := make([]pool.Forked[func(), uint64], l.N)
	for i := range forks {
		forks[i] = pool.Fork(w, runLeaf, l.Leaf)
	}
	for i := len(forks) - 1; i >= 0; i-- {
		n += forks[i].Join(w)
	}
	return n
}

func fillTree(w *pool.Worker, l same) uint64 {
	if l.N == 1 {
		return l.one(w)
	}
	half := l.N / 2
	x, y := pool.Invoke(w, fillTree, same{half, l.Leaf}, fillTree, same{l.N - half, l.Leaf})
	return x + y
}

func fillScope(w *pool.Worker, l same) uint64 {
	ran := make([]uint64, l.N)
	w.Scope(func(w *pool.Worker, scope *pool.Scope) {
		for i := range ran {
			scope.Spawn(w, func(w *pool.Worker) { ran[i] = l.one(w) })
		}
	})
	return total(ran)
}

func (l same) submit(p *pool.Pool) (total uint64, err error) {
	handles := make([]*pool.Handle[uint64], l.N)
	for i := range handles {
		if handles[i], err = pool.Submit(p, l.one); err != nil {
			return 0, err
		}
	}
	for _, h := range handles {
		one, err := h.Wait(context.Background())
		if err != nil {
			return 0, err
		}
		total += one
	}
	return total, nil
}

func (l same) loop(p *pool.Pool) (uint64, error) {
	ran := make([]uint64, l.N)
	par.For(l.N, func(i int) { ran[i] = l.one(nil) }, par.On(p))
	return total(ran), nil
}

// goAll has a goroutine for each leaf, so many of which sleep at once.
func (l same) goAll(workers int) uint64 {
	sleeping := make(chan struct{}, workers)
	return goSum(l.N, func(int) uint64 {
		sleeping <- struct{}{}
		defer func() { <-sleeping }()
		return l.one(nil)
	})
}
