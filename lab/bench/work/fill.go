package work

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// FillShapes are the ways to hand out many leaves at once: forked in a loop, the newest joined first;
// forked by halving; spawned in one Scope; submitted from outside the pool; one call of [par.For].
func FillShapes() []string { return []string{"flat", "tree", "scope", "submit", "loop"} }

// Fill runs leaves that sleep, twice as many as there are workers, so two leaf times is the least that a run
// can take. A leaf that
// sleeps uses no processor, so any number of workers can be at work on few
// processors. The result is the number of leaves.
//
// Goroutines have no workers: there is one goroutine a leaf, and a semaphore
// lets as many of them sleep at once as there are workers. All workers of a
// pool sleep before a run.
func Fill(shape string, workers int, leaf time.Duration) *Program {
	l := leaves{2 * workers, leaf}
	return &Program{
		Goroutines: l.goAll,
		Pool: map[string]func(*pool.Pool) (uint64, error){
			"flat": onPool(forkFlat, l), "tree": onPool(forkTree, l), "scope": onPool(spawnAll, l),
			"submit": l.submit, "loop": l.loop,
		}[shape],
		Asleep: true,
	}
}

type leaves struct {
	n    int
	each time.Duration
}

func sleepLeaf(_ *pool.Worker, d time.Duration) uint64 {
	time.Sleep(d)
	return 1
}

func forkFlat(w *pool.Worker, l leaves) (ran uint64) {
	forks := make([]pool.Forked[time.Duration, uint64], l.n)
	for i := range forks {
		forks[i] = pool.Fork(w, sleepLeaf, l.each)
	}
	for i := len(forks) - 1; i >= 0; i-- {
		ran += forks[i].Join(w)
	}
	return ran
}

func forkTree(w *pool.Worker, l leaves) uint64 {
	if l.n == 1 {
		return sleepLeaf(w, l.each)
	}
	half := l.n / 2
	x, y := pool.Invoke(w, forkTree, leaves{half, l.each}, forkTree, leaves{l.n - half, l.each})
	return x + y
}

func spawnAll(w *pool.Worker, l leaves) uint64 {
	var ran atomic.Uint64
	w.Scope(func(w *pool.Worker, scope *pool.Scope) {
		for range l.n {
			scope.Spawn(w, func(w *pool.Worker) { ran.Add(sleepLeaf(w, l.each)) })
		}
	})
	return ran.Load()
}

func (l leaves) submit(p *pool.Pool) (uint64, error) {
	var ran atomic.Uint64
	var left sync.WaitGroup
	for range l.n {
		left.Add(1)
		job := func(w *pool.Worker) uint64 { defer left.Done(); return ran.Add(sleepLeaf(w, l.each)) }
		if _, err := pool.Submit(p, job); err != nil {
			return 0, err
		}
	}
	left.Wait()
	return ran.Load(), nil
}

func (l leaves) loop(p *pool.Pool) (uint64, error) {
	var ran atomic.Uint64
	par.For(l.n, func(int) { ran.Add(sleepLeaf(nil, l.each)) }, par.On(p))
	return ran.Load(), nil
}

func (l leaves) goAll(workers int) uint64 {
	sleeping := make(chan struct{}, workers)
	return goSum(l.n, func(int) uint64 {
		sleeping <- struct{}{}
		defer func() { <-sleeping }()
		return sleepLeaf(nil, l.each)
	})
}
