package pool_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// library is code that knows of the pool, but not of workers. It returns fib(8), which is 21.
func library(t *testing.T, ctx context.Context, p *pool.Pool, depth int) int {
	n, err := pool.Run(ctx, p, func(w *pool.Worker, depth int) int {
		if depth == 0 {
			return fib(w, 8)
		}
		return library(t, ctx, p, depth-1)
	}, depth)
	expect(t, err == nil, "P4: a nested Run returned the error %v", err)
	return n
}

// Calls of Run and Wait in jobs of the pool whose workers they need.
func TestNested(t *testing.T) {
	eachCase(t, []poolCase{
		{"run", "P4", func(t *testing.T, p *pool.Pool) {
			for range 10 {
				n := enter(t, p, func(w *pool.Worker) int { return library(t, background, p, 10) })
				n += enter(t, p, func(w *pool.Worker) int { return library(t, pool.NewContext(background, w), p, 10) })
				n += result(t, submitted(t, p, func(w *pool.Worker) int { return library(t, background, p, 3) }))
				check(t, n == 3*21, "P4: three nested calls of Run returned %d, want %d", n, 3*21)
			}
		}},
		{"run_in_forks", "P4", func(t *testing.T, p *pool.Pool) {
			var node func(w *pool.Worker, depth int) int
			node = func(w *pool.Worker, depth int) int {
				if depth == 0 {
					return library(t, background, p, 1)
				}
				f := pool.Fork(w, node, depth-1)
				return node(w, depth-1) + f.Join(w)
			}
			n := mustRun(t, p, node, 5)
			check(t, n == 32*21, "P4: 32 nested calls of Run returned %d in all, want %d", n, 32*21)
		}},
		{"run_of_all_workers", "P4", func(t *testing.T, p *pool.Pool) {
			var begun sync.WaitGroup
			begun.Add(p.Workers())
			var handles []*pool.Handle[int]
			for range p.Workers() {
				handles = append(handles, submitted(t, p, func(*pool.Worker) int {
					begun.Done()
					begun.Wait()
					return library(t, background, p, 3)
				}))
			}
			for _, h := range handles {
				check(t, result(t, h) == 21, "P4: a nested Run returned a wrong result")
			}
		}},
		{"wait", "P4", func(t *testing.T, p *pool.Pool) {
			n := enter(t, p, func(*pool.Worker) int {
				return result(t, submitted(t, p, func(*pool.Worker) int { return 7 }))
			})
			check(t, n == 7, "P4: Wait in a job returned %d, want 7", n)
		}},
		// More jobs than workers, each of which waits for jobs that are queued behind all of them.
		{"submit_and_wait", "P4", func(t *testing.T, p *pool.Pool) {
			const inner = 10
			free := hold(t, p, p.Workers())
			var handles []*pool.Handle[int]
			for range 40 {
				handles = append(handles, submitted(t, p, func(w *pool.Worker) (sum int) {
					var all []*pool.Handle[int]
					for range inner {
						all = append(all, submitted(t, p, func(*pool.Worker) int { return 1 }))
					}
					for i, h := range all {
						n, err := 0, error(nil)
						if i%2 == 0 {
							n, err = h.Wait(background)
						} else {
							n, err = h.Join(w)
						}
						expect(t, err == nil,
							"P1: a job that waits for one it has submitted got the error %v", err)
						sum += n
					}
					return sum
				}))
			}
			free()
			for _, h := range handles {
				n := result(t, h)
				check(t, n == inner, "P4: %d of %d jobs that a job had submitted returned to it", n, inner)
			}
		}},
		{"submit", "P4", func(t *testing.T, p *pool.Pool) {
			var all sync.WaitGroup
			for range 1000 {
				all.Add(3)
				submitted(t, p, func(*pool.Worker) int {
					for range 3 {
						submitted(t, p, func(*pool.Worker) int { all.Done(); return 0 })
					}
					return 0
				})
			}
			all.Wait()
		}},
	}, 1, 2, 3)
}

// A Run in a job of the same pool, as a worker of its own, spawns into the scope of that
// job, which then waits outside the pool. What was spawned lies in the deque of a worker
// that has no job any more.
func TestSpawnedInNestedRun(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P5", "a job runs that was spawned by a Run in another, which has ended, while the other is blocked", func() {
		for range 20 {
			begun := make(chan bool)
			do(t, p, func(w *pool.Worker) {
				w.Scope(func(_ *pool.Worker, s *pool.Scope) {
					do(t, p, func(w *pool.Worker) { s.Spawn(w, func(*pool.Worker) { close(begun) }) })
					<-begun
				})
			})
		}
		meet(t, p)
	})
}

// withPools runs f with new pools of so many workers, none of which may be lost.
func withPools(t *testing.T, what string, workers []int, f func(t *testing.T, pools ...*pool.Pool)) {
	t.Helper()
	var pools []*pool.Pool
	for _, n := range workers {
		pools = append(pools, poolOf(t, n))
	}
	during(t, "P4", what, func() {
		for range 5 {
			f(t, pools...)
		}
		for _, p := range pools {
			meet(t, p)
		}
	})
}

// Jobs of pools that call each other.
func TestMutualPools(t *testing.T) {
	withPools(t, "calls of Run from pool to pool and back, from both ends", []int{1, 1}, func(t *testing.T, pools ...*pool.Pool) {
		back := func(p, q *pool.Pool) {
			n := enter(t, p, func(*pool.Worker) int {
				return enter(t, q, func(*pool.Worker) int { return library(t, background, p, 1) })
			})
			expect(t, n == 21, "P4: Run from pool to pool and back returned %d, want 21", n)
		}
		back(pools[0], pools[1])
		together(func() { back(pools[0], pools[1]) }, func() { back(pools[1], pools[0]) })
	})
}

// Forks of one pool, each of which is a Run on another, which is awake or asleep.
func TestPoolInForks(t *testing.T) {
	for _, workers := range [][]int{{1, 1}, {2, 2}} {
		withPools(t, "calls of Run from forks of another pool", workers, func(t *testing.T, pools ...*pool.Pool) {
			sum := enter(t, pools[0], func(w *pool.Worker) (sum int) {
				var forks []pool.Forked[int, int]
				for i := range 100 {
					forks = append(forks, pool.Fork(w, func(_ *pool.Worker, n int) int { return mustRun(t, pools[1], fib, n) }, i%5))
				}
				for i := len(forks) - 1; i >= 0; i-- {
					sum += forks[i].Join(w)
				}
				return sum
			})
			check(t, sum == 20*(0+1+1+2+3), "P4: 100 calls of Run on another pool returned %d in all, want %d", sum, 20*(0+1+1+2+3))
		})
	}
}

// A goroutine that has the only workers of ten pools, and runs and waits for jobs of each.
func TestTenPools(t *testing.T) {
	withPools(t, "jobs of ten pools, whose only workers one goroutine has", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, func(t *testing.T, pools ...*pool.Pool) {
		var through func(rest []*pool.Pool) int
		through = func(rest []*pool.Pool) (ran int) {
			if len(rest) > 0 {
				return enter(t, rest[0], func(*pool.Worker) int { return through(rest[1:]) })
			}
			for _, p := range pools {
				ran += result(t, submitted(t, p, func(*pool.Worker) int { return 1 }))
				ran += enter(t, p, func(*pool.Worker) int { return 1 })
			}
			return ran
		}
		n := through(pools)
		check(t, n == 2*len(pools), "P4: %d of %d jobs ran on ten nested pools", n, 2*len(pools))
	})
}

// waitKinds are the ways in which a job can wait for submitted ones.
var waitKinds = map[string]func(w *pool.Worker, h *pool.Handle[int]){
	"Join":          func(w *pool.Worker, h *pool.Handle[int]) { h.Join(w) },
	"Wait":          func(_ *pool.Worker, h *pool.Handle[int]) { h.Wait(background) },
	"Wait in Block": func(w *pool.Worker, h *pool.Handle[int]) { w.Block(func() { h.Wait(background) }) },
}

// A goroutine takes a worker of p, one of q, and another one of p, if there is one. As it comes
// back it waits on each of these levels for jobs that need all workers of both pools.
func TestWorkersBeneath(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		for name, wait := range waitKinds {
			withPools(t, "a goroutine with jobs of two pools waits on each level, by "+name, []int{workers, 1}, func(t *testing.T, pools ...*pool.Pool) {
				var level func(w *pool.Worker, n int) int
				level = func(w *pool.Worker, n int) int {
					if n < 2 {
						mustRun(t, pools[1-n], level, n+1)
					}
					var begun sync.WaitGroup
					begun.Add(workers + 1)
					var all []*pool.Handle[int]
					for _, p := range pools {
						for range p.Workers() {
							all = append(all, submitted(t, p, func(*pool.Worker) int { begun.Done(); begun.Wait(); return 0 }))
						}
					}
					for _, h := range all {
						wait(w, h)
					}
					return 0
				}
				mustRun(t, pools[0], level, 0)
			})
		}
	}
}

// A job of p waits for one of q, while others take the worker of p that it leaves. When the
// other job has ended, q's only worker is q's.
func TestWaitForAnotherPool(t *testing.T) {
	withPools(t, "a pool whose job another pool's has waited for begins a Run, while that one is blocked", []int{1, 1}, func(t *testing.T, pools ...*pool.Pool) {
		p, q := pools[0], pools[1]
		held, free, visited := make(chan bool), make(chan bool), make(chan bool)
		do(t, p, func(w *pool.Worker) {
			aside := p.Stats().SetAside
			h := submitted(t, q, func(*pool.Worker) int {
				<-held
				until(t, "the job that waits is set aside", func() bool { return p.Stats().SetAside > aside })
				return 7
			})
			holder := submitted(t, p, func(*pool.Worker) int { close(held); <-free; return 0 })
			if n, err := h.Join(w); n != 7 || err != nil {
				t.Errorf("P1: a job that waits for one of another pool got %d, %v, want 7", n, err)
			}
			go enter(t, q, func(*pool.Worker) int { close(visited); return 0 })
			<-visited
			close(free)
			holder.Join(w)
		})
	})
}

// More callers than workers: no more jobs run at once than there are workers, but for those
// that have waited and found no worker when they went on. The pool counts these.
func TestManyCallers(t *testing.T) {
	p := poolOf(t, 3)
	var running atomic.Int32
	leaf := func(*pool.Worker, int) int {
		n := int(running.Add(1))
		if without := int(p.Stats().Seatless); n > p.Workers()+without {
			t.Errorf("P11: %d jobs run at once on %d workers, and %d times one went on without", n, p.Workers(), without)
		}
		one := plainFib(8) - 20 // some time
		running.Add(-1)
		return one
	}
	root := func(w *pool.Worker, n int) int {
		sum := leaf(w, 0)
		var forks []pool.Forked[int, int]
		for i := range n {
			forks = append(forks, pool.Fork(w, leaf, i))
		}
		for i := len(forks) - 1; i >= 0; i-- {
			sum += forks[i].Join(w)
		}
		return sum
	}
	caller := func() {
		for range 50 {
			equal(t, mustRun(t, p, root, 10), 11, "P11: Run returned")
		}
	}
	during(t, "P11", "calls of Run, of which there are more than workers", func() {
		together(caller, caller, caller, caller, caller, caller, caller, caller, caller, caller, caller, caller)
	})
}
