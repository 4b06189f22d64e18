package pool

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/notes"
	"github.com/rouse-go/rouse/pool/internal/seam"
	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/record"
)

// Package loops is for builders of loops. What it needs of a pool and of a worker it has from here.
func init() {
	seam.Run = func(p, job any) error { _, err := runHere(p.(*Pool), true, nil, runRunner, job.(runner)); return err }
	seam.Publish = func(w any) { w.(*Worker).publishAll() }
	seam.LastDefault = func() any { return lastDefault() }
	seam.Caught = func(recovered any) any { return workerHere().first(recovered) }
	seam.Raise = func(err any) { err.(*PanicError).raise() }
	seam.Expose = func(p, err any) { p.(*Pool).exposeLater(err.(*PanicError)) }
	seam.Book = func(p any) *notes.Book { return &p.(*Pool).notes }
	seam.Wanted = func(w any) bool { return w.(*Worker).wanted.Load() != 0 }
	seam.Record = func(w any, code uintptr, e record.Event) int { return w.(*Worker).loopEvent(code, e) }
	seam.Probe = func(w any) *span.Probe { return w.(*Worker).probe }
	seam.BeginPiece = func(w, loop any) { w.(*Worker).beginMeasured(w.(*Worker).probe.Piece(loop)) }
	seam.EndPiece = func(w any, outer *span.Probe) time.Duration { return w.(*Worker).endMeasured(outer) }
	seam.Pause = func(w any) *span.Probe { return w.(*Worker).pause() }
	seam.Resume = func(w any, q *span.Probe) { w.(*Worker).resumeProbe(q) }
	seam.Measured = func() any { return measuredHere() }
}

// lastLoop tells loops apart: one may go on from one recording to the next.
var lastLoop prim.ReportNumber

// A runner is a job of package loops.
type runner interface{ Run(w *Worker) }

func runRunner(w *Worker, job runner) struct{} {
	job.Run(w)
	return struct{}{}
}

// raise panics with e's value, as the join of a job does that has panicked with it.
func (e *PanicError) raise() {
	e.passOn()
	e.repanic()
}

// loopEvent records an event of a loop, and returns the number of that.
func (w *Worker) loopEvent(code uintptr, e record.Event) int {
	o := w.pool.observer.Load()
	if !o.isRecording() {
		return 0
	}
	if e.Loop == 0 {
		e.Loop = int(lastLoop.Add(1))
	}
	o.record(w, code, e)
	return e.Loop
}

// measuredHere returns the worker of the caller if its job is measured, or nil.
func measuredHere() *Worker {
	if measuring.Load() == 0 {
		return nil
	}
	begun := prim.Now()
	w := workerHere()
	if w == nil || w.probe == nil {
		return nil
	}
	w.probe.Skip(prim.Now() - begun) // the look is not the job's
	return w
}

// pause takes the probe away from a measured job that begins to wait for others.
func (w *Worker) pause() *span.Probe {
	q := w.probe
	q.Wait()
	w.setProbe(nil)
	return q
}

// resumeProbe gives it back.
func (w *Worker) resumeProbe(q *span.Probe) {
	w.setProbe(q)
	q.GoOn()
}
