package pool_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
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
			equal(t, mustRun(t, p, node, 5), 32*21, "P4: 32 nested calls of Run returned in all")
		}},
		{"run_of_all_workers", "P4", func(t *testing.T, p *pool.Pool) {
			var begun sync.WaitGroup
			begun.Add(p.Workers())
			give(t, 21, submittedTimes(t, p, p.Workers(), func(*pool.Worker) int {
				begun.Done()
				begun.Wait()
				return library(t, background, p, 3)
			}), "P4: a nested Run returned")
		}},
		// More jobs than workers, each of which waits for jobs that are queued behind all of them.
		{"submit_and_wait", "P4", func(t *testing.T, p *pool.Pool) {
			const inner = 10
			free := hold(t, p, p.Workers())
			outer := submittedTimes(t, p, 40, func(w *pool.Worker) (sum int) {
				for i, h := range submittedTimes(t, p, inner, func(*pool.Worker) int { return 1 }) {
					n, err := 0, error(nil)
					if i%2 == 0 {
						n, err = h.Wait(background)
					} else {
						n, err = h.Join(w)
					}
					noError(t, err, "P1: a job that waits for one it has submitted got the error")
					sum += n
				}
				return sum
			})
			free()
			give(t, inner, outer, "P4: of 10 jobs that a job had submitted returned to it")
		}},
		{"submit", "P4", func(t *testing.T, p *pool.Pool) {
			var all sync.WaitGroup
			all.Add(3000)
			submittedTimes(t, p, 1000, func(*pool.Worker) int {
				submittedTimes(t, p, 3, func(*pool.Worker) int { all.Done(); return 0 })
				return 0
			})
			all.Wait()
		}},
	}, 1, 2, 3)
}

// A Run in a job of the same pool, as a worker of its own, spawns into the scope of that
// job, which then waits outside the pool. What was spawned lies in the deque of a worker
// that has no job any more.
func TestSpawnedInNestedRun(t *testing.T) {
	withPools(t, "P5", "a job runs that was spawned by a Run in another, which has ended, while the other is blocked",
		[]int{2}, func(pools ...*pool.Pool) {
			begun := make(chan bool)
			do(t, pools[0], func(w *pool.Worker) {
				w.Scope(func(_ *pool.Worker, s *pool.Scope) {
					do(t, pools[0], func(w *pool.Worker) { s.Spawn(w, func(*pool.Worker) { close(begun) }) })
					<-begun
				})
			})
		})
}

// withPools runs f, again and again, with new pools of so many workers, none of which may be lost.
func withPools(t *testing.T, rule, what string, workers []int, f func(pools ...*pool.Pool)) {
	t.Helper()
	var pools []*pool.Pool
	for _, n := range workers {
		pools = append(pools, poolOf(t, n))
	}
	during(t, rule, what, func() {
		for range 10 {
			f(pools...)
		}
		for _, p := range pools {
			meet(t, p)
		}
	})
}

// Jobs of pools that call each other.
func TestMutualPools(t *testing.T) {
	withPools(t, "P4", "calls of Run from pool to pool and back, from both ends", []int{1, 1}, func(pools ...*pool.Pool) {
		back := func(p, q *pool.Pool) {
			n := enter(t, p, func(*pool.Worker) int {
				return enter(t, q, func(*pool.Worker) int { return library(t, background, p, 1) })
			})
			equal(t, n, 21, "P4: Run from pool to pool and back returned")
		}
		back(pools[0], pools[1])
		together(func() { back(pools[0], pools[1]) }, func() { back(pools[1], pools[0]) })
	})
}

// Forks of one pool, each of which is a Run on another, which is awake or asleep.
func TestPoolInForks(t *testing.T) {
	for _, workers := range [][]int{{1, 1}, {2, 2}} {
		withPools(t, "P4", "calls of Run from forks of another pool", workers, func(pools ...*pool.Pool) {
			sum := enter(t, pools[0], func(w *pool.Worker) int {
				var forks []pool.Forked[int, int]
				for i := range 100 {
					inOther := func(_ *pool.Worker, n int) int { return mustRun(t, pools[1], fib, n) }
					forks = append(forks, pool.Fork(w, inOther, i%5))
				}
				return joinAll(w, forks)
			})
			equal(t, sum, 20*(0+1+1+2+3), "P4: 100 calls of Run on another pool returned in all")
		})
	}
}

// More callers than workers: no more jobs run at once than there are workers, but for those
// that have waited and found no worker when they went on. The pool counts these.
func TestManyCallers(t *testing.T) {
	p := poolOf(t, 3)
	var running atomic.Int32
	leaf := func(*pool.Worker, int) int {
		n := int(running.Add(1))
		without := int(p.Stats().Seatless)
		expect(t, n <= p.Workers()+without,
			"P11: %d jobs run at once on %d workers, and %d times one went on without", n, p.Workers(), without)
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
		return sum + joinAll(w, forks)
	}
	caller := func() {
		for range 50 {
			equal(t, mustRun(t, p, root, 10), 11, "P11: Run returned")
		}
	}
	during(t, "P11", "calls of Run, of which there are more than workers", func() {
		together(slices.Repeat([]func(){caller}, 12)...)
	})
}

// inside calls Run in a job of w, and returns the worker that it went on as.
func inside(t testing.TB, ctx context.Context, p *pool.Pool) (v *pool.Worker) {
	t.Helper()
	v, err := pool.Run(ctx, p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
	noError(t, err, "P1: Run returned")
	return v
}

// If this fails, a library that is handed the context loses the deadline of the
// request, or its values.
func TestNewContextKeeps(t *testing.T) {
	inJob(t, 1, "P1", "Run returns whose context carries a worker and ends", func(p *pool.Pool, w *pool.Worker) {
		deadline := time.Now().Add(time.Hour)
		ctx, cancel := context.WithDeadline(context.WithValue(background, contextKey{}, 7), deadline)
		defer cancel()
		ctx = pool.NewContext(ctx, w)
		d, ok := ctx.Deadline()
		expect(t, ok && d == deadline && ctx.Value(contextKey{}) == 7,
			"P28: the context has the deadline %v and the value %v, want %v and 7", d, ctx.Value(contextKey{}), deadline)
		v, ok := pool.FromContext(context.WithoutCancel(ctx))
		expect(t, ok && v == w, "P28: FromContext returned %v, %t, want the worker", v, ok)
		expect(t, inside(t, ctx, p) == w, "P28: Run went on as another worker than that of its context")
		cancel()
		fails(t, context.Canceled, "P1: Run with an ended context returned")(pool.Run(ctx, p, fib, 1))
	})
	for _, ctx := range []context.Context{background, pool.NewContext(background, nil)} {
		w, ok := pool.FromContext(ctx)
		expect(t, !ok && w == nil, "P28: FromContext: it returned %v, %t, where there is no worker", w, ok)
	}
	var none context.Context
	wantPanic(t, "P29: NewContext", "nil context", func() { pool.NewContext(none, nil) })
	wantPanic(t, "P29: FromContext", "nil context", func() { pool.FromContext(none) })
}

// The worker that Run goes on as, with another seat free, so that it has the choice. If this fails,
// a job that passes its worker on finds itself on another one, or the context is believed where it
// must not be: then two goroutines are one worker at once.
func TestRunWithWorkerOfContext(t *testing.T) {
	p, q := poolOf(t, 3), poolOf(t, 1)
	as := func(ctx context.Context) *pool.Worker { return inside(t, ctx, p) }
	during(t, "P4", "calls of Run return in a job", func() {
		var kept context.Context
		do(t, p, func(w *pool.Worker) {
			ctx := pool.NewContext(background, w)
			expect(t, as(ctx) == w, "P28: Run went on as another worker than that of its context, which is its job's")
			expect(t, as(background) != w, "P28: Run, with a free seat and no worker in its context, did not take the seat")
			expect(t, as(pool.NewContext(ctx, nil)) != w, "P28: Run went on as a worker that its context hides")
			together(func() {
				expect(t, as(ctx) != w,
					"P11: Run on another goroutine went on as the worker of a job that still runs")
			})
			do(t, p, func(v *pool.Worker) {
				expect(t, v != w && as(ctx) == v,
					"P28: Run did not go on as the worker of its job, which is not that of the context")
			})
			do(t, q, func(v *pool.Worker) {
				other := pool.NewContext(ctx, v)
				kept = other
				u, ok := pool.FromContext(other)
				expect(t, ok && u == v, "P28: FromContext did not return the worker of the last NewContext")
				u = as(other)
				expect(t, u.Pool() == p && u != w,
					"P28: Run, with a free seat and the worker of another pool in its context, did not take the seat")
				expect(t, as(ctx) == w,
					"P28: Run, through another pool, did not go on as the worker of its context, which is that of a job further down")
			})
		})
		// A context that outlives the job is like one that carries nothing.
		returns(t, 55, "P1: Run, with the context of a job that has ended, returned")(pool.Run(kept, q, fib, 10))
		noError(t, q.Close(), "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: Run on a closed pool, with a context that carries a worker of it, returned")(
			pool.Run(kept, q, fib, 10))
	})
}

// If this fails, jobs that begin beside others and wait for some multiply: more and more of them run at
// once, until the queue is empty.
func TestBesideDoesNotMultiply(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	var now, most, ended atomic.Int32
	during(t, "P11", "jobs of 100 ms, which then wait for one, begin on two workers and beside", func() {
		const jobs = 40
		for range jobs {
			noError(t, pool.Go(p, func(w *pool.Worker) {
				most.Store(max(most.Load(), now.Add(1))) // about
				time.Sleep(100 * time.Millisecond)
				now.Add(-1) // it waits from now on, and after that it does not count
				submitted(t, p, nothing).Join(w)
				ended.Add(1)
			}), "P23: Go returned")
		}
		until(t, "all jobs have ended", func() bool { return ended.Load() == jobs })
	})
	expect(t, most.Load() <= 4, "P11: of jobs that the pool has begun, and that have not waited, %d run at once on two workers, want at most 4", most.Load())
}

// If this fails, a Run that lies beneath one of another pool, which waits, counts as a guest although
// workers sleep, or as blocked although nothing has waited.
func TestStatsOfRunsBeneath(t *testing.T) {
	p, q := poolOf(t, 4), poolOf(t, 1)
	during(t, "P26", "a Run of another pool, in a job, blocks", func() {
		do(t, p, func(*pool.Worker) { do(t, q, func(v *pool.Worker) { v.Block(func() {}) }) })
	})
	equal(t, p.Stats().Seatless, 0, "P26: three workers sleep, and as guests there have run")
	p = poolOf(t, 1)
	free := hold(t, p, 1)
	during(t, "P26", "a guest calls Run of another pool, in which a loop goes on as the guest", func() {
		do(t, p, func(*pool.Worker) {
			do(t, q, func(*pool.Worker) {
				noError(t, loops.Run(p, jobHere(func(*pool.Worker) {})), "P4: loops.Run returned")
				s := p.Stats()
				expect(t, s.Blocked == 0 && s.RunningSeatless == 1, "P26: nothing has waited, and %d jobs are blocked, %d run as guests", s.Blocked, s.RunningSeatless)
			})
		})
	})
	free()
}

// If this fails, a job that uses the worker of the one beneath it, for a fork and a Block, ends the
// program by an error of ours.
func TestWorkerBeneathBlocks(t *testing.T) {
	p, q := asleep(t, poolOf(t, 1)), poolOf(t, 1)
	during(t, "P4", "a job of another pool uses the worker beneath", func() {
		do(t, p, func(w *pool.Worker) {
			misuse := func() {
				pool.Fork(w, fib, 5).Join(w) // takes a seat
				w.Block(func() {})
			}
			do(t, q, func(v *pool.Worker) {
				v.Block(func() {}) // makes a guest of the job beneath
				untilSleeping(t, p)
				misuse()
			})
		})
	})
	meet(t, p)
}
