package conformance

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// What becomes of the panic of a job that nobody waits for.
var poolUnseen = []struct {
	name string
	// run has one job panic, and calls none that waits for what it does not name.
	run func(r *run, p *pool.Pool, raise func() int)
	// calls is how often the handler of panics is called, until Close has returned.
	calls int32
}{
	{"Go", func(r *run, p *pool.Pool, raise func() int) {
		err := pool.Go(p, func(*pool.Worker) { raise() })
		r.Check(err == nil, "P7", "Go returned %v", err)
	}, 1},
	{"exits", func(r *run, p *pool.Pool, _ func() int) {
		err := pool.Go(p, func(*pool.Worker) { runtime.Goexit() })
		r.Check(err == nil, "P7", "Go returned %v", err)
	}, 0},
	{"kept", func(r *run, p *pool.Pool, raise func() int) {
		h := submit(r, p, func(*pool.Worker) int { return raise() })
		p.Close()
		runtime.KeepAlive(h)
	}, 1},
	{"waited", func(r *run, p *pool.Pool, raise func() int) {
		h := submit(r, p, func(*pool.Worker) int { return raise() })
		// The only worker comes to another job when the first one has ended: so
		// nobody waits for that one as it ends.
		await(r, submit(r, p, func(*pool.Worker) int { return 0 }))
		_, err := h.Wait(background)
		r.Check(err != nil, "P2", "Wait for a job that has panicked returned no error")
	}, 0},
	{"waited_in_a_job", func(r *run, p *pool.Pool, raise func() int) {
		await(r, submit(r, p, func(w *pool.Worker) int {
			h, err := pool.Submit(p, func(*pool.Worker) int { return raise() })
			if err == nil {
				h.Join(w)
			}
			return 0
		}))
	}, 0},
	{"queued_Run", func(r *run, p *pool.Pool, raise func() int) {
		blockUntilQueued(r, p)
		r.Together(func() {
			defer func() { recover() }()
			pool.Run(background, p, func(*pool.Worker, int) int { return raise() }, 0)
		})
	}, 1}, // by Run
	{"given_up", func(r *run, p *pool.Pool, raise func() int) {
		began, free := make(chan struct{}), make(chan struct{})
		h := submit(r, p, func(*pool.Worker) int { close(began); r.Receive(free); return raise() })
		r.Wait(began)
		for _, wait := range []waitKind{waitOutside, waitInOtherPool} {
			ctx, cancel := context.WithCancel(background)
			seen := watch(ctx)
			go func() {
				select {
				case <-seen.waited:
				case <-r.Failure():
				}
				cancel()
			}()
			_, err := wait(p, h, seen)
			r.Check(err == context.Canceled, "P1", "Wait, whose context has ended meanwhile, returned %v", err)
		}
		close(free)
		p.Close()
		runtime.KeepAlive(h)
	}, 1},
	{"channel", func(r *run, p *pool.Pool, raise func() int) {
		began, free := make(chan struct{}), make(chan struct{})
		h := submit(r, p, func(*pool.Worker) int { close(began); r.Receive(free); return raise() })
		r.Wait(began)
		done := h.Done()
		close(free)
		r.Wait(done)
		p.Close() // whoever has received from the channel is about to ask
		_, err := h.Wait(background)
		r.Check(err != nil, "P2", "Wait for a job that has panicked returned no error")
	}, 0},
	{"dropped", func(r *run, p *pool.Pool, raise func() int) {
		submit(r, p, func(*pool.Worker) int { return raise() })
	}, 1},
}

// waitInOtherPool waits as a job of a pool of its own.
func waitInOtherPool(_ *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error) {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		return 0, err
	}
	defer p.Close()
	return waitInJob(p, h, ctx)
}

// unseen has a job panic in a pool with a handler, which counts.
func (s poolSuite) unseen(r *run, body func(r *run, p *pool.Pool, raise func() int), want int32) {
	value := &thrown{"of a job"}
	var calls atomic.Int32
	p := s.start(r, 1, pool.WithPanicHandler(func(e *pool.PanicError) {
		calls.Add(1)
		if e.Value != any(value) {
			r.Report("P21", "the handler got %v, and the job has panicked with %v", e.Value, value)
		}
	}))
	r.During("P21", "the handler of panics is called for one that nobody is told of")
	body(r, p, func() int { return raiseIt(value) })
	s.close(r, p)
	r.Check(calls.Load() == want, "P21", "the handler of panics was called %d times before Close returned, want %d", calls.Load(), want)
	runtime.GC()
	r.Check(calls.Load() == want, "P21", "after Close the handler was called again")
}

// unseenCollected waits until the handle is collected, while the pool is open.
func (s poolSuite) unseenCollected(r *run) {
	var calls atomic.Int32
	p := s.start(r, 1, pool.WithPanicHandler(func(*pool.PanicError) { calls.Add(1) }))
	const jobs = 10
	for range jobs {
		submit(r, p, func(*pool.Worker) int { return raiseIt(&thrown{"of a job"}) })
	}
	r.During("P21", "the handler of panics is called when the handle was collected of a job that has panicked")
	// A deque and a worker may keep the last few.
	r.Until(func() bool { runtime.GC(); return calls.Load() >= jobs/2 })
	s.close(r, p)
	r.Check(calls.Load() == jobs, "P21", "%d jobs have panicked, nobody has waited, and the handler was called %d times", jobs, calls.Load())
}

// unseenBeforeTheEnd has the handler of panics ask whether the pool has ended, while
// Close waits for it: Shutdown, whose context has ended before, tells that at once.
func (s poolSuite) unseenBeforeTheEnd(r *run) {
	over, end := context.WithCancel(background)
	end()
	var p *pool.Pool
	calls := 0 // Close waits for them
	p = s.start(r, 1, pool.WithPanicHandler(func(*pool.PanicError) {
		calls++
		// The handler itself is told ErrCloseInJob.
		told := make(chan error)
		go func() { told <- p.Shutdown(over) }()
		if err := <-told; err == nil {
			r.Report("P21", "Shutdown says that the pool has ended, while the handler runs for the panic of a job that nobody was told of")
		}
	}))
	h := submit(r, p, func(*pool.Worker) int { return raiseIt(&thrown{"of a job"}) })
	s.close(r, p)
	r.Check(calls == 1, "P21", "the handler of panics was called %d times before Close returned, want 1", calls)
	err := p.Shutdown(over)
	r.Check(err == nil, "P6", "Shutdown, after Close has returned, returned %v", err)
	runtime.KeepAlive(h)
}
