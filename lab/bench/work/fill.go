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
	// FillFlat forks all leaves in a loop, then joins the newest first.
	FillFlat FillShape = "flat"
	// FillOldest forks all leaves in a loop, then joins the oldest first.
	FillOldest FillShape = "oldest"
	// FillSpine walks a list and forks a leaf at each of its nodes. Each leaf
	// is joined on the way back.
	FillSpine FillShape = "spine"
	// FillTree halves the range of leaves down to single ones.
	FillTree FillShape = "tree"
	// FillScope spawns all leaves in one Scope.
	FillScope FillShape = "scope"
	// FillSubmit submits all leaves from outside the pool.
	FillSubmit FillShape = "submit"
	// FillLoop is one call of [par.For].
	FillLoop FillShape = "loop"
)

// FillShapes returns all shapes.
func FillShapes() []FillShape {
	return []FillShape{FillFlat, FillOldest, FillSpine, FillTree, FillScope, FillSubmit, FillLoop}
}

// LeafTime is how long a leaf of [Fill] sleeps where it is measured. Programs
// in other languages have the same.
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
	s := sleeping{leaves: FillLeaves(workers), leaf: leaf}
	group := func(groups Groups) uint64 { return s.group(groups, workers) }
	return &Program{
		Nested: group,
		Flat:   func(groups Groups, _ int) uint64 { return group(groups) },
		Pool:   s.shape(shape),
		Asleep: true,
	}
}

// sleeping is some leaves that sleep.
type sleeping struct {
	leaves int
	leaf   time.Duration
}

func (s sleeping) shape(shape FillShape) func(*pool.Pool) (uint64, error) {
	switch shape {
	case FillFlat:
		return onPool(fillFlat, s)
	case FillOldest:
		return onPool(fillOldest, s)
	case FillSpine:
		return onPool(fillSpine, s)
	case FillTree:
		return onPool(fillTree, s)
	case FillScope:
		return onPool(fillScope, s)
	case FillSubmit:
		return s.submit
	case FillLoop:
		return s.loop
	}
	panic("work: no shape " + string(shape))
}

func sleepLeaf(_ *pool.Worker, d time.Duration) uint64 {
	time.Sleep(d)
	return 1
}

// forkAll forks every leaf.
func (s sleeping) forkAll(w *pool.Worker) []pool.Forked[time.Duration, uint64] {
	forks := make([]pool.Forked[time.Duration, uint64], s.leaves)
	for i := range forks {
		forks[i] = pool.Fork(w, sleepLeaf, s.leaf)
	}
	return forks
}

func fillFlat(w *pool.Worker, s sleeping) (n uint64) {
	forks := s.forkAll(w)
	for i := len(forks) - 1; i >= 0; i-- {
		n += forks[i].Join(w)
	}
	return n
}

func fillOldest(w *pool.Worker, s sleeping) (n uint64) {
	for _, f := range s.forkAll(w) {
		n += f.Join(w)
	}
	return n
}

func fillSpine(w *pool.Worker, s sleeping) uint64 {
	if s.leaves == 0 {
		return 0
	}
	f := pool.Fork(w, sleepLeaf, s.leaf)
	rest := fillSpine(w, sleeping{s.leaves - 1, s.leaf})
	return rest + f.Join(w)
}

func fillTree(w *pool.Worker, s sleeping) uint64 {
	if s.leaves == 1 {
		return sleepLeaf(w, s.leaf)
	}
	half := s.leaves / 2
	x, y := pool.Invoke(w, fillTree, sleeping{half, s.leaf}, fillTree, sleeping{s.leaves - half, s.leaf})
	return x + y
}

func fillScope(w *pool.Worker, s sleeping) (n uint64) {
	slept := make([]uint64, s.leaves)
	w.Scope(func(w *pool.Worker, scope *pool.Scope) {
		for i := range slept {
			scope.Spawn(w, func(w *pool.Worker) { slept[i] = sleepLeaf(w, s.leaf) })
		}
	})
	for _, one := range slept {
		n += one
	}
	return n
}

func (s sleeping) submit(p *pool.Pool) (n uint64, err error) {
	leaf := func(w *pool.Worker) uint64 { return sleepLeaf(w, s.leaf) }
	handles := make([]*pool.Handle[uint64], s.leaves)
	for i := range handles {
		if handles[i], err = pool.Submit(p, leaf); err != nil {
			return 0, err
		}
	}
	for _, h := range handles {
		one, err := h.Wait(context.Background())
		if err != nil {
			return 0, err
		}
		n += one
	}
	return n, nil
}

func (s sleeping) loop(p *pool.Pool) (n uint64, _ error) {
	slept := make([]uint64, s.leaves)
	par.For(s.leaves, func(i int) {
		time.Sleep(s.leaf)
		slept[i] = 1
	}, par.On(p))
	for _, one := range slept {
		n += one
	}
	return n, nil
}

func (s sleeping) group(groups Groups, workers int) (n uint64) {
	slept := make([]uint64, s.leaves)
	seats := make(chan struct{}, workers)
	g := groups()
	for i := range slept {
		g.Go(func() {
			seats <- struct{}{}
			time.Sleep(s.leaf)
			<-seats
			slept[i] = 1
		})
	}
	g.Wait()
	for _, one := range slept {
		n += one
	}
	return n
}
