package pool

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api"
)

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

// open makes a pool that is closed at the end of the test.
func open(t testing.TB, opts ...Option) *Pool {
	t.Helper()
	p, err := New(opts...)
	check(t, err == nil, "P29: New returned the error %v", err)
	t.Cleanup(func() { mustClose(t, p) })
	return p
}

func mustClose(t testing.TB, p *Pool) {
	t.Helper()
	err := p.Close()
	expect(t, err == nil, "P6: Close returned the error %v", err)
}

// do calls fn as a job.
func do(t testing.TB, p *Pool, fn func(w *Worker)) {
	t.Helper()
	_, err := Run(context.Background(), p, func(w *Worker, _ int) int { fn(w); return 0 }, 0)
	expect(t, err == nil, "P1: Run returned the error %v", err)
}

// onlyWorker calls body in a job of a new pool with one worker, and returns the pool, closed.
func onlyWorker(t testing.TB, body func(p *Pool, w *Worker)) *Pool {
	t.Helper()
	p := open(t, WithWorkers(1))
	untilAllSleep(p) // or Run would be a guest
	do(t, p, func(w *Worker) { body(p, w) })
	mustClose(t, p)
	return p
}

// submit is Submit that cannot fail.
func submit[R any](t testing.TB, p *Pool, fn func(*Worker) R) *Handle[R] {
	t.Helper()
	h, err := Submit(p, fn)
	expect(t, err == nil, "P1: Submit returned the error %v", err)
	return h
}

// result waits for a job that returns.
func result[R any](t testing.TB, h *Handle[R]) R {
	t.Helper()
	r, err := h.Wait(context.Background())
	expect(t, err == nil, "P1: Wait returned the error %v", err)
	return r
}

func leaf(*Worker, int) int { return 0 }

// A bystander is a sleep backend that wakes nobody and counts the posts.
type bystander struct {
	api.Sleep
	inactive, posts int
	looking         int // of those that are inactive
}

func (b *bystander) Counts() (inactive, sleeping int) { return b.inactive, b.inactive - b.looking }
func (b *bystander) Post(int, bool)                   { b.posts++ }
func (b *bystander) StartLooking(worker int) api.Idle { return api.Idle{Worker: worker} }
func (b *bystander) Found(*api.Idle)                  {}

// A lone worker is the only one of its pool that does anything, driven by hand and without
// goroutines: the others sleep, by what the backend says, and a thief is a call of steal.
type lone struct {
	*Worker
	sleep *bystander
	t     *testing.T
}

func newLone(t *testing.T, workers int) lone {
	s := &bystander{inactive: workers - 1}
	p := &Pool{inbox: inbox{queue: endless{newInjector()}}, sleep: sleep{Sleep: s}, guests: guests{newDeque: defaultDeque}}
	p.inbox.direct.pool = p
	p.guests.blocks.Store(new([]*block))
	for i := range workers {
		p.seats = append(p.seats, p.newSeat(i))
		p.seats[i].occupant.Store(newWorker(p))
	}
	p.enter(1)
	return lone{p.seats[0].worker(), s, t}
}

func (l lone) fork() Forked[int, int] {
	return Fork(l.Worker, func(_ *Worker, n int) int { return n }, 7)
}

func (l lone) many(forks int) (all []Forked[int, int]) {
	for range forks {
		all = append(all, l.fork())
	}
	return all
}

func (l lone) join(f Forked[int, int]) {
	l.t.Helper()
	got := f.Join(l.Worker)
	check(l.t, got == 7, "P1: a fork gave %d, want 7", got)
}

// joinAll joins the newest first.
func (l lone) joinAll(forks []Forked[int, int]) {
	l.t.Helper()
	for _, f := range slices.Backward(forks) {
		l.join(f)
	}
}

// queue puts a job into the queue of a pool, as Go does with one that nobody can begin.
func (l lone) queue() *Job {
	h := newHandle(l.pool, func(*Worker) int { return 0 })
	_ = l.pool.inbox.queue.push(noWait, &h.job) // it has no limit
	l.pool.post()
	return &h.job.Job
}

// atOnce calls all functions at the same time, again and again, with a check after each time. The
// one that is started last tends to begin first, so each other time they are started backwards.
func atOnce(t *testing.T, again func(), check func(), fns ...func()) {
	for range 200 {
		again()
		var all sync.WaitGroup
		for _, fn := range fns {
			all.Go(fn)
		}
		slices.Reverse(fns)
		all.Wait()
		if check(); t.Failed() {
			return
		}
	}
}

// A jobHere is a job of package loops.
type jobHere func(w *Worker)

func (f jobHere) Run(w *Worker) { f(w) }

// becomeGuest has the only worker go on with a guest's seat, and its own sleep.
func becomeGuest(w *Worker) {
	s := w.detach()
	w.sitOn(w.pool.guestSeat())
	s.handOff()
	untilAllSleep(w.pool)
}

// runJobHere runs a job as package loops does.
func runJobHere(p *Pool, j runner) { _, _ = runHere(p, true, nil, runRunner, j) }
