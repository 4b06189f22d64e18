package pool_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// What Pool.Shutdown promises.
func TestShutdown(t *testing.T) {
	eachCase(t, []poolCase{
		{"graceful", "P6", shutGracefully},
		{"group", "P25", shutGroup},
		{"groups", "P25", shutGroups},
	}, 1, 3)
	eachCase(t, []poolCase{{"forks_go_on", "P25", shutBesideForks}}, 3)
}

// shut ends a pool, some of whose jobs cannot end, with a context that has ended.
func shut(t *testing.T, p *pool.Pool) {
	t.Helper()
	equal(t, p.Shutdown(ended), context.Canceled, "P25: Shutdown with a context that has ended returned")
}

// endedPool checks that a pool whose jobs have ended ends, although nobody closes it, and
// then says so.
func endedPool(t *testing.T, p *pool.Pool) {
	t.Helper()
	until(t, "a pool ends whose Shutdown was given up, when its last job has ended", func() bool { return p.Shutdown(ended) == nil })
	noError(t, p.Close(), "P25: Close of a pool that was shut down returned")
}

// told checks that jobs were taken back, and that Wait says so at once.
func told(t *testing.T, handles ...*pool.Handle[int]) {
	t.Helper()
	for _, h := range handles {
		<-h.Done()
		n, err := h.Wait(background)
		check(t, n == 0 && err == pool.ErrCanceled,
			"P25: Wait for a job that Shutdown has taken back returned %d, %v, want none, ErrCanceled", n, err)
		check(t, h.Cancel(), "P20: Cancel of a job that Shutdown has taken back returned false")
	}
}

// never is a job that does not begin.
func never(t *testing.T) func(*pool.Worker) int {
	return func(*pool.Worker) int { t.Error("P25: a job began that was taken back"); return 7 }
}

// shutGracefully has the jobs end before the context does.
func shutGracefully(t *testing.T, p *pool.Pool) {
	for _, ctx := range []context.Context{background, t.Context()} { // which have no end, and one later
		p := poolOf(t, p.Workers())
		free := hold(t, p, p.Workers())
		var ran atomic.Int32
		all := submittedTimes(t, p, 20, func(*pool.Worker) int { ran.Add(1); return 7 })
		done := going(func() error { return p.Shutdown(ctx) })
		refuses(t, p)
		fails(t, pool.ErrClosed, "P6: Run of a pool that ends returned")(pool.Run(background, p, fib, 1))
		free()
		err := <-done
		check(t, err == nil && ran.Load() == 20,
			"P6: Shutdown has returned %v, and of 20 jobs that were accepted %d have run", err, ran.Load())
		give(t, 7, all, "P6: a job that was accepted before Shutdown gave")
		check(t, p.Shutdown(ctx) == nil && p.Shutdown(ended) == nil && p.Close() == nil,
			"P6: the end of a pool that has ended returned an error")
	}
}

// shutBesideForks shuts a pool down while a job runs whose forks and spawned jobs lie
// beside those that are taken back. Other workers run them.
func shutBesideForks(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers()-1)
	ready, shutDown := make(chan bool), make(chan bool)
	var ran atomic.Int32
	runs := submitted(t, p, func(w *pool.Worker) int {
		var begun sync.WaitGroup // of forks on all other workers
		var forks []pool.Forked[int, int]
		for range p.Workers() - 1 {
			begun.Add(1)
			forks = append(forks, fork(w, func(*pool.Worker) int { begun.Done(); return 0 }))
		}
		loops.Publish(w)
		close(ready)
		<-shutDown
		begun.Wait()
		joinAll(w, forks)
		scopeOfMany(w, 20, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
		return 7
	})
	<-ready
	handles := submittedTimes(t, p, 3, never(t))
	shut(t, p)
	told(t, handles...)
	close(shutDown)
	free()
	equal(t, result(t, runs), 7, "P25: a job that ran as the pool was shut down gave")
	equal(t, ran.Load(), 20, "P25: of 20 jobs that it has spawned then the number that have run is")
	endedPool(t, p)
}

// shutGroup has groups with and without a limit run, and one begin later.
func shutGroup(t *testing.T, p *pool.Pool) {
	const jobs = 20
	for _, limit := range []int{0, 1, 4} {
		p := poolOf(t, p.Workers())
		var began, later atomic.Int32
		first, entered, shutDown := make(chan bool), make(chan bool), make(chan bool)
		stays := func(ctx context.Context, w *pool.Worker) error {
			if began.Add(1) == 1 {
				close(first)
			}
			untilEnded(ctx, w)
			hasEnded(t, "the context of a job of a pool that was shut down", ctx, pool.ErrCanceled)
			return nil
		}
		// The group is that of a job, and so one of the pool's workers has it.
		ends := going(func() error {
			return group(t, p, background, func(g round) error {
				if limit > 0 {
					g.SetLimit(limit)
				}
				g.spawn(jobs, stays)
				return nil
			})
		})
		after := going(func() error {
			return enter(t, p, func(w *pool.Worker) error {
				w.Block(func() { close(entered); <-shutDown })
				return groupOf(background, w, func(g round) error { g.spawn(jobs, counts(&later)); return nil })
			})
		})
		<-first
		<-entered
		shut(t, p)
		err := <-ends
		expect(t, err == pool.ErrCanceled && began.Load() < jobs || err == nil && began.Load() == jobs && limit == 0,
			"P25: with a limit of %d, a group of a pool that was shut down returned %v, and of %d jobs %d have begun", limit, err, jobs, began.Load())
		close(shutDown)
		equal(t, <-after, pool.ErrCanceled, "P25: a group that begins when a pool was shut down returned")
		equal(t, later.Load(), 0, "P25: the jobs that have begun of a group that begins when a pool was shut down are")
		endedPool(t, p)
	}
}

// shutGroups has groups run of which the second one ends first, and then the last one.
func shutGroups(t *testing.T, p *pool.Pool) {
	const n = 4
	var ends [n]chan error
	var free [n]chan bool
	var groups [n]*pool.Group
	begun := make(chan bool)
	for i := range n {
		free[i] = make(chan bool)
		ends[i] = going(func() error {
			return pool.RunGroup(background, p, func(ctx context.Context, _ *pool.Worker, g *pool.Group) error {
				groups[i] = g
				begun <- true
				select {
				case <-ctx.Done():
					return context.Cause(ctx)
				case <-free[i]:
					return nil
				}
			})
		})
		<-begun
	}
	for _, i := range []int{1, n - 1} {
		close(free[i])
		noError(t, <-ends[i], "P24: a group beside others returned")
	}
	shut(t, p)
	for _, i := range []int{0, 2} {
		equal(t, <-ends[i], pool.ErrCanceled, "P25: a group of those left of a pool that was shut down returned")
	}
	equal(t, p.HasGroups(), false, "P8: all groups have ended, and one is kept:")
	for _, g := range groups {
		equal(t, g.HasNeighbours(), false, "P8: a group has ended, and keeps others:")
	}
	endedPool(t, p)
}
