package pool_test

import (
	"context"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A waitKind waits for a job: as another job, or as a goroutine outside.
type waitKind func(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error)

func waitOutside(_ *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error) {
	return h.Wait(ctx)
}

func waitInJob(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (n int, err error) {
	pool.Run(background, p, func(*pool.Worker, int) int { n, err = h.Wait(ctx); return 0 }, 0)
	return n, err
}

func waitInBlock(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (n int, err error) {
	pool.Run(background, p, func(w *pool.Worker, _ int) int {
		w.Block(func() { n, err = h.Wait(ctx) })
		return 0
	}, 0)
	return n, err
}

var waits = []waitKind{waitInJob, waitOutside, waitInBlock}

// held submits a job that ends when it is released.
func held(t testing.TB, p *pool.Pool) (h *pool.Handle[int], release func()) {
	t.Helper()
	gate := make(chan bool)
	return submitted(t, p, func(*pool.Worker) int { <-gate; return 7 }), func() { close(gate) }
}

// Several waiters of one job, and contexts that end before it, with it and after it.
func TestWaiters(t *testing.T) {
	eachCase(t, []poolCase{
		{"in_order", "P1", waitInOrders},
		{"queued", "P1", waitForQueued},
		{"joiner_then_outsider", "P1", joinerThenOutsider},
		{"given_up", "P1", givenUp},
		{"result_first", "P1", resultFirst},
	}, 2)
}

// waitInOrders has waiters of some kinds wait for one job, each of which begins to wait when
// the one before it does. Then the job ends.
func waitInOrders(t *testing.T, p *pool.Pool) {
	for _, kinds := range [][]waitKind{
		{waitInJob, waitOutside}, {waitOutside, waitInJob}, {waitInJob, waitOutside, waitInJob, waitInJob, waitOutside, waitOutside},
	} {
		h, release := held(t, p)
		// One that can end: nobody waits for the end of the background.
		ctx, cancel := context.WithCancel(background)
		var all sync.WaitGroup
		for i, wait := range kinds {
			seen := watch(ctx)
			all.Go(func() {
				if n, err := wait(p, h, seen); n != 7 || err != nil {
					t.Errorf("P1: of those that wait for one job, number %d got %d, %v, want 7", i, n, err)
				}
			})
			<-seen.waited
		}
		release()
		all.Wait()
		cancel()
	}
}

// waitForQueued waits for a job since before it began, and its context never ends. The handle
// keeps its waiters and what its context would start in one list.
func waitForQueued(t *testing.T, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	free := hold(t, p, p.Workers())
	h := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
	seen, done := watch(background), make(chan bool)
	go func() {
		defer close(done)
		if n, err := h.Wait(seen); n != 7 || err != nil {
			t.Errorf("P1: Wait for a job of SubmitErr that was queued returned %d, %v, want 7", n, err)
		}
	}()
	<-seen.waited
	free()
	<-done
}

// joinerThenOutsider has a job join another one for good, and then somebody outside wait for
// that, until a context ends.
func joinerThenOutsider(t *testing.T, p *pool.Pool) {
	h, release := held(t, p)
	aside := p.Stats().SetAside
	joins := submitted(t, p, func(w *pool.Worker) int { n, _ := h.Join(w); return n })
	until(t, "a job that joins another one is set aside", func() bool { return p.Stats().SetAside > aside })
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	seen, done := watch(ctx), make(chan bool)
	go func() {
		defer close(done)
		if n, err := h.Wait(seen); n != 7 || err != nil {
			t.Errorf("P1: a Wait outside, for a job that another one joins, returned %d, %v, want 7", n, err)
		}
	}()
	<-seen.waited
	release()
	<-done
	check(t, result(t, joins) == 7, "P1: Join of a job returned something else than its result")
}

// givenUp has the context of a wait end before the job, which ends only then.
func givenUp(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		for _, early := range []bool{true, false} {
			h, release := held(t, p)
			ctx, cancel := context.WithCancelCause(background)
			if early {
				cancel(&thrown{"why"})
			}
			seen, done := watch(ctx), make(chan bool)
			go func() {
				defer close(done)
				if n, err := wait(p, h, seen); err != context.Canceled {
					t.Errorf("P1: Wait, whose context ended and whose job did not, returned %d, %v, want the error of the context", n, err)
				}
			}()
			if !early {
				<-seen.waited
			}
			cancel(&thrown{"why"})
			<-done
			release()
			check(t, result(t, h) == 7, "P1: a job for which a Wait was given up gives a wrong result")
		}
	}
}

// An endsWhenAwaited is a context that calls end when a wait first asks for its end.
type endsWhenAwaited struct {
	context.Context
	once sync.Once
	end  func()
}

func (c *endsWhenAwaited) Done() <-chan struct{} {
	c.once.Do(c.end)
	return c.Context.Done()
}

// resultFirst has the job end, and then the context, before a wait has looked at either, and
// before the wait.
func resultFirst(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		for range 20 {
			h, release := held(t, p)
			ended := make(chan bool)
			go func() { defer close(ended); h.Wait(background) }()
			ctx, cancel := context.WithCancel(background)
			for _, ctx := range []context.Context{&endsWhenAwaited{Context: ctx, end: func() { release(); <-ended; cancel() }}, ctx} {
				n, err := wait(p, h, ctx)
				check(t, n == 7 && err == nil, "P1: Wait returned %d, %v for a job that had returned 7 before the context ended", n, err)
			}
		}
	}
}
