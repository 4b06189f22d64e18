package conformance

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

var poolBlock = []poolCase{
	{name: "Block/many", rule: "P19", run: manyBlocked},
	{name: "Block/for_forks", rule: "P19", run: blockedForForks},
	{name: "Block/for_callers", rule: "P19", run: blockedForCallers},
	{name: "Block/takes_a_worker_again", rule: "P19", run: workerAgain},
	{name: "Block/takes_a_worker_later", rule: "P19", run: workerLater},
}

// manyBlocked has more jobs in Block than there are workers. The last one ends the
// wait of all.
func manyBlocked(r *run, p *pool.Pool) {
	r.Rounds(20, func(int) {
		jobs := 4*p.Workers() + 2
		last := make(chan struct{})
		r.During("P19", "%d jobs in Block of %d workers go on when the last one has come", jobs, p.Workers())
		var all []*pool.Handle[int]
		for i := range jobs {
			all = append(all, submit(r, p, func(w *pool.Worker) int {
				own := pool.Fork(w, fib, 8)
				if i == jobs-1 {
					close(last)
				}
				w.Block(func() { r.Receive(last) })
				return own.Join(w) + fib(w, 6)
			}))
		}
		for _, h := range all {
			n, err := h.Wait(background)
			r.Check(n == 21+8 && err == nil, "P1", "a job that was in Block returned %d and %v, want %d", n, err, 21+8)
		}
	})
}

// blockedForForks has a job wait in Block for forks that it has not joined: Block
// hands them over.
func blockedForForks(r *run, p *pool.Pool) {
	r.Rounds(50, func(int) {
		r.During("P19", "the forks of a job that waits for them in Block are run by others")
		enter(r, p, func(w *pool.Worker) int {
			var all sync.WaitGroup
			all.Add(3)
			done := make(chan struct{})
			var forks [3]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { all.Done(); return 1 }, 0)
			}
			w.Block(func() {
				go func() { all.Wait(); close(done) }()
				r.Receive(done)
			})
			for _, f := range forks {
				f.Join(w)
			}
			return 0
		})
	})
}

// blockedForCallers has a job wait in Block for goroutines that call Run of the
// same pool. Before and meanwhile its own goroutine does so, too, from within Block.
func blockedForCallers(r *run, p *pool.Pool) {
	r.Rounds(20, func(int) {
		r.During("P19", "a job of %d workers waits in Block for goroutines that call Run of its pool", p.Workers())
		sum := enter(r, p, func(w *pool.Worker) int {
			var results [7]int
			w.Block(func() {
				// As the job itself, which is still in Block afterwards.
				results[1], _ = pool.Run(pool.NewContext(background, w), p, fib, 8)
				var all sync.WaitGroup
				for i := range results[2:] {
					all.Go(func() { results[i+2] = enter(r, p, func(w *pool.Worker) int { return fib(w, 8) }) })
				}
				results[0] = enter(r, p, func(w *pool.Worker) int { return fib(w, 8) })
				all.Wait()
			})
			total := 0
			for _, n := range results {
				total += n
			}
			return total
		})
		r.Check(sum == 7*21, "P1", "goroutines that a job waited for in Block gave %d, want %d", sum, 7*21)
	})
}

// workerAgain has a job come back from Block when all workers sleep: it takes one of
// them, so that one fewer is left for others.
func workerAgain(r *run, p *pool.Pool) {
	r.Rounds(20, func(int) {
		alone(r, p, func(w *pool.Worker) int {
			lends := false
			w.Block(func() { lends = borrowedAll(r, p) })
			if !lends {
				return 0
			}
			free := blockWorkers(r, p, p.Workers()-1)
			noWorkerLeft(r, p, "has come back from Block when all of those slept")
			free()
			return 0
		})
	})
}

// A noticing is a context that tells when a wait asks for its end, which it does
// once it is among the waiters.
type noticing struct {
	context.Context
	once  sync.Once
	asked chan struct{}
}

func newNoticing(ctx context.Context) *noticing {
	return &noticing{Context: ctx, asked: make(chan struct{})}
}

func (c *noticing) Done() <-chan struct{} {
	c.once.Do(func() { close(c.asked) })
	return c.Context.Done()
}

// noWorkerLeft checks that one more Run waits, in a job that is to have a worker while
// all others are blocked.
func noWorkerLeft(r *run, p *pool.Pool, what string) {
	ctx, cancel := context.WithCancel(background)
	notices, result := newNoticing(ctx), make(chan error, 1)
	began := make(chan struct{})
	go func() {
		_, err := pool.Run(notices, p, func(*pool.Worker, int) int { close(began); return 0 }, 0)
		result <- err
	}()
	r.During("P19", "Run begins or is queued")
	select {
	case <-notices.asked: // it waits for a worker
	case <-began:
		r.Report("P19", "as many others run as there are workers, %d, beside a job that %s", p.Workers(), what)
	case <-r.Failure():
	}
	cancel()
	<-result
}

// workerLater has a job come back from Block when others have all workers. When these
// sleep again it forks and joins, and so takes one of them. The worker that it had is no
// borrowed one: when that is given back, a look for work asks the job to publish, which takes
// a worker, too.
func workerLater(r *run, p *pool.Pool) {
	join := func(w *pool.Worker) {
		for range 3 {
			pool.Fork(w, func(*pool.Worker, int) int { return 0 }, 0).Join(w)
		}
	}
	r.Rounds(5, func(int) {
		onOwnWorker(r, p, func(w *pool.Worker) int {
			join(w) // so that the frames are there
			var free func()
			w.Block(func() { free = blockWorkers(r, p, p.Workers()) })
			r.Together(free) // a wait of the job itself might be given a worker
			if !borrowedAll(r, p) {
				return 0
			}
			join(w)
			free = blockWorkers(r, p, p.Workers()-1)
			noWorkerLeft(r, p, "came back from Block without a worker, and has forked and joined when all of them slept")
			free()
			return 0
		})
	})
}

// queuedElsewhere has a job in Block call Run of a pool whose worker is busy, and then
// wait for a goroutine that needs the only worker of the job's own pool.
func (s poolSuite) queuedElsewhere(r *run) {
	p, q := s.start(r, 1), s.start(r, 1)
	for range 5 {
		blockUntilQueued(r, q)
		r.During("P19", "a job in Block, which has called Run of another pool and waited for its worker, goes on when a goroutine has called Run of the job's own pool")
		enter(r, p, func(w *pool.Worker) int {
			w.Block(func() {
				if _, err := pool.Run(background, q, fib, 5); err != nil {
					r.Report("P4", "a nested Run returned the error %v", err)
				}
				r.Together(func() { enter(r, p, func(*pool.Worker) int { return 0 }) })
			})
			return 0
		})
	}
	fullWidth(r, p)
	fullWidth(r, q)
	s.close(r, p)
	s.close(r, q)
}

// alone calls fn in a job when nobody wakes a worker for it any more. A job that was queued
// may begin before its caller has done that, and end before, too.
func alone[R any](r *run, p *pool.Pool, fn func(w *pool.Worker) R) R {
	r.T.Helper()
	submitted := make(chan struct{})
	h := submit(r, p, func(w *pool.Worker) R {
		r.Receive(submitted)
		return fn(w)
	})
	close(submitted)
	return await(r, h)
}

// onOwnWorker calls fn in a job that waits until Runs from outside, which have all workers,
// have ended. So it begins on a goroutine of the pool, when nobody wakes a worker
// for it any more.
func onOwnWorker[R any](r *run, p *pool.Pool, fn func(w *pool.Worker) R) R {
	r.T.Helper()
	var h *pool.Handle[R]
	haveAll(r, p, func() { h = submit(r, p, fn) })
	return await(r, h)
}

// haveAll calls fn while Runs from outside have all workers. It reports whether all of them
// ran on the goroutines that called: those had borrowed a worker, and have given it back. One
// that was handed over is given back some time after Run has returned.
func haveAll(r *run, p *pool.Pool, fn func()) (lent bool) {
	var begun, elsewhere atomic.Int32
	all := make(chan struct{})
	fns := make([]func(), p.Workers())
	for i := range fns {
		fns[i] = func() {
			caller := goroutine()
			enter(r, p, func(*pool.Worker) int {
				if goroutine() != caller {
					elsewhere.Add(1)
				}
				if int(begun.Add(1)) == len(fns) {
					fn()
					close(all)
				}
				r.Receive(all)
				return 0
			})
		}
	}
	r.Together(fns...)
	return elsewhere.Load() == 0
}

// goroutine returns the number of the one that calls.
func goroutine() string {
	var b [64]byte
	return strings.Fields(string(b[:runtime.Stack(b[:], false)]))[1]
}

// borrowedAll has Runs from outside take all workers, which sleep when these have
// ended: so the pool is at rest, if nobody else has posted a job and is about to wake a
// worker for it. It returns false if the workers cannot be borrowed.
func borrowedAll(r *run, p *pool.Pool) bool {
	for range 1000 {
		if haveAll(r, p, func() {}) {
			return true
		}
		runtime.Gosched()
	}
	return false
}
