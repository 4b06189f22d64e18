package conformance

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Several waiters of one job, and a job that ends before the context does.
var poolWaiters = []poolCase{
	{"Waiters/job_then_outsider", "P1", 2, func(r *run, p *pool.Pool) { waitInOrder(r, p, waitInJob, waitOutside) }},
	{"Waiters/outsider_then_job", "P1", 2, func(r *run, p *pool.Pool) { waitInOrder(r, p, waitOutside, waitInJob) }},
	{"Waiters/mixed", "P1", 2, func(r *run, p *pool.Pool) {
		waitInOrder(r, p, waitInJob, waitOutside, waitInJob, waitInJob, waitOutside, waitOutside)
	}},
	{"Waiters/result_first", "P1", 2, resultFirst},
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

// A waitKind waits for a job: as another job, or as a goroutine outside.
type waitKind func(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error)

func waitOutside(_ *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error) {
	return h.Wait(ctx)
}

func waitInJob(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (n int, err error) {
	_, refused := pool.Run(background, p, func(*pool.Worker, int) int {
		n, err = h.Wait(ctx)
		return 0
	}, 0)
	if refused != nil {
		return 0, refused
	}
	return n, err
}

// waitInOrder has waiters of those kinds wait for one job, each of which begins to
// wait when the one before it does. Then the job ends.
func waitInOrder(r *run, p *pool.Pool, kinds ...waitKind) {
	for range 3 {
		gate := make(chan struct{})
		h := submit(r, p, func(*pool.Worker) int { r.receive(gate); return 7 })
		// One that can end: nobody waits for the end of the background.
		ctx, cancel := context.WithCancel(background)
		var all []chan struct{}
		for i, wait := range kinds {
			notices, done := newNoticing(ctx), make(chan struct{})
			go func() {
				defer close(done)
				if n, err := wait(p, h, notices); n != 7 || err != nil {
					r.report("P1", "of those that wait for one job, number %d got %d, %v, want 7", i, n, err)
				}
			}()
			r.during("P1", "number %d of those that wait for one job begins to wait", i)
			r.wait(notices.asked)
			all = append(all, done)
		}
		close(gate)
		for i, done := range slices.Backward(all) {
			r.during("P1", "the wait for a job that has ended, of number %d of those that wait for it", i)
			r.wait(done)
		}
		cancel()
	}
	fullWidth(r, p)
}

// An endsWhenAsked is a context that ends when it is asked whether it has, but not
// before the job has ended.
type endsWhenAsked struct {
	context.Context
	end      context.CancelFunc
	jobEnded *atomic.Bool
}

func (c endsWhenAsked) Err() error {
	if c.jobEnded.Load() {
		c.end()
	}
	return c.Context.Err()
}

// resultFirst has the context of a wait end, but after the job.
func resultFirst(r *run, p *pool.Pool) {
	for _, wait := range []waitKind{waitInJob, waitOutside} {
		for range 5 {
			var ended atomic.Bool
			ctx, cancel := context.WithCancel(background)
			notices := newNoticing(ctx)
			h := submit(r, p, func(*pool.Worker) int {
				r.receive(notices.asked)
				ended.Store(true)
				return 7
			})
			r.during("P1", "Wait returns for a job that has ended")
			n, err := wait(p, h, endsWhenAsked{notices, cancel, &ended})
			r.check(n == 7 && err == nil, "P1", "Wait returned %d, %v for a job that returned 7 before the context ended", n, err)
			// It has ended long since, and so has the context now.
			cancel()
			n, err = wait(p, h, ctx)
			r.check(n == 7 && err == nil, "P1", "Wait returned %d, %v for a job that had returned 7 before the call", n, err)
		}
	}
}
