package pool_test

import (
	"context"
	"errors"
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

// Contexts of waits that end before the job, with it and after it.
func TestWaiters(t *testing.T) {
	eachCase(t, []poolCase{
		{"given_up", "P1", givenUp},
		{"result_first", "P1", resultFirst},
	}, 2)
}

// givenUp has the context of a wait end before the job, which ends only then.
func givenUp(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		h, release := held(t, p)
		ctx, cancel := context.WithCancelCause(background)
		seen := watch(ctx)
		go func() { <-seen.waited; cancel(&thrown{"why"}) }()
		for _, ctx := range []context.Context{seen, ctx} { // it ends meanwhile, and has ended
			fails(t, context.Canceled, "P1: Wait, whose context ended and whose job did not, returned")(wait(p, h, ctx))
		}
		release()
		equal(t, result(t, h), 7, "P1: a job for which a Wait was given up gives")
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
		take func(t *testing.T, p *pool.Pool, h *pool.Handle[int], pass func())
		want error
	}{
		"Cancel": {"P20", func(t *testing.T, _ *pool.Pool, h *pool.Handle[int], _ func()) {
			expect(t, h.Cancel(), "P20: Cancel of a job that waits for a worker returned false")
		}, pool.ErrCanceled},
		"context":  {"P20", func(_ *testing.T, _ *pool.Pool, _ *pool.Handle[int], pass func()) { pass() }, context.DeadlineExceeded},
		"Shutdown": {"P25", func(t *testing.T, p *pool.Pool, _ *pool.Handle[int], _ func()) { shut(t, p) }, pool.ErrCanceled},
	} {
		subtest(t, name, c.rule, "those learn it who wait for jobs that are taken back", func(t *testing.T) {
			p := poolOf(t, 2)
			free := hold(t, p, 2)
			var began atomic.Int32
			fn := func(context.Context, *pool.Worker) (int, error) { return int(began.Add(1)), nil }
			of, pass := newTimely()
			h, stays := submittedErr(t, p, of, fn), submittedErr(t, p, background, fn)
			done, errs := h.Done(), make(chan error, 2)
			live, give := context.WithCancel(background)
			defer give()
			for range cap(errs) {
				seen := watch(live)
				go func() { _, err := h.Wait(seen); errs <- err }()
				<-seen.waited
			}
			c.take(t, p, h, pass)
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
		{"running", "P20", canceledTooLate},
		{"done", "P20", doneOnce},
	}, 2)
}

// canceledTooLate cancels a job that has begun: at once, on a pool at rest, and after it was queued.
func canceledTooLate(t *testing.T, p *pool.Pool) {
	for round := range 4 {
		free := func() {}
		if round%2 != 0 {
			free = hold(t, p, p.Workers())
		} else {
			untilSleeping(t, p)
		}
		began, over := make(chan bool, 2), make(chan bool)
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(ctx context.Context, _ *pool.Worker) (int, error) {
			began <- true
			<-over
			return 7, ctx.Err()
		})
		free()
		<-began
		cancel()
		check(t, !h.Cancel(), "P20: Cancel of a job that runs returned true")
		close(over)
		n, err := h.Wait(background)
		check(t, n == 7 && err == context.Canceled && !h.Cancel() && len(began) == 0,
			"P20: a job that Cancel came too late for returned %d, %v, or it can be canceled after its end, or has begun twice", n, err)
	}
}

// doneOnce looks at the channel before and after the end, beside waits of each kind, which
// begin after it was asked for; and a job selects on it.
func doneOnce(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		h, free := held(t, p)
		done := h.Done()
		seen := watch(background)
		ended := going(func() error { _, err := wait(p, h, seen); return err })
		<-seen.waited
		check(t, h.Done() == done, "P20: two calls of Done before the end of a job returned two channels")
		select {
		case <-done:
			t.Error("P20: the channel of Done is closed, and the job has not ended")
		default:
		}
		free()
		noError(t, <-ended, "P20: of a job whose channel of Done somebody has, Wait returned")
		<-done
		<-h.Done()
		equal(t, result(t, h), 7, "P20: after Done, Wait returned")
	}
	do(t, p, func(w *pool.Worker) {
		h := submitted(t, p, func(*pool.Worker) int { return 7 })
		w.Block(func() { <-h.Done() })
		returns(t, 7, "P20: after Done, Join returned")(h.Join(w))
	})
}
