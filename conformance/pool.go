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

// TestPool checks those promises of newPool's pools that their parts can break: deques, the
// sleep backend, and the way to publish. In each subtest jobs move to other workers, workers
// sleep and are woken, seats are lent and taken, or a pool is closed. The tests of package
// pool check what does not depend on the parts, and scenarios check how jobs wait.
//
// newPool must pass to [pool.New] first the parts under test, such as another deque or sleep
// backend, and then the options that it gets. Those prevail: a subtest may need a deque of
// its own. Each subtest uses its own pools.
func TestPool(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	cfg := newConfig(opts)
	s := newPoolSuite(t, newPool)
	for _, workers := range []int{1, 2, 4} {
		for _, c := range poolResults {
			s.test(t, cfg, fmt.Sprintf("workers=%d/%s", workers, c.name), c.rule, workers, c.run)
		}
	}
	for _, workers := range []int{1, 4} {
		cfg.Subtest(t, fmt.Sprintf("LockedRuns/workers=%d", workers), "P14", func(r *run) {
			p, q := s.start(r, workers), s.start(r, workers)
			for round := 0; r.More(round, 3); round++ {
				lockedRuns(r, p)
				lockedRuns(r, p, q)
			}
			s.close(r, p)
			s.close(r, q)
		})
	}
	for _, c := range poolBlocked {
		s.test(t, cfg, c.name, c.rule, 4, c.run)
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
	name string
	rule string
	run  func(r *run, p *pool.Pool)
}

func (s poolSuite) test(t *testing.T, cfg config, name, rule string, workers int, body func(*run, *pool.Pool)) {
	cfg.Subtest(t, name, rule, func(r *run) {
		p := s.start(r, workers)
		body(r, p)
		s.close(r, p)
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

// untilCollected collects garbage until the pools are gone.
func untilCollected(r *run, pools []weak.Pointer[pool.Pool]) {
	r.T.Helper()
	r.Until(func() bool {
		runtime.GC()
		return !slices.ContainsFunc(pools, func(p weak.Pointer[pool.Pool]) bool { return p.Value() != nil })
	})
}

// apartTries are many more than a thief needs that has to be woken, and few enough that
// those in vain take seconds.
const apartTries = 1 << 14

// apart joins mine, which runs here, and theirs, which runs on another worker
// at the same time. A job offered to others may be run here before they come,
// so it tries until one is taken.
func apart(r *run, w *pool.Worker, mine, theirs func(w *pool.Worker)) {
	const offered, taken, givenUp = 0, 1, 2
	for range apartTries {
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
	r.Report("P5", "no idle worker took one of %d forks", apartTries)
}
