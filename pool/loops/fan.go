package loops

import (
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/internal/seam"
	"github.com/rouse-go/rouse/pool/internal/span"
)

// Measured returns the worker of the calling goroutine if its job is measured
// ([pool.Pool.Measure]), or nil. It costs some nanoseconds while nothing in the program is measured, and else a look
// at the stack.
func Measured() *pool.Worker {
	w, _ := seam.Measured().(*pool.Worker)
	return w
}

// A Fan measures calls of a measured job that could run at the same time, although one comes
// after the other: the pieces of a loop. If [Measured] returns a worker, have the caller alone do the
// calls.
type Fan struct{ fan *span.Fan }

// NewFan returns a Fan for a loop that begins now. w must be one that [Measured] has returned. The
// caller calls Close, deferred, when the loop has ended.
func NewFan(w *pool.Worker) *Fan { return &Fan{seam.Probe(w).Fan()} }

// Begin begins a piece: what follows could begin where the Fan was made, or where the caller has
// come to since, with Resume.
func (f *Fan) Begin() { f.fan.Begin() }

// End ends a piece, and returns how long it took. What follows is not measured until the next
// Begin, Resume or Close.
func (f *Fan) End() time.Duration { return f.fan.End() }

// Resume measures what follows as a part of the caller's job, which goes on beside the pieces,
// until Pause.
func (f *Fan) Resume() { f.fan.Resume() }

// Pause ends what Resume has begun.
func (f *Fan) Pause() { f.fan.Pause() }

// Close ends the loop: the caller goes on when all pieces have ended.
func (f *Fan) Close() { f.fan.Close() }

// Wait calls f, which takes the time of others, as a wait of the measured job of w.
func Wait(w *pool.Worker, f func()) {
	defer seam.Resume(w, seam.Pause(w))
	f()
}
