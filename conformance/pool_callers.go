package conformance

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

var poolNesting = []poolCase{
	{"NestedRun/context", "P4", 1, func(r *run, p *pool.Pool) {
		nest(r, p, func(w *pool.Worker) context.Context { return pool.NewContext(background, w) })
	}},
	{"NestedRun/no_worker", "P4", 1, func(r *run, p *pool.Pool) {
		nest(r, p, func(*pool.Worker) context.Context { return background })
	}},
	{"NestedRun/two_workers", "P4", 2, func(r *run, p *pool.Pool) {
		nest(r, p, func(*pool.Worker) context.Context { return background })
	}},
	{"NestedRun/all_seats_taken", "P4", 3, nestAllSeats},
	{"NestedRun/in_forks", "P4", 2, nestInForks},
	{"NestedWait/no_worker", "P4", 1, nestWait},
}

var poolCallers = []poolCase{
	{"BlockedJobs", "P5", 4, runBlocked},
	{"FullWidth", "P5", 4, func(r *run, p *pool.Pool) {
		for round := 0; r.More(round, 10); round++ {
			fullWidth(r, p)
		}
	}},
	{"ForkTaken", "P5", 2, forkTaken},
	{"SpawnedInNestedRun", "P5", 2, spawnedInNestedRun},
	{"ManyCallers", "P11", 3, manyCallers},
	{"SubmitAll/taken_together", "P5", 4, submitAllTaken},
}

// library is code that knows of the pool, but not of workers.
func library(r *run, ctx context.Context, p *pool.Pool, depth int) int {
	n, err := pool.Run(ctx, p, func(w *pool.Worker, depth int) int {
		if depth == 0 {
			return fib(w, 8)
		}
		return library(r, ctx, p, depth-1)
	}, depth)
	if err != nil {
		r.Report("P4", "a nested Run returned the error %v", err)
	}
	return n
}

func nest(r *run, p *pool.Pool, ctx func(*pool.Worker) context.Context) {
	for range 10 {
		r.During("P4", "Run returns that is nested in jobs of the same pool, of %d workers", p.Workers())
		n := enter(r, p, func(w *pool.Worker) int { return library(r, ctx(w), p, 10) })
		r.Check(n == 21, "P4", "a nested Run returned %d, want fib(8) = 21", n)
		n = await(r, submit(r, p, func(w *pool.Worker) int { return library(r, ctx(w), p, 3) }))
		r.Check(n == 21, "P4", "a Run nested in a submitted job returned %d, want fib(8) = 21", n)
	}
}

// nestAllSeats has all workers call Run at once, from jobs.
func nestAllSeats(r *run, p *pool.Pool) {
	n := p.Workers()
	var begun atomic.Int32
	all := make(chan struct{})
	var handles []*pool.Handle[int]
	for range n {
		handles = append(handles, submit(r, p, func(*pool.Worker) int {
			if int(begun.Add(1)) == n {
				close(all)
			}
			r.Receive(all)
			return library(r, background, p, 3)
		}))
	}
	r.During("P4", "calls of Run return that are nested in jobs which fill all workers")
	for _, h := range handles {
		r.Check(await(r, h) == 21, "P4", "a nested Run returned a wrong result")
	}
}

func nestInForks(r *run, p *pool.Pool) {
	var node func(w *pool.Worker, depth int) int
	node = func(w *pool.Worker, depth int) int {
		if depth == 0 {
			return library(r, background, p, 1)
		}
		f := pool.Fork(w, node, depth-1)
		return node(w, depth-1) + f.Join(w)
	}
	r.During("P4", "calls of Run return that are nested in forks")
	n, err := pool.Run(background, p, node, 5)
	r.Check(err == nil && n == 32*21, "P4", "32 nested calls of Run returned %d in all, %v, want %d", n, err, 32*21)
}

func nestWait(r *run, p *pool.Pool) {
	r.During("P4", "Wait returns that is called in a job of the only worker")
	n := enter(r, p, func(*pool.Worker) int {
		h, err := pool.Submit(p, func(*pool.Worker) int { return 7 })
		if err != nil {
			r.Report("P1", "Submit in a job returned the error %v", err)
			return 0
		}
		n, _ := h.Wait(background)
		return n
	})
	r.Check(n == 7, "P4", "Wait in a job returned %d, want 7", n)
}

// mutualPools has two pools call each other, each with one worker, from both
// ends at once.
func (s poolSuite) mutualPools(r *run) {
	p, q := s.start(r, 1), s.start(r, 1)
	r.During("P4", "calls of Run return that go from one pool of one worker to another and back")
	back := func(p, q *pool.Pool) int {
		n, err := pool.Run(background, p, func(*pool.Worker, int) int {
			n, err := pool.Run(background, q, func(*pool.Worker, int) int {
				return library(r, background, p, 1)
			}, 0)
			if err != nil {
				r.Report("P4", "Run from a job of another pool returned the error %v", err)
			}
			return n
		}, 0)
		if err != nil {
			r.Report("P4", "Run returned the error %v", err)
		}
		return n
	}
	for range 5 {
		r.Check(back(p, q) == 21, "P4", "Run from pool to pool and back returned a wrong result")
	}
	for round := 0; r.More(round, 5); round++ {
		r.Together(func() { back(p, q) }, func() { back(q, p) })
	}
	s.close(r, p)
	s.close(r, q)
}

// runBlocked blocks all workers but one.
func runBlocked(r *run, p *pool.Pool) {
	for n := range p.Workers() {
		free := blockWorkers(r, p, n)
		r.During("P5", "jobs run while %d of %d workers are blocked in others", n, p.Workers())
		for i := range 10 {
			got := await(r, submit(r, p, func(w *pool.Worker) int { return fib(w, i) }))
			r.Check(got == plainFib(i), "P1", "fib(%d) is %d", i, got)
			got, err := pool.Run(background, p, fib, i)
			r.Check(err == nil && got == plainFib(i), "P1", "fib(%d) is %d, %v", i, got, err)
		}
		free()
	}
}

// forkTaken lets a fork run at the same time as the job that forked it.
func forkTaken(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 5); round++ {
		r.During("P5", "an idle worker takes a fork of a busy one")
		var theirs atomic.Int32
		enter(r, p, func(w *pool.Worker) int {
			apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { theirs.Add(1) })
			return 0
		})
		r.Check(theirs.Load() == 1, "P1", "a stolen fork ran %d times", theirs.Load())
	}
}

// manyCallers has more callers than workers, and counts who runs at once. A caller
// that has waited for a fork may find that others have all seats, and goes on: the
// pool counts these.
func manyCallers(r *run, p *pool.Pool) {
	var running atomic.Int32
	leaf := func(*pool.Worker, int) int {
		if n := int(running.Add(1)); n > p.Workers() {
			if without := int(p.Stats().Seatless); n > p.Workers()+without {
				r.Report("P11", "%d jobs run at once on %d workers, and %d times one went on without a seat", n, p.Workers(), without)
			}
		}
		for range rand.IntN(200) {
			// The compiler keeps empty counted loops.
		}
		if rand.IntN(10) == 0 {
			runtime.Gosched()
		}
		running.Add(-1)
		return 1
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
	for round := 0; r.More(round, 2); round++ {
		r.During("P11", "calls of Run return, of which there are more than workers")
		var callers []func()
		for range 16 {
			callers = append(callers, func() {
				for range 20 {
					n, err := pool.Run(background, p, root, 10)
					if n != 11 || err != nil {
						r.Report("P11", "Run returned %d, %v, want 11", n, err)
					}
				}
			})
		}
		r.Together(callers...)
	}
}

// submitAllTaken has as many jobs of one SubmitAll as workers, which sleep, wait for each other.
func submitAllTaken(r *run, p *pool.Pool) {
	r.Rounds(5, func(int) {
		var missing atomic.Int32
		missing.Store(int32(p.Workers()))
		all := make(chan struct{})
		fns := make([]func(*pool.Worker) int, p.Workers())
		for i := range fns {
			fns[i] = func(*pool.Worker) int {
				if missing.Add(-1) == 0 {
					close(all)
				}
				r.Receive(all)
				return i
			}
		}
		r.During("P5", "as many jobs of one SubmitAll run at once as there are workers")
		handles, err := pool.SubmitAll(p, fns)
		r.Check(err == nil && len(handles) == len(fns), "P1", "SubmitAll of %d functions returned %d handles, %v", len(fns), len(handles), err)
		for i, h := range handles {
			r.Check(await(r, h) == i, "P1", "a job of SubmitAll gave a wrong result")
		}
	})
}
