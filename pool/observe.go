package pool

import (
	"context"
	"runtime/trace"
	"time"

	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/internal/tape"
	"github.com/rouse-go/rouse/pool/record"
)

// Whatever observes a run hangs on the scheduler by this file. Workers and seats tell what they meet, and do
// not know who listens: a recording, a measurement, or runtime/trace.
//
// The hook is Pool.observer, which is nil while the pool is neither recorded nor measured: an event costs a
// load then. Forks and joins do not look at it. While the job of a worker is measured, the worker has a probe
// and a bit of its flag is up, so that its forks and joins take the long way, and come here. runtime/trace
// calls nobody when a trace begins, so it is asked where something happens that a trace shows.
//
// Rejected: an interface that each of the three implements. Most of its methods would do nothing in two of
// them, and calls through it cost more than the event.

// An observer is told what happens in a pool. It never changes: another one takes its place.
type observer struct {
	tape     *tape.Tape // of the recording that goes on, or nil
	measured int        // how many calls of Measure go on
}

// observe changes what observes the pool.
func (p *Pool) observe(change func(o *observer)) {
	for {
		old, now := p.observer.Load(), new(observer)
		if old != nil {
			*now = *old
		}
		if change(now); *now == (observer{}) {
			now = nil
		}
		if p.observer.CompareAndSwap(old, now) {
			return
		}
	}
}

func (o *observer) isRecording() bool { return o != nil && o.tape != nil }
func (o *observer) isMeasuring() bool { return o != nil && o.measured > 0 }

// event tells what happens to the job of w.
func (w *Worker) event(k record.EventKind) {
	if w.pool.observer.Load() != nil {
		w.tellEvent(record.Event{Kind: k})
	}
}

// tellEvent is event with more than its kind.
//
//go:noinline
func (w *Worker) tellEvent(e record.Event) {
	w.pool.observer.Load().record(w, 0, e)
	switch e.Kind {
	case record.EventWait, record.EventBlock:
		w.probe.Wait()
	case record.EventGoOn:
		w.probe.GoOn()
	}
}

// record records an event of the job of w, which may name a function whose code begins there.
func (o *observer) record(w *Worker, code uintptr, e record.Event) {
	if o.isRecording() {
		e.Worker, e.Forks = w.seat.recorded(), w.stack.forks()
		o.tape.Add(w.stack.id(), code, e)
	}
}

// recorded is what a recording says of the seat: the number of its worker, or none for a guest or no seat.
func (s *seat) recorded() int {
	if s == nil || s.isGuest() {
		return record.NoWorker
	}
	return s.index
}

// event tells what happens to the seat.
func (s *seat) event(k record.EventKind) {
	if o := s.pool.observer.Load(); o.isRecording() {
		o.tape.Add(0, 0, record.Event{Kind: k, Worker: s.recorded()})
	}
}

// begins tells that w begins a job, the first of so many that a search has taken from another seat, or of none.
func (w *Worker) begins(j *Job, taken int) {
	if w.pool.observer.Load() != nil {
		w.tellBegin(j, taken)
	}
}

//go:noinline
func (w *Worker) tellBegin(j *Job, taken int) {
	o := w.pool.observer.Load()
	kind, code, from := j.task.about()
	other := record.NoWorker
	switch {
	case taken > 0:
		if n := w.seat.thief.victim; n < len(w.pool.seats) {
			other = n
		}
		if !w.seat.isGuest() {
			o.record(w, 0, record.Event{Kind: record.EventSteal, Other: other, Count: taken - 1})
		}
	case from != nil && from != w.seat: // it was taken along with another one
		other = from.recorded()
	}
	o.record(w, code, record.Event{Kind: record.EventBegin, JobKind: kind, Other: other})
}

// beginRegion begins the region of a job that was stolen.
func beginRegion(j *Job) *trace.Region {
	_, code, _ := j.task.about()
	return trace.StartRegion(context.Background(), "stolen "+tape.NameOf(code))
}

// beginsRun tells that w begins that function of the user for a Run, or one of package loops.
func (w *Worker) beginsRun(user any) {
	if o := w.pool.observer.Load(); o != nil {
		o.beginsRun(w, user)
	}
}

//go:noinline
func (o *observer) beginsRun(w *Worker, user any) {
	o.record(w, codeOf(user), record.Event{Kind: record.EventBegin, JobKind: record.JobOfRun, Other: record.NoWorker})
}

// ended tells that the job of w has ended.
func (w *Worker) ended(returned bool) {
	if w.pool.observer.Load() != nil {
		w.tellEvent(record.Event{Kind: record.EventEnd, Failed: !returned})
	}
}

// beginTask begins the task of a Run of that function, if a trace is recorded.
func beginTask(ctx context.Context, fn any) (_ context.Context, end func()) {
	if !trace.IsEnabled() {
		return ctx, func() {}
	}
	ctx, task := trace.NewTask(ctx, "Run "+tape.NameOf(codeOf(fn)))
	return ctx, task.End
}

// setProbe has w measure its job with q, or no longer if q is nil.
func (w *Worker) setProbe(q *span.Probe) {
	w.probe = q
	if q == nil {
		w.wanted.And(^wantProbe)
	} else {
		w.wanted.Or(wantProbe)
	}
}

// runMeasured calls fn as the job of b. If the job that has forked it runs it itself, or another one of
// the same worker is about to go on, a strand of that begins then, however fn has ended.
func (w *Worker) runMeasured(b *span.Probe, fn func()) {
	outer := w.probe
	outer.Stop() // it may wait for a scope
	defer outer.Start()
	limit := w.stack.head
	w.beginMeasured(b)
	defer w.endMeasured(outer)
	fn()
	w.settle(limit)
}

// beginMeasured has w measure what follows with b.
func (w *Worker) beginMeasured(b *span.Probe) {
	w.setProbe(b)
	b.Start()
}

// endMeasured ends that, and returns how long it took. What follows belongs to outer.
func (w *Worker) endMeasured(outer *span.Probe) time.Duration {
	took := w.probe.End(outer)
	w.setProbe(outer)
	return took
}

// measuredFork returns a function that measures fn, for the next fork of w. The strand ends.
func measuredFork[A, R any](w *Worker, fn func(*Worker, A) R) func(*Worker, A) R {
	b := w.probe.Fork(w.stack.seq + seqStep)
	if fn == nil {
		return nil // which panics as others do
	}
	return func(w *Worker, arg A) (result R) {
		w.runMeasured(b, func() { result = fn(w, arg) })
		return result
	}
}

// measuredJob returns a function that measures fn, for a job of a scope.
func measuredJob(w *Worker, s *Scope, fn func(*Worker)) func(*Worker) {
	b := w.probe.Spawn(s)
	if b == nil {
		return fn
	}
	return func(w *Worker) { w.runMeasured(b, func() { fn(w) }) }
}

// measuredMember is measuredJob for a job of a group.
func measuredMember(w *Worker, s *Scope, fn func(context.Context, *Worker) error) func(context.Context, *Worker) error {
	b := w.probe.Spawn(s)
	if b == nil {
		return fn
	}
	return func(ctx context.Context, w *Worker) (err error) {
		w.runMeasured(b, func() { err = fn(ctx, w) })
		return err
	}
}
