package pool_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What WithQueueLimit promises.
func TestQueueLimit(t *testing.T) {
	for name, run := range map[string]func(t *testing.T){
		"freed_by_Cancel": roomCanceled,
		"freed_by_Join":   roomJoined,
		"not_for_begun":   roomForWaitingOnly,
	} {
		subtest(t, name, "P23", "calls return, and jobs end, of a pool with a queue limit", run)
	}
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

// roomCanceled takes jobs back. Others get their room at once.
func roomCanceled(t *testing.T) {
	p, free := limited(t, 1, 2)
	handles := fill(t, p, 2)
	cancels := func(h *pool.Handle[int]) {
		t.Helper()
		first, again := h.Cancel(), h.Cancel()
		check(t, first && again, "P20: Cancel of a job that waits for a worker, or was canceled, returned false")
	}
	cancels(handles[0])
	handles[0] = fill(t, p, 1)[0]
	cancels(handles[1])
	ctx, cancel := context.WithCancel(background)
	h := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
	fill(t, p, 0)
	cancel()
	_, err := h.Wait(background)
	check(t, err == context.Canceled, "P20: Wait for a job whose context has ended returned %v, want its error", err)
	fill(t, p, 1)
	came := comes(p, background, func() {})
	cancels(handles[0])
	fill(t, p, 0) // the waiting submission has it
	free()
	noError(t, <-came, "P23: a call that has waited for the room of a job that was canceled returned")
	free = hold(t, p, 1)
	fill(t, p, 2)
	free()
}

// roomJoined has a job begin where it is joined, although all workers are busy.
func roomJoined(t *testing.T) {
	p, free := limited(t, 1, 1)
	h := fill(t, p, 1)[0]
	do(t, poolOf(t, 1), func(w *pool.Worker) {
		_, err := h.Join(w)
		noError(t, err, "P1: Join of a job that was queued returned")
	})
	fill(t, p, 1)
	free()
}

// roomForWaitingOnly has more jobs in Block than there is room for, and forks and jobs of
// scopes while there is none.
func roomForWaitingOnly(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1), pool.WithQueueLimit(1))
	for range 2 { // a job that was queued leaves its room
		free := hold(t, p, 1)
		h := submitted(t, p, nothing)
		free()
		result(t, h)
	}
	end := make(chan bool)
	for range 10 {
		begun := make(chan bool)
		submitted(t, p, func(w *pool.Worker) int { w.Block(func() { close(begun); <-end }); return 0 })
		<-begun
	}
	close(end)
	var ran atomic.Int32
	do(t, p, func(w *pool.Worker) {
		until(t, "there is room", func() bool { _, err := pool.Submit(p, nothing); return err == nil })
		scopeOfMany(w, 20, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
		groupOf(background, w, func(g round) error { g.spawn(20, counts(&ran)); return nil })
	})
	equal(t, ran.Load(), 40,
		"P23: of 40 jobs of a scope and a group, in a pool with a full queue, the number that ran is")
}
