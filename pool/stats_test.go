package pool_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// notLess checks that no count has gone down.
func notLess(t *testing.T, last, now pool.Stats) {
	was, is := reflect.ValueOf(last), reflect.ValueOf(now)
	for i := range was.NumField() {
		if f := was.Field(i); f.CanUint() {
			expect(t, is.Field(i).Uint() >= f.Uint(), "P26: a count of %+v went down since %+v", now, last)
		}
	}
}

// jobCounts are what Stats counts of jobs from outside, and of calls of Run inside.
type jobCounts struct{ submitted, refused, canceled uint64 }

// beginEach has fn begin in each way that there is, 10 times in all.
func beginEach(t *testing.T, p *pool.Pool, fn func(w *pool.Worker) int) {
	withContext := func(_ context.Context, w *pool.Worker) (int, error) { return fn(w), nil }
	for _, call := range []func(){
		func() { enter(t, p, fn) },
		func() { byRunErr(background, p, withContext) },
		func() { runHere(p, func(w *pool.Worker, _ int) int { return fn(w) }, 0) },
		func() {
			pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, _ *pool.Group) error { fn(w); return nil })
		},
	} {
		endOf(call) // it may panic, or exit
	}
	bySubmitErr(background, p, withContext)
	for _, h := range submittedTimes(t, p, 4, fn) {
		h.Wait(background)
	}
	ended := make(chan bool)
	noError(t, pool.Go(p, func(w *pool.Worker) { defer close(ended); fn(w) }), "P1: Go returned")
	<-ended
}

// If this fails, a dashboard shows jobs that have ended as if they were in the pool, or misses jobs.
func TestStatsOfJobs(t *testing.T) {
	eachWay := func(times uint64, fn func(w *pool.Worker, other *pool.Pool) int) func(t *testing.T, p, other *pool.Pool) jobCounts {
		return func(t *testing.T, p, other *pool.Pool) jobCounts {
			beginEach(t, p, func(w *pool.Worker) int { return fn(w, other) })
			return jobCounts{submitted: 10 * times}
		}
	}
	for name, run := range map[string]func(t *testing.T, p, other *pool.Pool) jobCounts{
		"returns":       eachWay(1, func(w *pool.Worker, _ *pool.Pool) int { return 0 }),
		"panics":        eachWay(1, func(w *pool.Worker, _ *pool.Pool) int { return raiser(w) }),
		"exits":         eachWay(1, func(w *pool.Worker, _ *pool.Pool) int { return exiter(w) }),
		"blocks":        eachWay(1, func(w *pool.Worker, _ *pool.Pool) int { w.Block(func() {}); return 0 }),
		"runs inside":   eachWay(2, func(w *pool.Worker, _ *pool.Pool) int { return runInJob(w, nothing) }),
		"panics inside": eachWay(2, func(w *pool.Worker, _ *pool.Pool) int { return runInJob(w, raiser) }),
		"runs inside, on another pool": eachWay(2, func(w *pool.Worker, other *pool.Pool) int {
			return enter(t, other, func(*pool.Worker) int { return enter(t, w.Pool(), nothing) })
		}),
		"joins": eachWay(2, func(w *pool.Worker, _ *pool.Pool) int {
			n, _ := submitted(t, w.Pool(), nothing).Join(w)
			return n
		}),
		"canceled": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			submitted(t, p, never(t)).Cancel()
			runs := submitted(t, p, nothing)
			free()
			result(t, runs)
			expect(t, !runs.Cancel(), "P20: a job was taken back that had ended")
			return jobCounts{submitted: uint64(p.Workers()) + 2, canceled: 1}
		},
		"context ends": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			ctx, cancel := context.WithCancel(background)
			fn := func(_ context.Context, w *pool.Worker) (int, error) { return never(t)(w), nil }
			submittedErr(t, p, ctx, fn)
			done := queued(t, p, func() { bySubmitErr(ctx, p, fn) })
			cancel()
			<-done
			byRun(ctx, p, fn) // which is not asked of the pool
			free()
			return jobCounts{submitted: uint64(p.Workers()) + 2, canceled: 2}
		},
		"context has ended, and does not say so": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			ctx := &lagging{Context: background}
			free := hold(t, p, p.Workers())
			h := submittedErr(t, p, ctx, func(_ context.Context, w *pool.Worker) (int, error) { return never(t)(w), nil })
			ctx.ended.Store(true)
			free()
			fails(t, context.Canceled, "P20: a job whose context has ended returned")(h.Wait(background))
			return jobCounts{submitted: uint64(p.Workers()) + 1, canceled: 1}
		},
		"closed": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			noError(t, p.Close(), "P6: Close returned")
			refuses(t, p)
			fails(t, pool.ErrClosed, "P6: Run of a closed pool returned")(byRun(background, p, nil))
			fails(t, pool.ErrClosed, "P6: loops.Run of a closed pool returned")(runHere(p, fib, 1))
			return jobCounts{submitted: 5, refused: 5}
		},
		"shut down": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			submittedTimes(t, p, 2, never(t))
			submitted(t, p, never(t))
			noError(t, pool.Go(p, func(w *pool.Worker) { never(t)(w) }), "P7: Go returned")
			equal(t, p.Shutdown(ended), ended.Err(), "P25: Shutdown returned")
			free()
			return jobCounts{submitted: uint64(p.Workers()) + 4, canceled: 4}
		},
		"shut down when a worker has taken it": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			p.Abandon()
			untilSleeping(t, p) // so a seat begins the job at once
			fails(t, pool.ErrCanceled, "P25: a job of a pool that was shut down returned")(submitted(t, p, never(t)).Wait(background))
			untilSleeping(t, p)
			noError(t, pool.Go(p, func(w *pool.Worker) { never(t)(w) }), "P7: Go returned")
			return jobCounts{submitted: 2, canceled: 2}
		},
	} {
		for _, limit := range []int{0, 40} {
			for _, workers := range []int{1, 3} {
				subtest(t, fmt.Sprintf("%s/limit=%d/workers=%d", name, limit, workers), "P26", "jobs end that Stats counts", func(t *testing.T) {
					opts := []pool.Option{pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) {})}
					if limit > 0 {
						opts = append(opts, pool.WithQueueLimit(limit))
					}
					p := newPool(t, opts...)
					want := run(t, p, newPool(t, opts...))
					noError(t, p.Close(), "P6: Close returned")
					nobodyIn(t, p)
					s := p.Stats()
					equal(t, jobCounts{s.Submitted, s.Refused, s.Canceled}, want, "P26: Stats counts as submitted, refused and canceled")
				})
			}
		}
	}
}
