package loops

import (
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/internal/seam"
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
type Fan struct{ worker *pool.Worker }

// NewFan returns a Fan for a loop that begins now. w must be one that [Measured] has returned. The
// caller calls Close, deferred, when the loop has ended. What it does itself is not measured meanwhile.
func NewFan(w *pool.Worker) *Fan {
	f := &Fan{w}
	seam.Probe(w).Stop()
	seam.Probe(w).Open(f)
	return f
}

// Piece calls fn, which could begin where the Fan was made, or where the caller has
// come to since, with Resume. It returns how long fn took, without waits.
func (f *Fan) Piece(fn func()) (took time.Duration) {
	outer := seam.Probe(f.worker)
	seam.BeginPiece(f.worker, f)
	defer func() { took = seam.EndPiece(f.worker, outer) }()
	fn()
	return
}

// Resume measures what follows as a part of the caller's job, which goes on beside the pieces,
// until the next piece.
func (f *Fan) Resume() { seam.Probe(f.worker).Start() }

// Close ends the loop: the caller goes on when all pieces have ended.
func (f *Fan) Close() {
	seam.Probe(f.worker).Stop()
	seam.Probe(f.worker).Close(f)
}

// Wait calls f, which takes the time of others, as a wait of the measured job of w.
func Wait(w *pool.Worker, f func()) {
	defer seam.Resume(w, seam.Pause(w))
	f()
}
