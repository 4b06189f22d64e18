package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// TestPool checks the behaviour of newPool's pools that can depend on their parts: on deques,
// on the sleep backend, and on how they publish. So jobs come to other workers, workers sleep
// and are woken, seats are lent and taken, the pool ends, or something is left in a deque.
// The tests of package pool check what a pool does alike with any parts.
//
// newPool gives [pool.New] first the parts under test, such as another deque or sleep
// backend, and then the options that it gets, so that these prevail: a subtest may need a
// deque of its own. Each subtest uses pools of its own.
func TestPool(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	cfg := newConfig(opts)
	s := newPoolSuite(t, newPool)
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			for _, c := range poolResults {
				s.test(t, cfg, c.name, c.rule, workers, c.run)
			}
		})
	}
	s.each(t, cfg, poolCallers, poolEnd)
	for _, c := range slices.Concat(poolAside, poolHeld) {
		s.eachSize(t, cfg, c, asideWorkers)
	}
	s.cells(t, cfg)
	cfg.Subtest(t, "OneProcessor", "P10", func(r *run) {
		defer r.Procs(1)()
		for _, c := range poolResults {
			if c.rule == "P9" {
				continue // a million forks are as many on any number of processors
			}
			p := s.start(r, 2)
			c.run(r, p)
			s.close(r, p)
		}
	})
	cfg.Subtest(t, "Held/lock_then_admission", "P14", s.twoPools("hold a lock while they call Run on the other", lockThenAdmission))
	cfg.Subtest(t, "Held/lock_inside_admission", "P14", s.twoPools("call Run on each other, and hold locks within each", lockInsideAdmission))
	cfg.Subtest(t, "Mix", "P4", s.mix)
	cfg.Subtest(t, "NothingLeftBehind", "P8", s.nothingLeftBehind)
}

type poolSuite struct {
	new func(opts ...pool.Option) (*pool.Pool, error)
}

// Only a sleep backend of the suite's fails with errProbe.
var errProbe = errors.New("no backend")

// newPoolSuite fails the test if newPool does not hand options on, or overrides them:
// then subtests would blame the pool for it.
func newPoolSuite(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error)) poolSuite {
	t.Helper()
	prevails := func(what string, o pool.Option, refused func(error) bool) {
		t.Helper()
		p, err := newPool(o)
		if refused(err) {
			return
		}
		if p != nil {
			p.Close()
		}
		t.Fatalf("conformance: newPool ignores or overrides its options: pool.New must get them after the options under test, and refuse %s. "+
			"Write pool.New(append([]pool.Option{mine}, opts...)...). newPool returned the error %v", what, err)
	}
	prevails("a sleep backend that cannot be made", pool.WithSleep(func(int) (api.Sleep, error) { return nil, errProbe }),
		func(err error) bool { return errors.Is(err, errProbe) })
	prevails("WithDeque(nil)", pool.WithDeque(nil), func(err error) bool { return err != nil })
	return poolSuite{newPool}
}

// A poolCase is a subtest that gets a pool, which is closed for it.
type poolCase struct {
	name    string
	rule    string
	workers int
	run     func(r *run, p *pool.Pool)
}

func (s poolSuite) test(t *testing.T, cfg config, name, rule string, workers int, body func(*run, *pool.Pool)) {
	cfg.Subtest(t, name, rule, func(r *run) {
		p := s.start(r, workers)
		body(r, p)
		s.close(r, p)
	})
}

// each runs cases, each on a pool of its number of workers.
func (s poolSuite) each(t *testing.T, cfg config, groups ...[]poolCase) {
	for _, c := range slices.Concat(groups...) {
		s.test(t, cfg, c.name, c.rule, max(c.workers, 1), c.run)
	}
}

// eachSize runs a case on pools of each of the numbers of workers.
func (s poolSuite) eachSize(t *testing.T, cfg config, c poolCase, workers []int) {
	t.Run(c.name, func(t *testing.T) {
		for _, n := range workers {
			s.test(t, cfg, fmt.Sprintf("workers=%d", n), c.rule, n, c.run)
		}
	})
}

func (s poolSuite) start(r *run, workers int, opts ...pool.Option) *pool.Pool {
	r.T.Helper()
	p, err := s.new(append(opts, pool.WithWorkers(workers))...)
	r.Check(err == nil, "P10", "a pool of %d workers is refused: %v", workers, err)
	r.Check(p != nil, "P10", "a pool of %d workers is nil, and there is no error", workers)
	r.Check(p.Workers() == workers, "P10", "a pool made with WithWorkers(%d) has %d", workers, p.Workers())
	r.WatchPool(p)
	return p
}

func (s poolSuite) close(r *run, p *pool.Pool) {
	r.T.Helper()
	if r.Failed() {
		return // it may hang
	}
	r.During("P6", "Close ends")
	err := p.Close()
	r.Check(err == nil, "P6", "Close returned %v", err)
	r.UnwatchPool(p)
}

var background = context.Background()

// enter runs fn on the pool.
func enter[R any](r *run, p *pool.Pool, fn func(w *pool.Worker) R) R {
	r.T.Helper()
	result, err := pool.Run(background, p, func(w *pool.Worker, _ struct{}) R { return fn(w) }, struct{}{})
	r.Check(err == nil, "P1", "Run returned the error %v", err)
	return result
}

// submit hands over fn.
func submit[R any](r *run, p *pool.Pool, fn func(w *pool.Worker) R) *pool.Handle[R] {
	r.T.Helper()
	h, err := pool.Submit(p, fn)
	r.Check(err == nil, "P1", "Submit returned the error %v", err)
	return h
}

// await waits for a submitted job that returns.
func await[R any](r *run, h *pool.Handle[R]) R {
	r.T.Helper()
	result, err := h.Wait(background)
	r.Check(err == nil, "P1", "Wait returned the error %v", err)
	return result
}

// fullWidth checks that as many jobs run at once as there are workers, which
// they no longer do if one was lost.
func fullWidth(r *run, p *pool.Pool) {
	r.T.Helper()
	atOnce(r, p, func(fns []func(*pool.Worker) int) (handles []*pool.Handle[int]) {
		for _, fn := range fns {
			handles = append(handles, submit(r, p, fn))
		}
		return handles
	})
}

// atOnce hands over as many jobs as there are workers, each of which blocks until all have begun.
func atOnce(r *run, p *pool.Pool, hand func(fns []func(*pool.Worker) int) []*pool.Handle[int]) {
	r.T.Helper()
	n := p.Workers()
	r.During("P5", "%d jobs, each of which blocks until all have begun, run on %d workers", n, n)
	var begun atomic.Int32
	all := make(chan struct{})
	fns := make([]func(*pool.Worker) int, n)
	for i := range fns {
		fns[i] = func(*pool.Worker) int {
			if int(begun.Add(1)) == n {
				close(all)
			}
			r.Receive(all)
			return i
		}
	}
	for i, h := range hand(fns) {
		r.Check(await(r, h) == i, "P1", "of jobs that run at once, number %d gave a wrong result", i)
	}
}

// untilCollected collects garbage until the pools are gone.
func untilCollected(r *run, pools []weak.Pointer[pool.Pool]) {
	r.T.Helper()
	r.Until(func() bool {
		runtime.GC()
		return !slices.ContainsFunc(pools, func(p weak.Pointer[pool.Pool]) bool { return p.Value() != nil })
	})
}

// blockWorkers makes n workers block in jobs until free is called.
func blockWorkers(r *run, p *pool.Pool, n int) (free func()) {
	r.T.Helper()
	gate := make(chan struct{})
	var handles []*pool.Handle[bool]
	for range n {
		begun := make(chan struct{})
		handles = append(handles, submit(r, p, func(*pool.Worker) bool {
			close(begun)
			r.Receive(gate)
			return true
		}))
		r.During("P5", "a job begins on a pool that has an idle worker")
		r.Wait(begun)
	}
	return func() {
		close(gate)
		for _, h := range handles {
			await(r, h)
		}
	}
}

// blockUntilQueued blocks all workers, until another job is queued.
func blockUntilQueued(r *run, p *pool.Pool) {
	r.T.Helper()
	free, queued := blockWorkers(r, p, p.Workers()), p.Stats().Injected
	go func() {
		r.Until(func() bool { return p.Stats().Injected > queued })
		free()
	}()
}

// apart joins mine, which runs here, and theirs, which runs on another worker
// at the same time. A job offered to others may be run here before they come,
// so it tries until one is taken.
func apart(r *run, w *pool.Worker, mine, theirs func(w *pool.Worker)) {
	const offered, taken, givenUp = 0, 1, 2
	for range 1 << 20 {
		var state atomic.Int32
		pool.Both(w, func(w *pool.Worker) bool {
			for range 2000 {
				if state.Load() == taken {
					break
				}
				runtime.Gosched()
			}
			if state.CompareAndSwap(offered, givenUp) {
				return false
			}
			mine(w)
			return true
		}, func(v *pool.Worker) bool {
			if !state.CompareAndSwap(offered, taken) {
				return false
			}
			theirs(v)
			return true
		})
		if state.Load() == taken || r.Aborted() {
			return
		}
	}
	r.Report("P5", "no idle worker took a fork, with a million tries")
}
