package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/span"
)

// A measured job has a probe, and so has each of its forks and jobs while it runs. As long as a
// worker has one, a bit of its flag is up, so that its forks and joins take the long way, and come
// here. See "Measure" in INTERNALS.md.

// measuring counts the calls of Measure in the program. It is no step of the explorer: it spares
// others a look at the stack, and that decides.
var measuring prim.ReportNumber

// setProbe has w measure its job with q, or no longer if q is nil.
func (w *Worker) setProbe(q *span.Probe) {
	w.probe = q
	if q == nil {
		w.wanted.And(^wantProbe)
		return
	}
	q.RunsWith(&w.wanted)
}

// runMeasured calls fn as the job of b. If the job that has forked it runs it itself, or another one of
// the same worker is about to go on, a strand of that begins then, however fn has ended.
func (w *Worker) runMeasured(b *span.Probe, fn func()) {
	outer, limit := w.probe, w.head
	defer func() {
		b.End(outer)
		w.setProbe(outer)
		if outer != nil {
			outer.Start()
		}
	}()
	if outer != nil && outer.On() {
		outer.Stop() // it waits for a scope
	}
	w.setProbe(b)
	b.Start()
	fn()
	if w.head > limit {
		w.settle(limit)
	}
}

// measuredFork returns the function of a fork, which measures fn, and its probe. The strand ends.
func measuredFork[A, R any](q *span.Probe, fn func(*Worker, A) R) (func(*Worker, A) R, *span.Probe) {
	b := q.Fork()
	if fn == nil {
		return nil, b // which panics as others do
	}
	return func(w *Worker, arg A) (result R) {
		w.runMeasured(b, func() { result = fn(w, arg) })
		return result
	}, b
}

// measuredJob returns the function of a job of a scope, which measures fn.
func measuredJob(q *span.Probe, s *Scope, fn func(*Worker)) func(*Worker) {
	b := q.Spawn(s)
	if b == nil {
		return fn
	}
	return func(w *Worker) { w.runMeasured(b, func() { fn(w) }) }
}

// measuredMember is measuredJob for a job of a group.
func measuredMember(q *span.Probe, s *Scope, fn func(context.Context, *Worker) error) func(context.Context, *Worker) error {
	b := q.Spawn(s)
	if b == nil {
		return fn
	}
	return func(ctx context.Context, w *Worker) (err error) {
		w.runMeasured(b, func() { err = fn(ctx, w) })
		return err
	}
}
