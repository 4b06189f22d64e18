package pool_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Jobs leave their room when they are taken back, when their context ends, when they are joined, and
// when they begin: also in Block, where more of them may be than there is room for.
func TestQueueLimit(t *testing.T) {
	p, free := limited(t, 1, 2)
	during(t, "P23", "calls return, and jobs end, of a pool with a queue limit", func() {
		handles := fill(t, p, 2)
		expect(t, handles[0].Cancel(), "P20: Cancel of a job that waits for a worker returned false")
		queued := fill(t, p, 1)
		do(t, poolOf(t, 1), func(w *pool.Worker) {
			_, err := handles[1].Join(w)
			noError(t, err, "P1: Join of a job that was queued returned")
		})
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
		fill(t, p, 0)
		cancel()
		fails(t, context.Canceled, "P20: Wait for a job whose context has ended returned")(h.Wait(background))
		queued = append(queued, fill(t, p, 1)...)
		free()
		give(t, 0, queued, "P23: a job that there was room for returned")
		end := make(chan bool)
		defer close(end)
		for range 10 {
			begun := make(chan bool)
			submitted(t, p, func(w *pool.Worker) int { w.Block(func() { close(begun); <-end }); return 0 })
			<-begun
		}
	})
}

// limited returns a pool whose workers are busy until free is called.
func limited(t *testing.T, workers, limit int) (p *pool.Pool, free func()) {
	t.Helper()
	p = newPool(t, pool.WithWorkers(workers), pool.WithQueueLimit(limit))
	return p, hold(t, p, workers)
}

// fill submits as many jobs as there is room for, none of which can begin, and checks
// how many those are.
func fill(t *testing.T, p *pool.Pool, room int) (handles []*pool.Handle[int]) {
	t.Helper()
	for i := range room {
		h, err := pool.Submit(p, func(*pool.Worker) int { return i })
		check(t, err == nil, "P23: with room for %d jobs, Submit of job %d returned %v", room, i, err)
		handles = append(handles, h)
	}
	h, err := pool.Submit(p, nothing)
	check(t, h == nil && err == pool.ErrFull, "P23: %d jobs wait, and Submit of one more than there is room for returned %v, want ErrFull", room, err)
	return handles
}

// comes calls SubmitErr, which has to wait for room, on a goroutine, and returns when it does. The
// error is what it returned, or Wait has.
func comes(p *pool.Pool, ctx context.Context, fn func()) (err chan error) {
	seen := watch(ctx)
	err = going(func() error {
		_, err := bySubmitErr(seen, p, func(context.Context, *pool.Worker) (int, error) { fn(); return 0, nil })
		return err
	})
	<-seen.waited
	return err
}
