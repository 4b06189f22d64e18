package pool_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What a job in Block leaves to others, and what it has when it comes back.
func TestBlockLeaves(t *testing.T) {
	eachCase(t, []poolCase{
		{"many", "P19", blockMany},
		{"for_forks", "P19", blockForForks},
		{"for_callers", "P19", blockForCallers},
		{"takes_a_worker_again", "P19", workerAgain},
		{"takes_a_worker_later", "P19", workerLater},
	}, 1, 2, 3)
}

// More jobs are in Block than there are workers. The last one ends the wait of all.
func blockMany(t *testing.T, p *pool.Pool) {
	for range 20 {
		jobs := 4*p.Workers() + 2
		last := make(chan bool)
		var all []*pool.Handle[int]
		for i := range jobs {
			all = append(all, submitted(t, p, func(w *pool.Worker) int {
				own := pool.Fork(w, fib, 8)
				if i == jobs-1 {
					close(last)
				}
				w.Block(func() { <-last })
				return own.Join(w) + fib(w, 6)
			}))
		}
		for _, h := range all {
			n := result(t, h)
			check(t, n == 21+8, "P19: a job that was in Block returned %d, want %d", n, 21+8)
		}
	}
}

// A job waits in Block for forks that it has not joined: Block hands them over.
func blockForForks(t *testing.T, p *pool.Pool) {
	for range 50 {
		do(t, p, func(w *pool.Worker) {
			var all sync.WaitGroup
			all.Add(3)
			var forks [3]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { all.Done(); return 1 }, 0)
			}
			w.Block(all.Wait)
			for _, f := range forks {
				f.Join(w)
			}
		})
	}
}

// A job waits in Block for goroutines that call Run of the same pool. Before and meanwhile its
// own goroutine does so, too, from within Block.
func blockForCallers(t *testing.T, p *pool.Pool) {
	for range 20 {
		sum := enter(t, p, func(w *pool.Worker) (sum int) {
			var results [7]int
			w.Block(func() {
				// As the job itself, which is still in Block afterwards.
				results[1], _ = pool.Run(pool.NewContext(background, w), p, fib, 8)
				var all sync.WaitGroup
				for i := range results[2:] {
					all.Go(func() { results[i+2] = mustRun(t, p, fib, 8) })
				}
				results[0] = mustRun(t, p, fib, 8)
				all.Wait()
			})
			for _, n := range results {
				sum += n
			}
			return sum
		})
		check(t, sum == 7*21, "P19: goroutines that a job waited for in Block gave %d, want %d", sum, 7*21)
	}
}

// A job comes back from Block when all workers sleep: it takes one of them, so that one fewer
// is left for others.
func workerAgain(t *testing.T, p *pool.Pool) {
	for range 20 {
		submittedAlready := make(chan bool) // so that nobody wakes a worker for it any more
		h := submitted(t, p, func(w *pool.Worker) int {
			<-submittedAlready
			w.Block(func() { borrowAll(t, p) })
			free := hold(t, p, p.Workers()-1)
			noWorkerLeft(t, p, "has come back from Block when all of those slept")
			free()
			return 0
		})
		close(submittedAlready)
		result(t, h)
	}
}

// A job comes back from Block when others have all workers. When these sleep again it forks and
// joins, and so takes one of them. The worker that it had is no borrowed one: when that is given
// back, a look for work asks the job to publish, which takes a worker, too.
func workerLater(t *testing.T, p *pool.Pool) {
	join := func(w *pool.Worker) {
		for range 3 {
			pool.Fork(w, func(*pool.Worker, int) int { return 0 }, 0).Join(w)
		}
	}
	for range 5 {
		var h *pool.Handle[int]
		// So it begins on a goroutine of the pool, when nobody wakes a worker for it any more.
		haveAll(t, p, func() {
			h = submitted(t, p, func(w *pool.Worker) int {
				join(w) // so that the frames are there
				var free func()
				w.Block(func() { free = hold(t, p, p.Workers()) })
				together(free) // a wait of the job itself might be given a worker
				borrowAll(t, p)
				join(w)
				free = hold(t, p, p.Workers()-1)
				noWorkerLeft(t, p, "came back from Block without a worker, and has forked and joined when all of them slept")
				free()
				return 0
			})
		})
		result(t, h)
	}
}

// noWorkerLeft checks that one more Run waits, in a job that is to have a worker while all
// others are blocked.
func noWorkerLeft(t *testing.T, p *pool.Pool, what string) {
	ctx, cancel := newTimely()
	notices, result, began := watch(ctx), make(chan error), make(chan bool)
	go func() {
		_, err := pool.Run(notices, p, func(*pool.Worker, int) int { close(began); return 0 }, 0)
		result <- err
	}()
	select {
	case <-notices.waited:
	case <-began:
		t.Errorf("P19: as many others run as there are workers, %d, beside a job that %s", p.Workers(), what)
	}
	cancel()
	<-result
}

// haveAll calls fn while Runs from outside have all workers. It reports whether all of them ran
// on the goroutines that called: those had borrowed a worker, and have given it back. One that
// was handed over is given back some time after Run has returned.
func haveAll(t *testing.T, p *pool.Pool, fn func()) (lent bool) {
	var begun, elsewhere atomic.Int32
	all := make(chan bool)
	fns := make([]func(), p.Workers())
	for i := range fns {
		fns[i] = func() {
			caller := goroutine()
			do(t, p, func(*pool.Worker) {
				if goroutine() != caller {
					elsewhere.Add(1)
				}
				if int(begun.Add(1)) == len(fns) {
					fn()
					close(all)
				}
				<-all
			})
		}
	}
	together(fns...)
	return elsewhere.Load() == 0
}

// goroutine returns the number of the one that calls.
func goroutine() string {
	var b [64]byte
	return strings.Fields(string(b[:runtime.Stack(b[:], false)]))[1]
}

// borrowAll has Runs from outside take all workers, which sleep when these have ended: so the
// pool is at rest, if nobody else has posted a job and is about to wake a worker for it.
func borrowAll(t *testing.T, p *pool.Pool) {
	until(t, "all workers can be borrowed", func() bool { return haveAll(t, p, func() {}) })
}

// A job in Block has called Run of a pool whose worker is busy. Then it waits for a goroutine
// that needs the only worker of the job's own pool.
func TestQueuedElsewhereInBlock(t *testing.T) {
	withPools(t, "a job in Block waits for a Run of its pool, after a queued one of another", []int{1, 1}, func(t *testing.T, pools ...*pool.Pool) {
		p, q := pools[0], pools[1]
		free, before := hold(t, q, 1), q.Stats().Injected
		go func() {
			until(t, "a Run is queued", func() bool { return q.Stats().Injected > before })
			free()
		}()
		do(t, p, func(w *pool.Worker) {
			w.Block(func() {
				mustRun(t, q, fib, 5)
				together(func() { do(t, p, func(*pool.Worker) {}) })
			})
		})
	})
}
