package pool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A program must not go on as if nothing had happened when a job has panicked and nobody
// is told: it ends, and prints the value and where the panic was raised.
func TestUnseenPanicEndsProgram(t *testing.T) {
	raise := func(*pool.Worker) int { return raiseIt("unseen value") }
	for name, run := range map[string]func(p *pool.Pool){
		"Go": func(p *pool.Pool) { pool.Go(p, func(w *pool.Worker) { raise(w) }) },
		"Run, stolen there": func(*pool.Pool) {
			p := poolOf(t, 2)
			go do(t, p, func(w *pool.Worker) { stolen(t, w, raise).Join(w) })
		},
		"closed": func(p *pool.Pool) {
			h, _ := pool.Submit(p, raise)
			p.Close()
			runtime.KeepAlive(h)
			t.Error("P21: Close has returned")
		},
		"handler": func(*pool.Pool) {
			handled := newPool(t, pool.WithPanicHandler(func(e *pool.PanicError) { panic(e.Value.(string) + string(e.Stack)) }))
			pool.Go(handled, func(w *pool.Worker) { raise(w) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := child(t, func() {
				during(t, "P21", "a panic that nobody is told of ends the program", func() {
					run(poolOf(t, 1))
					<-make(chan bool)
				})
			})
			says(t, "P21", out, "panic: ", "unseen value", "goroutine ", "raiseIt")
		})
	}
}

// The handler of panics is called for a job that nobody waits for, and no other, until Close
// has returned.
func TestUnseenPanics(t *testing.T) {
	value := &thrown{"of a job"}
	raise := func(*pool.Worker) int { return raiseIt(value) }
	// begun submits a job that has begun, and panics when it is released.
	begun := func(t *testing.T, p *pool.Pool) (h *pool.Handle[int], release func()) {
		began, free := make(chan bool), make(chan bool)
		h = submitted(t, p, func(w *pool.Worker) int { close(began); <-free; return raise(w) })
		<-began
		return h, func() { close(free) }
	}
	for name, c := range map[string]struct {
		// run has one job panic, and calls none that waits for what it does not name.
		run   func(t *testing.T, p *pool.Pool)
		calls int32
	}{
		"exits": {func(t *testing.T, p *pool.Pool) { pool.Go(p, func(*pool.Worker) { runtime.Goexit() }) }, 0},
		"kept": {func(t *testing.T, p *pool.Pool) {
			h := submitted(t, p, raise)
			p.Close()
			noError(t, p.Shutdown(ended), "P6: Shutdown, after Close has returned, returned")
			runtime.KeepAlive(h)
		}, 1},
		"told_and_raised_by_another_job": {func(t *testing.T, p *pool.Pool) {
			_, err := submitted(t, p, raise).Wait(background)
			pool.Go(p, func(*pool.Worker) { loops.Raise(err.(*pool.PanicError)) })
		}, 1},
		"waited_in_a_job": {func(t *testing.T, p *pool.Pool) {
			do(t, p, func(w *pool.Worker) { submitted(t, p, raise).Join(w) })
		}, 0},
		"Run_beside": {func(t *testing.T, p *pool.Pool) {
			whileBusy(t, p, func() { recovered(func() { enter(t, p, raise) }) })
		}, 1}, // by Run
		"given_up": {func(t *testing.T, p *pool.Pool) {
			h, release := begun(t, p)
			q := poolOf(t, 1)
			for _, wait := range []func(ctx context.Context) error{
				func(ctx context.Context) error { _, err := h.Wait(ctx); return err },
				func(ctx context.Context) error {
					return enter(t, q, func(*pool.Worker) error { _, err := h.Wait(ctx); return err })
				},
			} {
				ctx, cancel := context.WithCancel(background)
				seen := watch(ctx)
				go func() { <-seen.waited; cancel() }()
				equal(t, wait(seen), context.Canceled, "P1: Wait, whose context has ended meanwhile, returned")
			}
			release()
			p.Close()
			runtime.KeepAlive(h)
		}, 1},
		"channel": {func(t *testing.T, p *pool.Pool) {
			h, release := begun(t, p)
			done := h.Done()
			release()
			<-done
			p.Close() // whoever has received from the channel is about to ask
			_, err := h.Wait(background)
			check(t, err != nil, "P2: Wait for a job that has panicked returned no error")
		}, 0},
	} {
		subtest(t, name, "P21", "the handler of panics is called for one that nobody is told of", func(t *testing.T) {
			var calls atomic.Int32
			var p *pool.Pool
			p = newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) {
				calls.Add(1)
				equal(t, e.Value, any(value), "P21: a job has panicked, and the handler got")
				// Shutdown, whose context has ended before, tells at once whether the pool has
				// ended; the handler itself would be told ErrCloseInJob.
				expect(t, <-going(func() error { return p.Shutdown(ended) }) != nil,
					"P21: Shutdown says that the pool has ended, while the handler runs for the panic of a job that nobody was told of")
			}))
			c.run(t, p)
			noError(t, p.Close(), "P6: Close returned")
			for range 2 {
				equal(t, calls.Load(), c.calls, "P21: the number of calls of the handler of panics when Close has returned is")
				runtime.GC()
			}
		})
	}
}

// The handler is called when the handle was collected, while the pool is open.
func TestUnseenPanicsOfCollectedHandles(t *testing.T) {
	const jobs = 10
	var calls atomic.Int32
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { calls.Add(1) }))
	for range jobs {
		submitted(t, p, func(*pool.Worker) int { return raiseIt(&thrown{"of a job"}) })
	}
	during(t, "P21", "the handler of panics is called for handles that were collected", func() {
		// A deque and a worker may keep the last few.
		until(t, "it is called for half of them", func() bool { runtime.GC(); return calls.Load() >= jobs/2 })
		p.Close()
	})
	equal(t, calls.Load(), jobs, "P21: nobody has waited for jobs that have panicked, and the number of calls of the handler is")
}

// If this fails, Close has returned while a handler still waits that has called Run: it lives without the
// pool then.
func TestCloseWaitsForHandlerThatWaits(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		free, closed := make(chan bool), make(chan bool)
		var p *pool.Pool
		p = newPool(t, pool.WithWorkers(2), pool.WithPanicHandler(func(*pool.PanicError) {
			pool.Run(background, p, func(w *pool.Worker, _ int) int { w.Block(func() {}); return 0 }, 0)
			pool.BlockHere(func() { <-free })
		}))
		pool.Go(p, func(*pool.Worker) { panic("of a job") })
		synctest.Wait()
		go func() { p.Close(); close(closed) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("P21: Close has returned, and the panic handler has not")
		default:
		}
		close(free)
		<-closed
	})
}
