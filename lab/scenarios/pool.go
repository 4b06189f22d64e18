package scenarios

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/pool"
)

// poolScenarios returns scenarios in which pools, and the loops on them, have to keep the rules.
// newPool must hand the options on to [pool.New]; what it puts before them is
// what is explored. The pools should be such that workers sleep at once
// ([api.Rounds]{Sleepy: 1}), with a JEC of one bit and the smallest deques:
// then the fewest steps show the most.
func poolScenarios(newPool func(opts ...pool.Option) (*pool.Pool, error)) []scenarios.Scenario {
	var all []scenarios.Scenario
	for _, c := range slices.Concat(poolForks, poolFailures, poolCallers, poolGuests, poolEnds, poolWaits, poolGroups, poolRoom, poolShutdowns, parCases, parListCases, parStreamCases, parPipeCases) {
		all = append(all, c.scenario(newPool))
	}
	return all
}

// complete is a bound that is none.
const complete = scenarios.Complete

// A poolCase is a scenario of a pool.
type poolCase struct {
	name, rule  string
	bound, deep int
	why         string // of a bound, if it is not that of most; see [scenarios.NoEnd]
	// workers are those of the pool. With none, body makes its pools itself.
	workers int
	opts    []pool.Option
	// rounds is [explore.Rounds]: with 1, loops that end by themselves are explored to their end.
	rounds int
	// tick is [explore.Tick], or 0 for the default.
	tick time.Duration
	// body uses the pool, whose workers sleep. When it has returned, and the
	// threads that it started have ended, the pool is closed.
	body func(s *stage, p *pool.Pool)
}

func (c poolCase) scenario(newPool func(opts ...pool.Option) (*pool.Pool, error)) scenarios.Scenario {
	// Where seats sleep without a goroutine, each wake starts one.
	options := []explore.Option{explore.MaxThreads(40), explore.Rounds(c.rounds)}
	if c.tick > 0 {
		options = append(options, explore.Tick(c.tick))
	}
	return scenarios.Scenario{Name: c.name, Rule: c.rule, Bound: c.bound, Deep: c.deep, Why: cmp.Or(c.why, why(c.bound)), Options: options, Body: func(x *explore.Exec) {
		s := &stage{Exec: x, newPool: newPool}
		if c.workers == 0 {
			c.body(s, nil)
			return
		}
		var p *pool.Pool
		x.Settle(func() { p = s.pool(append(c.opts, pool.WithWorkers(c.workers))...) })
		c.body(s, p)
		x.Wait()
		x.Settle(func() { s.close(p) })
	}}
}

// why says why a scenario of pools has a bound, if it has.
func why(bound int) string {
	if bound == complete {
		return ""
	}
	return scenarios.NoEnd("a pool and its callers")
}

// A stage is what pools are explored on.
type stage struct {
	*explore.Exec
	newPool func(opts ...pool.Option) (*pool.Pool, error)
}

func (s *stage) pool(opts ...pool.Option) *pool.Pool {
	p, err := s.newPool(opts...)
	if err != nil {
		s.Fatalf("no pool: %v", err)
	}
	return p
}

func (s *stage) close(p *pool.Pool) {
	if err := p.Close(); err != nil {
		s.Errorf("P6: Close returned %v", err)
	}
}

// queue hands a job to the pool, which accepts it.
func (s *stage) queue(p *pool.Pool, job func(w *pool.Worker)) {
	err := pool.Go(p, job)
	s.check(err == nil, "P7", "Go returned the error %v", err)
}

// check reports that a rule is broken unless ok.
func (s *stage) check(ok bool, rule, format string, args ...any) {
	if !ok {
		s.Errorf(rule+": "+format, args...)
	}
}

// is checks a result.
func (s *stage) is(want, got int, rule string) {
	s.check(got == want, rule, "the result of a job is %d, want %d", got, want)
}

// counts checks how often something was done.
func (s *stage) counts(n *prim.Int32, want int32, rule, format string) {
	got := n.Load()
	s.check(got == want, rule, format, got)
}

var background = context.Background()

// enter runs fn on the pool, which accepts it.
func enter[R any](s *stage, p *pool.Pool, fn func(w *pool.Worker) R) R {
	result, err := pool.Run(background, p, func(w *pool.Worker, _ int) R { return fn(w) }, 0)
	s.check(err == nil, "P1", "Run returned the error %v", err)
	return result
}

// inside runs fn on the pool, which accepts it.
func inside(s *stage, p *pool.Pool, fn func(w *pool.Worker)) {
	enter(s, p, func(w *pool.Worker) int { fn(w); return 0 })
}

// inScope runs fn in a scope of a job.
func inScope(s *stage, p *pool.Pool, fn func(w *pool.Worker, scope *pool.Scope)) {
	inside(s, p, func(w *pool.Worker) { w.Scope(fn) })
}

// submit hands fn to the pool, which accepts it.
func submit[R any](s *stage, p *pool.Pool, fn func(w *pool.Worker) R) *pool.Handle[R] {
	h, err := pool.Submit(p, fn)
	if err != nil {
		s.Fatalf("P7: Submit returned the error %v", err)
	}
	return h
}

// await waits for a job that returns, from outside.
func await[R any](s *stage, h *pool.Handle[R]) R {
	result, err := h.Wait(background)
	s.check(err == nil, "P1", "Wait returned the error %v", err)
	return result
}

// A mark is the job of a fork that says that it was run. It must be run once.
type mark struct{ runs prim.Int32 }

func (m *mark) job(_ *pool.Worker, result int) int {
	m.runs.Add(1)
	return result
}

// once checks that the job has ended, and was run only once.
func (s *stage) once(m *mark, what string) {
	n := m.runs.Load()
	s.check(n == 1, "P1", "%s was run %d times", what, n)
}

// A gate lets the job of one thread wait for another.
type gate struct{ parker *prim.Parker }

func newGate() gate { return gate{prim.NewParker()} }

func (g gate) open() { g.parker.Unpark() }

func (g gate) pass() { g.parker.Park() }
