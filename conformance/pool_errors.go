package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// What RunErr, SubmitErr and SubmitAll promise of a pool without a limit.
var poolErrors = []poolCase{
	{"RunErr/results", "P1", 2, runErrResults},
	{"RunErr/nested", "P4", 1, runErrNested},
	{"RunErr/queued", "P1", 1, runErrQueued},
	{"RunErr/ended", "P1", 1, runErrEnded},
	{"SubmitErr/results", "P1", 2, submitErrResults},
	{"SubmitErr/queued", "P20", 2, submitErrQueued},
	{"SubmitErr/running", "P20", 1, submitErrRunning},
	{"SubmitErr/ended", "P20", 1, submitErrEnded},
	{"SubmitErr/canceled", "P20", 1, submitErrCanceled},
	{"SubmitErr/as_it_begins", "P20", 1, submitErrAsItBegins},
	{"SubmitErr/waited_for", "P1", 1, submitErrWaitedFor},
	{"SubmitErr/failing", "P2", 1, submitErrFailing},
	{"SubmitErr/labels", "P27", 1, submitErrLabels},
	{"SubmitAll/canceled", "P20", 1, submitAllCanceled},
	{"SubmitAll/refused", "P6", 1, submitAllRefused},
	{"Misuse", "P29", 1, handedNil},
}

// poolBatches post several jobs at once.
var poolBatches = []poolCase{
	{"SubmitAll/results", "P1", 2, submitAllResults},
	{"SubmitAll/taken_together", "P1", 4, submitAllTaken},
}

// same checks what has come back with a function's own error.
func same(r *run, what string, got int, err error, want int, wantErr error) {
	r.T.Helper()
	r.Check(got == want && err == wantErr, "P1", "%s returned %d, %v, want %d, %v", what, got, err, want, wantErr)
}

// returned are what functions return: any combination of a result and an error.
func returned() map[int]error {
	var none *thrown
	return map[int]error{
		0: &thrown{"of the function"},
		7: nil,
		8: &thrown{"beside a result"},
		9: none,
		// What the pool itself returns comes back as it is, too.
		10: pool.ErrClosed,
		11: pool.ErrCanceled,
		12: context.Canceled,
	}
}

func runErrResults(r *run, p *pool.Pool) {
	key := new(int)
	ctx, cancel := context.WithCancel(context.WithValue(background, key, 5))
	defer cancel()
	for n, want := range returned() {
		var kept context.Context
		got, err := pool.RunErr(ctx, p, func(ctx context.Context, w *pool.Worker, n int) (int, error) {
			kept = ctx
			if v, ok := pool.FromContext(ctx); !ok || v != w || ctx.Value(key) != 5 {
				r.Report("P1", "the context of a RunErr carries the worker %p, want %p, and the value %v, want 5", v, w, ctx.Value(key))
			}
			return n, want
		}, n)
		same(r, "RunErr", got, err, n, want)
		r.Check(kept.Err() == nil, "P1", "the context that RunErr has handed on has the error %v when it returns, want none", kept.Err())
	}
	value := &thrown{"a panic"}
	got := caught(func() {
		pool.RunErr(ctx, p, func(context.Context, *pool.Worker, int) (int, error) { panic(value) }, 0)
	})
	r.Check(got == any(value), "P2", "RunErr panicked with %v, want %v", got, value)
}

// runErrNested calls RunErr with the context of a RunErr: it goes on as that one's worker.
func runErrNested(r *run, p *pool.Pool) {
	failed := &thrown{"inner"}
	r.During("P4", "RunErr in a job of the only worker")
	got, err := pool.RunErr(background, p, func(ctx context.Context, outer *pool.Worker, n int) (int, error) {
		return pool.RunErr(ctx, p, func(_ context.Context, w *pool.Worker, n int) (int, error) {
			if w != outer {
				r.Report("P4", "a RunErr with the context of its job has another worker")
			}
			return n + 1, failed
		}, n)
	}, 6)
	same(r, "a RunErr in another one", got, err, 7, failed)
	fullWidth(r, p)
}

// whenQueued calls fn on a goroutine and returns when that has queued something. done is
// closed when fn has returned.
func whenQueued(r *run, p *pool.Pool, fn func()) (done chan struct{}) {
	r.T.Helper()
	done = make(chan struct{})
	queued := p.Stats().Injected
	go func() {
		defer close(done)
		fn()
	}()
	r.Until(func() bool { return p.Stats().Injected > queued })
	return done
}

func runErrQueued(r *run, p *pool.Pool) {
	failed := &thrown{"queued"}
	free := blockWorkers(r, p, 1)
	r.During("P1", "RunErr returns that has waited for the only worker")
	done := whenQueued(r, p, func() {
		got, err := pool.RunErr(background, p, func(ctx context.Context, w *pool.Worker, n int) (int, error) {
			if v, ok := pool.FromContext(ctx); !ok || v != w {
				r.Report("P1", "the context of a queued RunErr does not carry its worker")
			}
			return n, failed
		}, 7)
		if got != 7 || err != error(failed) {
			r.Report("P1", "a queued RunErr returned %d, %v, want 7, %v", got, err, failed)
		}
	})
	free()
	r.Wait(done)
}

// runErrEnded calls RunErr with a context that has ended, has one end as it is queued,
// and calls it after Close.
func runErrEnded(r *run, p *pool.Pool) {
	began := false
	fn := func(context.Context, *pool.Worker, int) (int, error) { began = true; return 7, nil }
	ctx, cancel := context.WithCancel(background)
	free := blockWorkers(r, p, 1)
	r.During("P1", "RunErr returns when its context ends while it waits for a worker")
	done := whenQueued(r, p, func() {
		if _, err := pool.RunErr(ctx, p, fn, 0); err != context.Canceled {
			r.Report("P1", "RunErr, whose context ended as it waited, returned %v, want its error", err)
		}
	})
	cancel()
	r.Wait(done)
	free()
	_, err := pool.RunErr(ctx, p, fn, 0)
	r.Check(err == context.Canceled, "P1", "RunErr with a context that has ended returned %v, want its error", err)
	r.Check(p.Close() == nil, "P6", "Close returned an error")
	_, err = pool.RunErr(background, p, fn, 0)
	r.Check(err == pool.ErrClosed && !began, "P6", "RunErr after Close returned %v, want ErrClosed, and a function has begun: %t", err, began)
}

// A job is what SubmitErr takes.
type job = func(ctx context.Context, w *pool.Worker) (int, error)

func submitErr(r *run, p *pool.Pool, ctx context.Context, fn job) *pool.Handle[int] {
	r.T.Helper()
	h, err := pool.SubmitErr(ctx, p, fn)
	r.Check(err == nil, "P1", "SubmitErr returned the error %v", err)
	return h
}

func submitErrResults(r *run, p *pool.Pool) {
	key := new(int)
	ctx, cancel := context.WithCancel(context.WithValue(background, key, 5))
	defer cancel()
	for n, want := range returned() {
		fn := func(ctx context.Context, w *pool.Worker) (int, error) {
			if v, ok := pool.FromContext(ctx); !ok || v != w || ctx.Value(key) != 5 || ctx.Err() != nil {
				r.Report("P1", "the context of a submitted job carries the worker %p, want %p, and the value %v, want 5; its error is %v", v, w, ctx.Value(key), ctx.Err())
			}
			return n, want
		}
		h := submitErr(r, p, ctx, fn)
		got, err := h.Wait(background)
		same(r, "Wait for a job of SubmitErr", got, err, n, want)
		r.Check(!h.Cancel(), "P20", "Cancel of a job that has ended returned true")
		enter(r, p, func(w *pool.Worker) int {
			got, err := submitErr(r, p, ctx, fn).Join(w)
			same(r, "Join of a job of SubmitErr", got, err, n, want)
			return 0
		})
	}
}

// A timely is a context with a deadline that passes when the test says so.
type timely struct{ context.Context }

func newTimely() (ctx context.Context, pass func()) {
	inner, pass := context.WithCancel(background)
	return timely{inner}, pass
}

func (c timely) Err() error {
	if c.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}

// withdrawn checks what has come of a job that its context has taken back.
func withdrawn(r *run, what string, h *pool.Handle[int], err error) {
	r.T.Helper()
	got, why := h.Wait(background)
	r.Check(got == 0 && why == err, "P20", "Wait for a job whose context %s before it began returned %d, %v, want none, %v", what, got, why, err)
	r.Check(h.Cancel(), "P20", "a job's context %s before it began, and Cancel returned false", what)
}

// submitErrQueued ends contexts of jobs that are queued, while waiters of each kind
// wait for one.
func submitErrQueued(r *run, p *pool.Pool) {
	var began atomic.Int32
	fn := func(context.Context, *pool.Worker) (int, error) { return int(began.Add(1)), nil }
	free := blockWorkers(r, p, p.Workers())
	ctx, cancel := context.WithCancelCause(background)
	late, pass := newTimely()
	h, stays, timely := submitErr(r, p, ctx, fn), submitErr(r, p, background, fn), submitErr(r, p, late, fn)
	done := h.Done()
	s := poolSuite{pool.New}
	other := s.start(r, 1)
	defer s.close(r, other)
	waiting, errs := make(chan struct{}), make(chan error, 2)
	go func() {
		_, err := h.Wait(background)
		errs <- err
	}()
	joins := submit(r, other, func(w *pool.Worker) int {
		close(waiting)
		_, err := h.Join(w)
		errs <- err
		return 0
	})
	r.Wait(waiting)
	harness.Pause(r.RNG)
	cancel(&thrown{"not the error of the context"})
	pass()
	r.During("P20", "all who wait for a job learn that its context has ended, while all workers are busy")
	r.Wait(done)
	await(r, joins)
	for range 2 {
		if err := <-errs; err != context.Canceled {
			r.Report("P20", "Wait or Join for a job whose context has ended returned %v, want its error", err)
		}
	}
	withdrawn(r, "ended", h, context.Canceled)
	withdrawn(r, "has passed its deadline", timely, context.DeadlineExceeded)
	free()
	got, err := stays.Wait(background)
	same(r, "Wait for the job between", got, err, 1, nil)
	fullWidth(r, p)
	r.Check(began.Load() == 1, "P20", "%d jobs of three began, and the contexts of two had ended", began.Load())
}

func submitErrRunning(r *run, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	began, free := make(chan struct{}), make(chan struct{})
	h := submitErr(r, p, ctx, func(ctx context.Context, _ *pool.Worker) (int, error) {
		close(began)
		r.Receive(free)
		return 7, ctx.Err()
	})
	r.During("P5", "a job of SubmitErr begins")
	r.Wait(began)
	cancel()
	r.Check(!h.Cancel(), "P20", "Cancel of a job that runs returned true")
	close(free)
	got, err := h.Wait(background)
	same(r, "a job whose context ended while it ran, and which returns what that says,", got, err, 7, context.Canceled)
}

// submitErrEnded submits with a context that has ended.
func submitErrEnded(r *run, p *pool.Pool) {
	began := false
	fn := func(context.Context, *pool.Worker) (int, error) { began = true; return 7, nil }
	ctx, cancel := context.WithCancelCause(background)
	cancel(&thrown{"not the error of the context"})
	h, err := pool.SubmitErr(ctx, p, fn)
	r.Check(h == nil && err == context.Canceled, "P20", "SubmitErr with a context that has ended returned %v, want its error", err)
	r.Check(p.Close() == nil, "P6", "Close returned an error")
	h, err = pool.SubmitErr(background, p, fn)
	r.Check(h == nil && err == pool.ErrClosed && !began, "P6", "SubmitErr after Close returned %v, want ErrClosed, and a function has begun: %t", err, began)
}

// submitErrCanceled has Cancel and the end of the context take the same jobs back.
func submitErrCanceled(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, 1)
	r.Rounds(10, func(int) {
		ctx, cancel := context.WithCancel(background)
		h := submitErr(r, p, ctx, func(context.Context, *pool.Worker) (int, error) {
			r.Report("P20", "a job began that was taken back")
			return 7, nil
		})
		r.During("P20", "Wait returns for a job that Cancel and its context take back")
		r.Together(cancel, func() {
			if !h.Cancel() {
				r.Report("P20", "Cancel of a job that waits for a worker returned false")
			}
		})
		_, err := h.Wait(background)
		r.Check(err == context.Canceled || err == pool.ErrCanceled, "P20", "Wait for a job that was canceled and whose context has ended returned %v", err)
	})
	free()
}

// A lagging context has ended, and those who wait for that have not heard of it: as if
// what its end starts were preempted.
type lagging struct {
	context.Context
	ended atomic.Bool
}

func (c *lagging) Err() error {
	if c.ended.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

// submitErrAsItBegins ends the contexts of two jobs that are queued, of which the pool
// hears only when it has taken them.
func submitErrAsItBegins(r *run, p *pool.Pool) {
	inner, heard := context.WithCancel(background)
	defer heard()
	ctx := &lagging{Context: inner}
	free := blockWorkers(r, p, 1)
	h := submitErr(r, p, ctx, func(context.Context, *pool.Worker) (int, error) {
		r.Report("P20", "a job of SubmitErr began whose context had ended")
		return 7, nil
	})
	done := whenQueued(r, p, func() {
		_, err := pool.Run(ctx, p, func(*pool.Worker, int) int {
			r.Report("P1", "the function of a Run began, and its context had ended")
			return 7
		}, 0)
		if err != context.Canceled {
			r.Report("P1", "Run, whose context ended as it waited, returned %v, want its error", err)
		}
	})
	ctx.ended.Store(true)
	free()
	withdrawn(r, "ended", h, context.Canceled)
	r.During("P1", "Run returns whose context ended as it waited")
	r.Wait(done)
}

// submitErrWaitedFor waits for a job since before it began, and its context never ends.
// The handle keeps its waiters and what its context would start in one list.
func submitErrWaitedFor(r *run, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	free := blockWorkers(r, p, 1)
	h := submitErr(r, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
	seen, done := watch(background), make(chan struct{})
	go func() {
		defer close(done)
		if n, err := h.Wait(seen); n != 7 || err != nil {
			r.Report("P1", "Wait for a job of SubmitErr returned %d, %v, want 7", n, err)
		}
	}()
	r.During("P1", "Wait waits for a job of SubmitErr that is queued")
	r.Wait(seen.waited)
	free()
	r.During("P1", "Wait returns for a job of SubmitErr that has ended since")
	r.Wait(done)
}

// submitErrFailing has jobs panic and exit.
func submitErrFailing(r *run, p *pool.Pool) {
	value := &thrown{"a panic"}
	_, err := submitErr(r, p, background, func(context.Context, *pool.Worker) (int, error) { return raiseIt(value), nil }).Wait(background)
	failed(r, "Wait for a job of SubmitErr that panicked", err, value)
	_, err = submitErr(r, p, background, func(_ context.Context, w *pool.Worker) (int, error) {
		pool.Fork(w, func(*pool.Worker, int) int { return raiseIt(value) }, 0)
		return 0, &thrown{"an error, and then a fork that is not joined panics"}
	}).Wait(background)
	failed(r, "Wait for a job of SubmitErr whose fork panicked", err, value)
	fullWidth(r, p)
}

// submitErrLabels looks for the labels of the context on the job's goroutine.
func submitErrLabels(r *run, p *pool.Pool) {
	ctx, labelled := labels("submitted")
	had, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { return labelled(), nil })
	r.Check(err == nil, "P1", "SubmitErr returned the error %v", err)
	r.Check(await(r, had) == 1, "P27", "a job of SubmitErr does not have the labels of its context")
	r.Check(await(r, submit(r, p, func(*pool.Worker) int { return labelled() })) == 0, "P27", "the labels of the context of a job of SubmitErr that has ended are those of a goroutine of the pool")
	for how, end := range map[string]func(){"panicked": func() { panic(&thrown{"of a job"}) }, "called Goexit": runtime.Goexit} {
		// The jobs are queued, so the goroutine of one goes on with the next.
		began, free := make(chan struct{}), make(chan struct{})
		busy := submit(r, p, func(*pool.Worker) int { close(began); r.Receive(free); return 0 })
		r.Wait(began)
		failed, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { end(); return 0, nil })
		r.Check(err == nil, "P1", "SubmitErr returned the error %v", err)
		next := submit(r, p, func(*pool.Worker) int { return labelled() })
		close(free)
		await(r, busy)
		_, err = failed.Wait(background)
		r.Check(err != nil, "P2", "Wait for a job that has %s returned no error", how)
		r.Check(await(r, next) == 0, "P27", "the labels of the context of a job of SubmitErr that has %s are those of a goroutine of the pool", how)
	}
}

// numbered are functions that return their places.
func numbered(n int, ran *atomic.Int32) (fns []func(*pool.Worker) int) {
	for i := range n {
		fns = append(fns, func(*pool.Worker) int { ran.Add(1); return i })
	}
	return fns
}

func submitAll(r *run, p *pool.Pool, fns []func(*pool.Worker) int) []*pool.Handle[int] {
	r.T.Helper()
	all, err := pool.SubmitAll(p, fns)
	r.Check(err == nil && len(all) == len(fns), "P1", "SubmitAll of %d functions returned %d handles, %v", len(fns), len(all), err)
	return all
}

func submitAllResults(r *run, p *pool.Pool) {
	for _, n := range []int{0, 1, 2, 50} {
		var ran atomic.Int32
		for i, h := range submitAll(r, p, numbered(n, &ran)) {
			got := await(r, h)
			r.Check(got == i, "P1", "job %d of %d of SubmitAll returned %d, want its place", i, n, got)
		}
		r.Check(int(ran.Load()) == n, "P1", "of %d jobs of SubmitAll %d ran", n, ran.Load())
	}
	r.During("P1", "SubmitAll in a job")
	enter(r, p, func(w *pool.Worker) int {
		var ran atomic.Int32
		for i, h := range submitAll(r, p, numbered(10, &ran)) {
			got, err := h.Join(w)
			same(r, "Join of a job of SubmitAll", got, err, i, nil)
		}
		return 0
	})
}

// submitAllTaken has as many jobs as workers, which sleep, wait for each other.
func submitAllTaken(r *run, p *pool.Pool) {
	r.Rounds(5, func(int) {
		var missing atomic.Int32
		missing.Store(int32(p.Workers()))
		all := make(chan struct{})
		var fns []func(*pool.Worker) int
		for range p.Workers() {
			fns = append(fns, func(*pool.Worker) int {
				if missing.Add(-1) == 0 {
					close(all)
				}
				r.Receive(all)
				return 0
			})
		}
		r.During("P5", "as many jobs of one SubmitAll run at once as there are workers")
		for _, h := range submitAll(r, p, fns) {
			await(r, h)
		}
	})
}

func submitAllCanceled(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, 1)
	var ran atomic.Int32
	all := submitAll(r, p, numbered(20, &ran))
	r.Check(all[7].Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	free()
	for i, h := range all {
		got, err := h.Wait(background)
		if i == 7 {
			canceled(r, "Wait", err)
			continue
		}
		same(r, "Wait for a job beside one that was canceled", got, err, i, nil)
	}
	r.Check(ran.Load() == 19, "P20", "of 20 jobs of SubmitAll, one of which was canceled, %d ran", ran.Load())
}

// submitAllRefused hands a nil function over, and then functions to a closed pool.
func submitAllRefused(r *run, p *pool.Pool) {
	var ran atomic.Int32
	fns := numbered(5, &ran)
	fns[3] = nil
	complains(r, "P29", "SubmitAll with a nil function", func() { pool.SubmitAll(p, fns) })
	fullWidth(r, p)
	r.Check(p.Close() == nil, "P6", "Close returned an error")
	for _, n := range []int{0, 5} {
		all, err := pool.SubmitAll(p, numbered(n, &ran))
		r.Check(all == nil && err == pool.ErrClosed, "P6", "SubmitAll of %d functions after Close returned %d handles, %v, want ErrClosed", n, len(all), err)
	}
	r.Check(p.Close() == nil, "P6", "Close returned an error after submissions were refused")
	r.Check(ran.Load() == 0, "P6", "%d jobs ran that were refused", ran.Load())
}

// handedNil hands nil over wherever a function or a context is wanted.
func handedNil(r *run, p *pool.Pool) {
	var none context.Context
	fn := func(context.Context, *pool.Worker) (int, error) { return 0, nil }
	for what, call := range map[string]func(){
		"Run with a nil context":         func() { pool.Run(none, p, fib, 1) },
		"Run of a nil function":          func() { pool.Run[int, int](background, p, nil, 1) },
		"RunErr with a nil context":      func() { pool.RunErr(none, p, runErr, 1) },
		"RunErr of a nil function":       func() { pool.RunErr[int, int](background, p, nil, 1) },
		"Submit of a nil function":       func() { pool.Submit[int](p, nil) },
		"Go of a nil function":           func() { pool.Go(p, nil) },
		"SubmitErr with a nil context":   func() { pool.SubmitErr(none, p, fn) },
		"SubmitErr of a nil function":    func() { pool.SubmitErr[int](background, p, nil) },
		"Shutdown with a nil context":    func() { p.Shutdown(none) },
		"NewContext with a nil context":  func() { pool.NewContext(none, nil) },
		"FromContext with a nil context": func() { pool.FromContext(none) },
	} {
		complains(r, "P29", what, call)
	}
	h := submit(r, p, func(*pool.Worker) int { return 7 })
	complains(r, "P29", "Wait with a nil context", func() { h.Wait(none) })
	r.Check(await(r, h) == 7, "P1", "a job for which somebody has waited with a nil context returned a wrong result")
	fullWidth(r, p)
	s := poolSuite{pool.New}
	for _, n := range []int{0, -1} {
		q, err := s.new(pool.WithQueueLimit(n))
		want := fmt.Sprintf("WithQueueLimit(%d)", n)
		r.Check(q == nil && err != nil && strings.Contains(err.Error(), want), "P29", "New with a queue limit of %d returned %v, want an error that names %s", n, err, want)
	}
	r.Check(errors.Is(pool.ErrCanceled, context.Canceled), "P20", "ErrCanceled is not context.Canceled")
}

func runErr(context.Context, *pool.Worker, int) (int, error) { return 0, nil }
