package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A poolCase is a test of a rule, on a pool that is made for it.
type poolCase struct {
	name, rule string
	run        func(t *testing.T, p *pool.Pool)
}

// eachCase runs each test on pools of so many workers, and sees that none is lost.
func eachCase(t *testing.T, cases []poolCase, workers ...int) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range workers {
				subtest(t, fmt.Sprintf("workers=%d", n), c.rule, "the calls and the jobs of the test", func(t *testing.T) {
					p := newPool(t, pool.WithWorkers(n))
					c.run(t, p)
					if _, err := pool.Submit(p, func(*pool.Worker) int { return 0 }); err == nil {
						meet(t, p)
					}
				})
			}
		})
	}
}

// check ends a test that fails. For the test's goroutine.
func check(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Fatalf(format, args...)
	}
}

// enter calls fn as a job.
func enter[R any](t testing.TB, p *pool.Pool, fn func(w *pool.Worker) R) R {
	t.Helper()
	return mustRun(t, p, func(w *pool.Worker, _ int) R { return fn(w) }, 0)
}

// result waits for a job that returns.
func result[R any](t testing.TB, h *pool.Handle[R]) R {
	t.Helper()
	n, err := h.Wait(background)
	check(t, err == nil, "P1: Wait returned the error %v", err)
	return n
}

// A thrown is an error, or a value to panic with, that is equal to no other.
type thrown struct{ what string }

func (e *thrown) Error() string { return e.what }

// hold has n workers busy until free is called.
func hold(t testing.TB, p *pool.Pool, n int) (free func()) {
	t.Helper()
	release := make(chan bool)
	var held []*pool.Handle[bool]
	for range n {
		begun := make(chan bool)
		held = append(held, submitted(t, p, func(*pool.Worker) bool { close(begun); return <-release }))
		<-begun
	}
	return func() {
		close(release)
		for _, h := range held {
			result(t, h)
		}
	}
}

// queued calls fn on a goroutine, and returns when that has queued something. done is closed
// when fn has returned.
func queued(t testing.TB, p *pool.Pool, fn func()) (done chan bool) {
	t.Helper()
	done = make(chan bool)
	before := p.Stats().Injected
	go func() { defer close(done); fn() }()
	until(t, "something is queued", func() bool { return p.Stats().Injected > before })
	return done
}

// together calls the functions on goroutines that start as close together as can be.
func together(fns ...func()) {
	var ready atomic.Int32
	var all sync.WaitGroup
	for _, fn := range fns {
		all.Go(func() {
			for ready.Add(1); ready.Load() < int32(len(fns)); {
				runtime.Gosched()
			}
			fn()
		})
	}
	all.Wait()
}

// A noticing context closes waited when its end is first waited for. A wait for a job asks for that
// when it is on the list of the job's waiters, and a wait for room when it has its place.
type noticing struct {
	context.Context
	once   *sync.Once
	waited chan bool
}

func watch(ctx context.Context) noticing { return noticing{ctx, new(sync.Once), make(chan bool)} }

func (c noticing) Done() <-chan struct{} {
	c.once.Do(func() { close(c.waited) })
	return c.Context.Done()
}

// A timely context has a deadline that passes when the test says so.
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

// ended is a context that has.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(background)
	cancel()
	return ctx
}()

// numbered are functions that return their places.
func numbered(n int, ran *atomic.Int32) (fns []func(*pool.Worker) int) {
	for i := range n {
		fns = append(fns, func(*pool.Worker) int { ran.Add(1); return i })
	}
	return fns
}

func submittedAll(t testing.TB, p *pool.Pool, fns []func(*pool.Worker) int) []*pool.Handle[int] {
	t.Helper()
	all, err := pool.SubmitAll(p, fns)
	check(t, err == nil && len(all) == len(fns), "P1: SubmitAll of %d functions returned %d handles, %v", len(fns), len(all), err)
	return all
}

func submittedErr(t testing.TB, p *pool.Pool, ctx context.Context, fn func(context.Context, *pool.Worker) (int, error)) *pool.Handle[int] {
	t.Helper()
	h, err := pool.SubmitErr(ctx, p, fn)
	check(t, err == nil, "P1: SubmitErr returned the error %v", err)
	return h
}
