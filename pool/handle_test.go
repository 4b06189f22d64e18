package pool_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// awaiting calls wait on a goroutine, and returns when it waits. ended returns when it has returned 7.
func awaiting(t *testing.T, p *pool.Pool, h *pool.Handle[int], ctx context.Context, wait waitKind, what string) (ended func()) {
	seen, done := watch(ctx), make(chan bool)
	go func() {
		defer close(done)
		returns(t, 7, "P1: %s: Wait returned", what)(wait(p, h, seen))
	}()
	<-seen.waited
	return func() { <-done }
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
		var ends []func()
		for _, wait := range kinds {
			ends = append(ends, awaiting(t, p, h, ctx, wait, "several wait for one job"))
		}
		release()
		for _, end := range ends {
			end()
		}
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
	end := awaiting(t, p, h, background, waitOutside, "a job of SubmitErr was queued")
	free()
	end()
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
	end := awaiting(t, p, h, ctx, waitOutside, "outside, for a job that another one joins")
	release()
	end()
	equal(t, result(t, joins), 7, "P1: Join of a job returned")
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
				fails(t, context.Canceled, "P1: Wait, whose context ended and whose job did not, returned")(wait(p, h, seen))
			}()
			if !early {
				<-seen.waited
			}
			cancel(&thrown{"why"})
			<-done
			release()
			equal(t, result(t, h), 7, "P1: a job for which a Wait was given up gives")
		}
	}
	h, release := held(t, p)
	for range 100 {
		ctx, cancel := context.WithTimeout(background, time.Microsecond)
		fails(t, context.DeadlineExceeded, "P1: Wait, whose time is over, returned")(h.Wait(ctx))
		cancel()
	}
	equal(t, h.Waiters(), 0, "P8: the number of waiters that are kept after 100 waits were given up is")
	release()
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
			ends := &noticing{Context: ctx, notice: func() { release(); <-ended; cancel() }}
			for _, ctx := range []context.Context{ends, ctx} {
				returns(t, 7, "P1: of a job that had ended before the context did, Wait returned")(wait(p, h, ctx))
			}
		}
	}
}

// Jobs are taken back that are queued. None of them begins, and all who wait learn it at once,
// while all workers are busy.
func TestTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		rule string
		take func(t *testing.T, p *pool.Pool, h *pool.Handle[int], end, pass func())
		want error
	}{
		"Cancel": {"P20", func(t *testing.T, _ *pool.Pool, h *pool.Handle[int], _, _ func()) {
			expect(t, h.Cancel(), "P20: Cancel of a job that waits for a worker returned false")
		}, pool.ErrCanceled},
		"context":  {"P20", func(_ *testing.T, _ *pool.Pool, _ *pool.Handle[int], end, _ func()) { end() }, context.Canceled},
		"deadline": {"P20", func(_ *testing.T, _ *pool.Pool, _ *pool.Handle[int], _, pass func()) { pass() }, context.DeadlineExceeded},
		"Shutdown": {"P25", func(t *testing.T, p *pool.Pool, _ *pool.Handle[int], _, _ func()) { shut(t, p) }, pool.ErrCanceled},
	} {
		subtest(t, name, c.rule, "those learn it who wait for jobs that are taken back", func(t *testing.T) {
			p := poolOf(t, 2)
			free := hold(t, p, 2)
			var began atomic.Int32
			fn := func(context.Context, *pool.Worker) (int, error) { return int(began.Add(1)), nil }
			ctx, end := context.WithCancel(background)
			passing, pass := newTimely()
			of := ctx
			if name == "deadline" {
				of = passing
			}
			h, stays := submittedErr(t, p, of, fn), submittedErr(t, p, background, fn)
			done, errs := h.Done(), make(chan error, 2)
			live, give := context.WithCancel(background)
			defer give()
			for range cap(errs) {
				seen := watch(live)
				go func() { _, err := h.Wait(seen); errs <- err }()
				<-seen.waited
			}
			c.take(t, p, h, end, pass)
			<-done
			n, err := h.Wait(background)
			for _, err := range []error{<-errs, <-errs, err} {
				check(t, n == 0 && err == c.want, "%s: Wait or Join for a job that was taken back returned %d, %v, want %v", c.rule, n, err, c.want)
			}
			check(t, h.Cancel(), "P20: Cancel of a job that was taken back returned false, and it will never begin")
			free()
			if name != "Shutdown" {
				equal(t, result(t, stays), 1, "P20: the job between gave")
				meet(t, p)
			}
			check(t, began.Load() <= 1, "%s: a job began that was taken back", c.rule)
		})
	}
	expect(t, errors.Is(pool.ErrCanceled, context.Canceled), "P20: ErrCanceled is not context.Canceled")
}

// What Handle.Cancel and Handle.Done promise besides.
func TestCancel(t *testing.T) {
	eachCase(t, []poolCase{
		{"queued", "P20", canceledInQueue},
		{"running", "P20", canceledTooLate},
		{"by_many", "P20", canceledByMany},
		{"done", "P20", doneOnce},
	}, 2)
}

// canceledTooLate cancels a job that has begun: at once, on a pool at rest, and after it
// was queued. The Join of a job must not begin it again either.
func canceledTooLate(t *testing.T, p *pool.Pool) {
	for round := range 4 {
		free := func() {}
		if round%2 != 0 {
			free = hold(t, p, p.Workers())
		} else {
			until(t, "all workers sleep", func() bool { return p.Sleeping() == p.Workers() })
		}
		began, held := make(chan bool, 2), make(chan bool)
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(ctx context.Context, _ *pool.Worker) (int, error) {
			began <- true
			<-held
			return 7, ctx.Err()
		})
		free()
		<-began
		cancel()
		check(t, !h.Cancel(), "P20: Cancel of a job that runs returned true")
		close(held)
		n, err := h.Wait(background)
		check(t, n == 7 && err == context.Canceled,
			"P20: a job that Cancel came too late for, and which returns what its context says, returned %d, %v", n, err)
		check(t, !h.Cancel(), "P20: Cancel of a job that has ended returned true")
		check(t, len(began) == 0, "P1: a submitted job has begun twice")
	}
}

// canceledByMany has goroutines cancel a job while workers may begin it.
func canceledByMany(t *testing.T, p *pool.Pool) {
	for range 50 {
		var began, yes, no atomic.Int32
		h := submitted(t, p, func(*pool.Worker) int { began.Add(1); return 7 })
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if h.Cancel() {
					yes.Add(1)
				} else {
					no.Add(1)
				}
			})
		}
		n, err := h.Wait(background)
		all.Wait()
		if yes.Load() > 0 {
			check(t, no.Load() == 0 && err == pool.ErrCanceled && began.Load() == 0,
				"P20: a job was canceled, which %d were told that it is not; it has begun %d times, and Wait returned %v",
				no.Load(), began.Load(), err)
		} else {
			check(t, n == 7 && err == nil && began.Load() == 1,
				"P20: a job that nobody could cancel has begun %d times and returned %d, %v", began.Load(), n, err)
		}
	}
}

// doneOnce looks at the channel before and after the end, beside waits of each kind, which
// begin after it was asked for; and a job selects on it.
func doneOnce(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		h, free := held(t, p)
		done := h.Done()
		ctx, cancel := context.WithCancel(background)
		end := awaiting(t, p, h, ctx, wait, "of the job somebody has asked for the channel of Done before")
		check(t, h.Done() == done, "P20: two calls of Done before the end of a job returned two channels")
		select {
		case <-done:
			t.Error("P20: the channel of Done is closed, and the job has not ended")
		default:
		}
		free()
		end()
		<-done
		<-h.Done()
		equal(t, result(t, h), 7, "P20: after Done, Wait returned")
		cancel()
	}
	do(t, p, func(w *pool.Worker) {
		h := submitted(t, p, func(*pool.Worker) int { return 7 })
		w.Block(func() { <-h.Done() })
		returns(t, 7, "P20: after Done, Join returned")(h.Join(w))
	})
}

// canceledInQueue cancels every second job, and others while their contexts end, too.
func canceledInQueue(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	var ran atomic.Int32
	all := submittedAll(t, p, numbered(20, &ran)...)
	for i := 0; i < len(all); i += 2 {
		first, again := all[i].Cancel(), all[i].Cancel()
		check(t, first && again, "P20: Cancel of a job that waits for a worker returned false")
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { ran.Add(1); return 7, nil })
		together(cancel, func() { expect(t, h.Cancel(), "P20: Cancel of a job that waits for a worker returned false") })
		_, err := h.Wait(background)
		check(t, err == context.Canceled || err == pool.ErrCanceled,
			"P20: Wait for a job that was canceled and whose context has ended returned %v", err)
	}
	free()
	for i, h := range all {
		if i%2 != 0 {
			equal(t, result(t, h), i, "P20: a job between two that were canceled gave")
			check(t, !h.Cancel(), "P20: Cancel of a job that has ended returned true")
			continue
		}
		n, err := h.Wait(background)
		check(t, n == 0 && err == pool.ErrCanceled, "P20: Wait for a job that was canceled returned %d, %v", n, err)
	}
	equal(t, ran.Load(), 10, "P20: of 30 jobs twenty were canceled, and the number that began is")
}
