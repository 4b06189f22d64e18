package conformance

import (
	"runtime"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// TestAtRest checks pools whose sleep backend is an [api.Starter] that leaves no
// goroutine: rule P22 of package pool. newPool is as for [TestPool].
func TestAtRest(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	cfg := newConfig(opts)
	s := newPoolSuite(t, newPool)
	for _, use := range uses {
		cfg.Subtest(t, "NoGoroutine/"+use.name, "P22", func(r *run) { s.noGoroutine(r, use.use) })
		cfg.Subtest(t, "Collected/"+use.name, "P22", func(r *run) { s.collected(r, use.use) })
	}
}

// uses are ways to use a pool, after each of which it comes to rest.
var uses = []struct {
	name string
	use  func(r *run, p *pool.Pool)
}{
	{"unused", func(*run, *pool.Pool) {}},
	{"run", func(r *run, p *pool.Pool) { enter(r, p, func(w *pool.Worker) int { return fib(w, 12) }) }},
	{"submit", func(r *run, p *pool.Pool) { await(r, submit(r, p, func(w *pool.Worker) int { return fib(w, 12) })) }},
	{"queued", func(r *run, p *pool.Pool) {
		free := blockWorkers(r, p, p.Workers())
		h := submit(r, p, func(w *pool.Worker) int { return fib(w, 12) })
		free()
		await(r, h)
	}},
	{"guest", func(r *run, p *pool.Pool) {
		free := blockWorkers(r, p, p.Workers())
		enter(r, p, func(w *pool.Worker) int { return fib(w, 12) })
		free()
	}},
	{"all_at_once", fullWidth},
	{"waits", func(r *run, p *pool.Pool) {
		for seed := range 10 {
			evaluate(r, p, seed)
		}
	}},
	{"guest_after_block", blockAndEndAsGuest},
	{"panic", func(r *run, p *pool.Pool) {
		_, err := submit(r, p, func(w *pool.Worker) int { fib(w, 5); panic("x") }).Wait(background)
		r.Check(err != nil, "P2", "Wait returned no error of a job that panics")
	}},
	{"goexit", func(r *run, p *pool.Pool) {
		_, err := submit(r, p, func(w *pool.Worker) int { fib(w, 5); runtime.Goexit(); return 0 }).Wait(background)
		r.Check(err != nil, "P3", "Wait returned no error of a job that calls Goexit")
	}},
}

// noGoroutine uses a pool of each size again and again, and looks for goroutines when it
// is at rest.
func (s poolSuite) noGoroutine(r *run, use func(r *run, p *pool.Pool)) {
	for _, workers := range []int{1, 2, 4} {
		before := harness.GoroutinesNow()
		p := s.start(r, workers)
		for range 3 {
			r.During("P1", "jobs end on a pool of %d workers", workers)
			use(r, p)
			r.During("P22", "goroutines end of a pool of %d workers, at rest", workers)
			err := harness.GoroutinesSince(before)
			r.Check(err == nil, "P22", "a pool of %d workers, at rest, has a goroutine: %v", workers, err)
		}
		s.close(r, p)
		r.During("P8", "goroutines end after Close of a pool that had none at rest")
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P8", "goroutines are left after Close of a pool that had none at rest: %v", err)
	}
}

// collected forgets pools that were used and are not closed.
func (s poolSuite) collected(r *run, use func(r *run, p *pool.Pool)) {
	var refs []weak.Pointer[pool.Pool]
	for _, workers := range []int{1, 2, 4} {
		func() {
			p := s.start(r, workers)
			r.During("P1", "jobs end on a pool of %d workers", workers)
			use(r, p)
			r.UnwatchPool(p)
			refs = append(refs, weak.Make(p))
		}()
	}
	r.During("P22", "pools go that are forgotten at rest")
	untilCollected(r, refs)
}
