package pool_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What WithQueueLimit promises.
func TestQueueLimit(t *testing.T) {
	for name, run := range map[string]func(t *testing.T){
		"full":            roomFull,
		"in_order":        roomInOrder,
		"freed_by_Cancel": roomCanceled,
		"freed_by_Join":   roomJoined,
		"closed":          roomCloses,
		"kept":            roomKept,
		"in_a_job":        roomInJob,
		"mutual_pools":    roomOfMutualPools,
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

// gets waits for errors.
func gets(t *testing.T, what string, want error, all ...chan error) {
	t.Helper()
	for _, ch := range all {
		err := <-ch
		check(t, err == want, "P23: %s returned %v, want %v", what, err, want)
	}
}

// roomFull fills queues, by Submit and Go.
func roomFull(t *testing.T) {
	for _, workers := range []int{1, 2} {
		const limit = 5
		p, free := limited(t, workers, limit)
		var ran atomic.Int32
		noError(t, pool.Go(p, func(*pool.Worker) { ran.Add(1) }), "P23: there is room, and Go returned")
		handles := slices.Concat(submittedAll(t, p, numbered(limit-2, &ran)...), fill(t, p, 1))
		for range 2 {
			_, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(100); return 0 })
			equal(t, err, pool.ErrFull, "P23: Submit of a job that there is no room for returned")
			err = pool.Go(p, func(*pool.Worker) { ran.Add(100) })
			equal(t, err, pool.ErrFull, "P23: Go of a job that there is no room for returned")
		}
		free()
		for _, h := range handles {
			result(t, h)
		}
		free = hold(t, p, workers)
		fill(t, p, limit)
		free()
		p.Close()
		equal(t, ran.Load(), limit-1, "P23: of jobs that were accepted or refused the number that ran is")
	}
}

// roomInOrder has callers wait for room, one after the other. The contexts of some end while they wait.
func roomInOrder(t *testing.T) {
	p, free := limited(t, 1, 1)
	fill(t, p, 1)
	var order []int // of the only worker
	ctx, cancel := context.WithCancelCause(background)
	late, pass := newTimely()
	var stay, leave, passed []chan error
	for i := range 6 {
		stay = append(stay, comes(p, background, func() { order = append(order, i) }))
		leave = append(leave, comes(p, ctx, func() { order = append(order, 100) }))
		passed = append(passed, comes(p, late, func() { order = append(order, 100) }))
	}
	cancel(&thrown{"not the error of the context"})
	pass()
	gets(t, "a call whose context has ended while it waited for room", context.Canceled, leave...)
	gets(t, "a call whose deadline has passed while it waited for room", context.DeadlineExceeded, passed...)
	fill(t, p, 0)
	free()
	gets(t, "a call that has waited for room beside others that gave up", nil, stay...)
	p.Close()
	check(t, slices.Equal(order, []int{0, 1, 2, 3, 4, 5}),
		"P23: six callers have waited for room, twelve gave up, and the order of those that got it is %v", order)
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
	gets(t, "a call that has waited for the room of a job that was canceled", nil, came)
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

// roomCloses closes pools while callers wait for room.
func roomCloses(t *testing.T) {
	for _, end := range []func(p *pool.Pool) error{
		func(p *pool.Pool) error { return p.Close() },
		func(p *pool.Pool) error { return p.Shutdown(background) },
		func(p *pool.Pool) error { p.Shutdown(ended); return p.Close() },
	} {
		p, free := limited(t, 1, 1)
		fill(t, p, 1)
		var came []chan error
		for range 3 {
			came = append(came, comes(p, background, func() { t.Error("P6: a function ran that was refused") }))
		}
		closed := going(func() error { return end(p) })
		gets(t, "a call that waited for room as the pool closed", pool.ErrClosed, came...)
		free()
		gets(t, "the end of a pool for whose room callers waited", nil, closed)
	}
}

// roomInJob has jobs of the only worker wait for room: they leave that to the jobs that
// have it.
func roomInJob(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(1), pool.WithQueueLimit(1)), poolOf(t, 1)
	one := func(context.Context, *pool.Worker) (int, error) { return 1, nil }
	submits := func(w *pool.Worker) (sum int) {
		var all [3]*pool.Handle[int]
		for i := range all {
			all[i] = submittedErr(t, p, background, one)
		}
		for _, h := range all {
			n, _ := h.Join(w)
			sum += n
		}
		return sum
	}
	inBlock := func(w *pool.Worker) (sum int) { w.Block(func() { sum = submits(w) }); return sum }
	for where, sum := range map[string]int{
		"a job": enter(t, p, submits), "a submitted job": result(t, submitted(t, p, submits)),
		"a job in Block": result(t, submitted(t, p, inBlock)), "a job of another pool": enter(t, q, submits),
	} {
		equal(t, sum, 3, "P23: three jobs that %s has submitted gave", where)
	}
	meet(t, q)
}

// roomOfMutualPools has a job of p submit one to q, where it waits for room, and that one submit
// one to p. The job must leave p's only worker to that, not only while it waits for room.
func roomOfMutualPools(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1), pool.WithQueueLimit(1))
	q, free := limited(t, 1, 1)
	fill(t, q, 1)
	ctx := watch(background)
	h := submitted(t, p, func(*pool.Worker) error {
		_, err := bySubmitErr(ctx, q, func(context.Context, *pool.Worker) (int, error) {
			return result(t, submitted(t, p, nothing)), nil
		})
		return err
	})
	<-ctx.waited
	free()
	check(t, result(t, h) == nil, "P23: SubmitErr or Wait returned an error to a job of another pool")
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

// roomKept does everything at once, and looks how much room is left.
func roomKept(t *testing.T) {
	const limit = 2
	p := newPool(t, pool.WithWorkers(2), pool.WithQueueLimit(limit))
	for range 4 {
		var callers []func()
		for i := range 6 {
			callers = append(callers, func() {
				for range 20 {
					ctx, cancel := context.WithCancel(background)
					var ran atomic.Int32
					fn := func(context.Context, *pool.Worker) (int, error) { return int(ran.Add(1)), nil }
					if rand.IntN(2) == 0 {
						go cancel()
					}
					switch (i + rand.IntN(2)) % 4 {
					case 0:
						pool.Run(ctx, p, fib, 3)
					case 1:
						if h, err := pool.SubmitErr(ctx, p, fn); err == nil {
							_, err := h.Wait(background)
							expect(t, (err == nil) == (ran.Load() == 1),
								"P20: the context of a job ended, Wait returned %v, and it has run %d times", err, ran.Load())
						}
					case 2:
						if h, err := pool.Submit(p, nothing); err == nil && !h.Cancel() {
							h.Wait(background)
						}
					case 3:
						pool.Go(p, func(*pool.Worker) {})
					}
					cancel()
				}
			})
		}
		together(callers...)
		untilSleeping(t, p) // or what the callers have left has the room
		free := hold(t, p, p.Workers())
		fill(t, p, limit)
		free()
	}
}
