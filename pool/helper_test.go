package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

var background = context.Background()

// check ends a test that fails. For the test's goroutine.
func check(t testing.TB, ok bool, format string, args ...any) {
	if !ok {
		t.Helper()
		t.Fatalf(format, args...)
	}
}

// expect notes what is wrong. For any goroutine, also that of a job.
func expect(t testing.TB, ok bool, format string, args ...any) {
	if !ok {
		t.Helper()
		t.Errorf(format, args...)
	}
}

// equal compares. The format says what got is.
func equal[T comparable](t testing.TB, got, want T, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Errorf("%s %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// returns takes what a call returns, which is to have no error. The format says what call.
func returns[R comparable](t testing.TB, want R, format string, args ...any) func(R, error) {
	return func(got R, err error) {
		if got != want || err != nil {
			t.Helper()
			t.Errorf("%s %v and the error %v, want %v", fmt.Sprintf(format, args...), got, err, want)
		}
	}
}

// fails takes what a call returns, which is to have this error.
func fails(t testing.TB, want error, format string, args ...any) func(any, error) {
	return func(_ any, err error) { t.Helper(); equal(t, err, want, format, args...) }
}

func noError(t testing.TB, err error, format string, args ...any) {
	t.Helper()
	equal(t, err, nil, format, args...)
}

// says checks an output. If it does not say something, what is promised is broken.
func says(t testing.TB, promise, text string, wants ...string) {
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Helper()
			t.Errorf("%s: %q is not said by:\n%s", promise, want, text)
		}
	}
}

// newPool makes a pool that is closed at the end of the test.
func newPool(t testing.TB, opts ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(opts...)
	check(t, err == nil, "P29: New returned the error %v", err)
	watched.Store(weak.Make(p), nil)
	t.Cleanup(func() {
		if hung.Load() {
			return // and so would Close
		}
		defer watched.Delete(weak.Make(p))
		during(t, "P6", "Close returns after the test's last job", func() { noError(t, p.Close(), "P6: Close returned") })
		nobodyIn(t, p)
	})
	return p
}

// nobodyIn checks what Stats says of a pool that has been closed. So each test shows that whatever its
// jobs have done is counted back.
func nobodyIn(t testing.TB, p *pool.Pool) {
	t.Helper()
	s := p.Stats()
	expect(t, s.Queued|s.Running|s.RunningSeatless|s.Waiting|s.Blocked|s.Sleeping == 0 && s.Submitted == s.Ended,
		"P26: no job is left, and Stats says %+v", s)
}

// poolOf makes a pool of so many workers.
func poolOf(t testing.TB, n int) *pool.Pool {
	t.Helper()
	return asleep(t, newPool(t, pool.WithWorkers(n)))
}

// asleep waits until all workers of a new pool sleep, so that the next Run
// borrows a seat.
func asleep(t testing.TB, p *pool.Pool) *pool.Pool {
	t.Helper()
	during(t, "S7", "the workers of a new pool sleep", func() {
		until(t, "all workers sleep", func() bool { return p.Stats().Parks >= uint64(p.Workers()) })
	})
	return p
}

// untilSleeping waits until all workers of a pool sleep again.
func untilSleeping(t testing.TB, p *pool.Pool) {
	t.Helper()
	during(t, "S7", "the workers sleep after the last job", func() {
		until(t, "all workers sleep", func() bool { return p.Sleeping() == p.Workers() })
	})
}

// mustRun is Run where no error can be.
func mustRun[A, R any](t testing.TB, p *pool.Pool, fn func(*pool.Worker, A) R, arg A) R {
	t.Helper()
	r, err := pool.Run(background, p, fn, arg)
	check(t, err == nil, "P1: Run returned the error %v", err)
	return r
}

// enter calls fn as a job, and do one without a result.
func enter[R any](t testing.TB, p *pool.Pool, fn func(w *pool.Worker) R) R {
	t.Helper()
	return mustRun(t, p, func(w *pool.Worker, _ int) R { return fn(w) }, 0)
}

func do(t testing.TB, p *pool.Pool, fn func(w *pool.Worker)) {
	t.Helper()
	enter(t, p, func(w *pool.Worker) int { fn(w); return 0 })
}

// submitted is Submit that cannot fail; so are the next two.
func submitted[R any](t testing.TB, p *pool.Pool, fn func(*pool.Worker) R) *pool.Handle[R] {
	t.Helper()
	h, err := pool.Submit(p, fn)
	check(t, err == nil, "P1: Submit returned the error %v", err)
	return h
}

func submittedErr(t testing.TB, p *pool.Pool, ctx context.Context, fn fallible) *pool.Handle[int] {
	t.Helper()
	h, err := pool.SubmitErr(ctx, p, fn)
	check(t, err == nil, "P1: SubmitErr returned the error %v", err)
	return h
}

// nothing is a job.
func nothing(*pool.Worker) int { return 0 }

// result waits for a job that returns.
func result[R any](t testing.TB, h *pool.Handle[R]) R {
	t.Helper()
	n, err := h.Wait(background)
	check(t, err == nil, "P1: Wait returned the error %v", err)
	return n
}

// held submits a job, which has begun, and returns 7 when it is released.
func held(t testing.TB, p *pool.Pool) (h *pool.Handle[int], release func()) {
	t.Helper()
	begun, gate := make(chan bool), make(chan bool)
	h = submitted(t, p, func(*pool.Worker) int { close(begun); <-gate; return 7 })
	<-begun
	release = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	return h, release
}

// hold has n workers busy until free is called. Queued jobs do not begin beside these.
func hold(t testing.TB, p *pool.Pool, n int) (free func()) {
	t.Helper()
	p.LeaveQueue()
	frees, handles := make([]func(), n), make([]*pool.Handle[int], n)
	for i := range n {
		handles[i], frees[i] = held(t, p)
	}
	return func() {
		for _, free := range frees {
			free()
		}
		give(t, 7, handles, "P1: a job that was held returned")
	}
}

// queued calls fn on a goroutine, and returns when that has queued something, or has ended. done is
// closed when fn has returned.
func queued(t testing.TB, p *pool.Pool, fn func()) (done chan bool) {
	t.Helper()
	done = make(chan bool)
	before := p.Stats().Injected
	go func() { defer close(done); fn() }()
	until(t, "something is queued, or has ended", func() bool {
		select {
		case <-done:
			return true
		default:
			return p.Stats().Injected > before
		}
	})
	return done
}

// whileBusy calls fn while jobs have all workers. They end when it has ended, as a Run does, which is a
// guest then, or when it has queued something.
func whileBusy(t testing.TB, p *pool.Pool, fn func()) {
	t.Helper()
	free := hold(t, p, p.Workers())
	done := queued(t, p, fn)
	free()
	<-done
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

// fork is Fork for a function without an argument.
func fork[R any](w *pool.Worker, fn func(w *pool.Worker) R) pool.Forked[int, R] {
	return pool.Fork(w, func(w *pool.Worker, _ int) R { return fn(w) }, 0)
}

// stolen forks fn and returns when another worker has begun it. The pool must
// have another one.
func stolen[R any](t testing.TB, w *pool.Worker, fn func(*pool.Worker) R) pool.Forked[int, R] {
	t.Helper()
	var begun atomic.Bool
	f := fork(w, func(w *pool.Worker) R { begun.Store(true); return fn(w) })
	untilStolen(t, w, &begun)
	return f
}

func untilStolen(t testing.TB, w *pool.Worker, begun *atomic.Bool) {
	until(t, "a fork is stolen", func() bool {
		if !begun.Load() {
			fork(w, nothing).Join(w) // a worker publishes when it forks
		}
		return begun.Load()
	})
}

// joinAll joins forks, the newest first, and adds up what they give.
func joinAll(w *pool.Worker, forks []pool.Forked[int, int]) (sum int) {
	for _, f := range slices.Backward(forks) {
		sum += f.Join(w)
	}
	return sum
}

// scopeOf runs fn as the only job of a scope, scopeOfMany as each of n jobs.
func scopeOf(w *pool.Worker, fn func(w *pool.Worker)) { scopeOfMany(w, 1, fn) }

// runInJob calls Run in a job, as its worker.
func runInJob(w *pool.Worker, fn func(w *pool.Worker) int) int {
	n, _ := pool.Run(pool.NewContext(background, w), w.Pool(), func(w *pool.Worker, _ int) int { return fn(w) }, 0)
	return n
}

// A thrown is an error, or a value to panic with, that is equal to no other.
type thrown struct{ what string }

func (e *thrown) Error() string { return e.what }

var errBoom = errors.New("boom")

// Functions whose names must be found in a stack.

//go:noinline
func raiser(*pool.Worker) int { panic(errBoom) }

//go:noinline
func raiseIt(value any) int { panic(value) }

//go:noinline
func raiseAnother(value any) int { panic(value) }

func exiter(*pool.Worker) int { runtime.Goexit(); return 0 }

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// wantPanic fails unless f panics with what says so. Then what is promised is broken.
func wantPanic(t testing.TB, promise, want string, f func()) {
	t.Helper()
	v := recovered(f)
	expect(t, v != nil && strings.Contains(fmt.Sprint(v), want), "%s: panic %v, want one that says %q", promise, v, want)
}

// An end is how a call ended.
type end struct {
	how   string // "returned", "panicked" or "exited"
	value any    // what it panicked with
	stack string // as the one who recovers can print it
}

// endOf calls f on a goroutine of its own. It tells a panic(nil) from the rest.
func endOf(f func()) end {
	e := end{how: "exited"}
	done := make(chan bool)
	go func() {
		defer close(done)
		returned := false
		func() {
			defer func() {
				if !returned {
					e.value, e.stack = recover(), string(debug.Stack())
				}
			}()
			f()
			returned = true
		}()
		// A Goexit does not come here.
		if e.how = "panicked"; returned {
			e.how = "returned"
		}
	}()
	<-done
	return e
}

// ended is a context that has.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(background)
	cancel()
	return ctx
}()

type contextKey struct{}

// A noticing context closes waited when its end is first waited for. A wait for a job does that when it
// is on the list of the job's waiters, and a wait for room when it has its place.
type noticing struct {
	context.Context
	once   sync.Once
	waited chan bool
}

func watch(ctx context.Context) *noticing { return &noticing{Context: ctx, waited: make(chan bool)} }

func (c *noticing) Done() <-chan struct{} {
	c.once.Do(func() { close(c.waited) })
	return c.Context.Done()
}

// eachMode runs a test, under the watchdog, on pools that differ in what a fork
// does.
func eachMode(t *testing.T, rule, what string, f func(t *testing.T, p *pool.Pool)) {
	t.Helper()
	for _, m := range []struct {
		name string
		opts []pool.Option
	}{
		{"workers=1", []pool.Option{pool.WithWorkers(1)}},
		{"workers=4", []pool.Option{pool.WithWorkers(4)}},
		{"workers=4/eager", []pool.Option{pool.WithWorkers(4), pool.WithEagerPublish()}},
	} {
		subtest(t, m.name, rule, what, func(t *testing.T) { f(t, newPool(t, m.opts...)) })
	}
}

// A poolCase is a test of a rule, on a pool that is made for it.
type poolCase struct {
	name, rule string
	run        func(t *testing.T, p *pool.Pool)
}

// eachCase runs each test on pools of so many workers, and sees that none is lost.
func eachCase(t *testing.T, cases []poolCase, sizes ...int) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range sizes {
				subtest(t, fmt.Sprintf("workers=%d", n), c.rule, "the calls and the jobs of the test", func(t *testing.T) {
					p := poolOf(t, n)
					c.run(t, p)
					if _, err := pool.Submit(p, nothing); err == nil {
						meet(t, p)
					}
				})
			}
		})
	}
}

// submittedTimes submits fn n times, one after the other.
func submittedTimes[R any](t testing.TB, p *pool.Pool, n int, fn func(*pool.Worker) R) (all []*pool.Handle[R]) {
	t.Helper()
	for range n {
		all = append(all, submitted(t, p, fn))
	}
	return all
}

// give waits for jobs, each of which is to return want.
func give[R comparable](t testing.TB, want R, all []*pool.Handle[R], format string, args ...any) {
	t.Helper()
	for _, h := range all {
		equal(t, result(t, h), want, format, args...)
	}
}

// meet runs as many jobs as there are workers, each of which waits for all.
func meet(t testing.TB, p *pool.Pool) {
	var met atomic.Int32
	give(t, 0, submittedTimes(t, p, p.Workers(), func(*pool.Worker) int {
		met.Add(1)
		until(t, "all workers have met", func() bool { return int(met.Load()) == p.Workers() })
		return 0
	}), "P1: one of the jobs that meet returned")
}

// going calls fn on a goroutine. It returns what receives the error.
func going(fn func() error) (err chan error) {
	err = make(chan error, 1)
	go func() { err <- fn() }()
	return err
}

func scopeOfMany(w *pool.Worker, n int, fn func(w *pool.Worker)) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range n {
			s.Spawn(w, fn)
		}
	})
}

// inJob calls f, under the watchdog, as a job of a pool of so many workers.
func inJob(t *testing.T, workers int, rule, what string, f func(p *pool.Pool, w *pool.Worker)) {
	t.Helper()
	p := poolOf(t, workers)
	during(t, rule, what, func() { do(t, p, func(w *pool.Worker) { f(p, w) }) })
}

// runHere runs fn by package loops.
func runHere[A, R any](p *pool.Pool, fn func(w *pool.Worker, arg A) R, arg A) (result R, err error) {
	err = loops.Run(p, jobHere(func(w *pool.Worker) { result = fn(w, arg) }))
	return result, err
}

type jobHere func(w *pool.Worker)

func (f jobHere) Run(w *pool.Worker) { f(w) }
