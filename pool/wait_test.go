package pool_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// waitKinds are the ways in which a job can wait for submitted ones.
var waitKinds = map[string]func(w *pool.Worker, h *pool.Handle[int]){
	"Join":          func(w *pool.Worker, h *pool.Handle[int]) { h.Join(w) },
	"Wait":          func(_ *pool.Worker, h *pool.Handle[int]) { h.Wait(background) },
	"Wait in Block": func(w *pool.Worker, h *pool.Handle[int]) { w.Block(func() { h.Wait(background) }) },
}

// A goroutine takes a worker of p, one of q, and another one of p; or the only workers of ten pools. As it
// comes back it waits on each of these levels for jobs that need all workers of all the pools.
func TestWorkersBeneath(t *testing.T) {
	for _, sizes := range [][]int{{1, 1}, {2, 1}, {3, 1}, slices.Repeat([]int{1}, 10)} {
		var pools []*pool.Pool
		workers := 0
		for _, n := range sizes {
			pools = append(pools, poolOf(t, n))
			workers += n
		}
		path := pools
		if len(pools) == 2 {
			path = append(path, pools[0])
		}
		for name, wait := range waitKinds {
			var level func(w *pool.Worker, n int) int
			level = func(w *pool.Worker, n int) int {
				if n+1 < len(path) {
					mustRun(t, path[n+1], level, n+1)
				}
				var begun sync.WaitGroup
				begun.Add(workers)
				for _, p := range pools {
					meets := func(*pool.Worker) int { begun.Done(); begun.Wait(); return 0 }
					for _, h := range submittedTimes(t, p, p.Workers(), meets) {
						defer wait(w, h)
					}
				}
				return 0
			}
			during(t, "P4", "a goroutine with jobs of several pools waits on each level, by "+name, func() {
				for range 10 {
					mustRun(t, path[0], level, 0)
				}
				for _, p := range pools { // of which no worker may be lost
					meet(t, p)
				}
			})
		}
	}
}

// A peak is the largest of some numbers.
type peak struct{ atomic.Int32 }

func (p *peak) reach(n int32) {
	for old := p.Load(); n > old && !p.CompareAndSwap(old, n); old = p.Load() {
		continue
	}
}

// A depth is the largest number of calls that jobs have seen on their stacks.
type depth struct{ peak }

// calls are kept off the stacks that are measured. They have room for stacks that are too deep.
var calls = sync.Pool{New: func() any { return new([1 << 13]uintptr) }}

func (d *depth) look() {
	b := calls.Get().(*[1 << 13]uintptr)
	defer calls.Put(b)
	d.reach(int32(runtime.Callers(1, b[:])))
}

// chain has a job submit the next one and join it, and so on. It returns how deep their stacks
// have got.
func chain(t *testing.T, p *pool.Pool, jobs int) int32 {
	var most depth
	var link func(w *pool.Worker, left int) int
	link = func(w *pool.Worker, left int) int {
		most.look()
		if left == 0 {
			return 0
		}
		n, err := submitted(t, p, func(w *pool.Worker) int { return link(w, left-1) }).Join(w)
		noError(t, err, "P1: Join of a handle returned the error")
		return n + 1
	}
	equal(t, mustRun(t, p, link, jobs), jobs, "P1: a chain of jobs that join each other returned")
	return most.Load()
}

// joinOne has jobs join the same one, which keeps its worker until all have begun.
func joinOne(t *testing.T, p *pool.Pool, jobs int) int32 {
	var most depth
	var begun sync.WaitGroup
	begun.Add(jobs)
	one := submitted(t, p, func(*pool.Worker) int { begun.Wait(); return 7 })
	give(t, 7, submittedTimes(t, p, jobs, func(w *pool.Worker) int {
		most.look()
		begun.Done()
		n, _ := one.Join(w)
		return n
	}), "P1: Join of a handle, one of many, returned")
	return most.Load()
}

// Each job is the one that another waits for, but a submitted job never runs on the goroutine
// of another: so a deadline can end the wait, and a Goexit ends no job that waits. When they have ended,
// the pool keeps a goroutine for each worker, and no other.
func TestStacksOfWaits(t *testing.T) {
	for name, c := range map[string]struct {
		workers int
		depth   func(t *testing.T, p *pool.Pool, jobs int) int32
	}{"chain": {1, chain}, "chain_on_two": {2, chain}, "join_one": {2, joinOne}} {
		subtest(t, name, "P17", "1000 jobs that wait for others", func(t *testing.T) {
			before := runtime.NumGoroutine()
			p := poolOf(t, c.workers)
			few, many := c.depth(t, p, 5), c.depth(t, p, 1000)
			expect(t, many <= few+200,
				"P17: of 1000 jobs that join others a stack is %d calls deep, of 5 it is %d", many, few)
			during(t, "P18", "a pool in which many jobs have waited at once keeps a goroutine for each worker", func() {
				until(t, "others end", func() bool { return runtime.NumGoroutine() <= before+1+c.workers }) // and this one
			})
		})
	}
}
