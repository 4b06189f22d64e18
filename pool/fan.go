package pool

import (
	"math/bits"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// Measured returns the worker of the calling goroutine if its job is measured ([Measure]), or
// nil. It costs an atomic load while nothing in the program is measured, and else a look at the
// stack.
func Measured() *Worker {
	if measuring.Load() == 0 {
		return nil
	}
	begun := prim.Now()
	w := workerHere()
	if w == nil || w.probe == nil {
		return nil
	}
	w.probe.since += prim.Now() - begun // the look is not the job's
	return w
}

// A Fan measures calls of a measured job that could run at the same time, although one comes
// after the other: the pieces of a loop. It is for packages that build loops on a pool, which have
// the calls done by the caller alone if [Measured] returns a worker.
type Fan struct {
	probe *probe
	// before is the path without the piece, longest the longest one with a piece.
	before, longest path
	site, outer     int
	pieces          int
	begun           sums // before the piece
	done            sums // of the pieces
	open            bool // a piece runs
}

// Fan returns a Fan for a loop that begins now. w must be one that [Measured] has returned. The
// caller calls Close, deferred, when the loop has ended.
func (l Loops) Fan() *Fan {
	q := l.worker.probe
	q.stop()
	return &Fan{probe: q, outer: q.site, site: q.findSite()}
}

// Begin begins a piece: what follows could begin where the Fan was made, or where the caller has
// come to since, with Resume.
func (f *Fan) Begin() {
	q := f.probe
	f.before.set(&q.at)
	q.site = f.site
	f.begun, q.sums = q.sums, sums{}
	f.open = true
	f.pieces++
	q.start()
}

// End ends a piece, and returns how long it took. What follows is not measured until the next
// Begin, Resume or Close.
func (f *Fan) End() time.Duration {
	q := f.probe
	begun := q.since
	q.stop()
	f.open = false
	f.longest.longer(&q.at)
	f.done.add(q.sums)
	q.at.set(&f.before)
	q.sums = f.begun
	q.site = f.outer
	return q.since - begun
}

// Resume measures what follows as a part of the caller's job, which goes on beside the pieces,
// until Pause.
func (f *Fan) Resume() { f.probe.start() }

// Pause ends what Resume has begun.
func (f *Fan) Pause() { f.probe.stop() }

// Close ends the loop: the caller goes on when all pieces have ended.
func (f *Fan) Close() {
	q := f.probe
	switch {
	case f.open:
		f.End() // it has panicked
	case q.on:
		q.stop()
	}
	further := max(f.pieces-1, 0)
	f.done.forks += further
	// Each that comes to help calls for others: the number of those at work doubles.
	f.longest.burdened += Burden * time.Duration(bits.Len(uint(further)))
	q.meet(&f.longest, f.done)
	q.start()
}

// Wait calls f, which takes the time of others, as a wait of the measured job.
func (l Loops) Wait(f func()) {
	w := l.worker
	q := w.probe
	q.stop()
	w.setProbe(nil)
	defer func() {
		w.setProbe(q)
		q.resume()
	}()
	f()
}
