// Package loops is for those who build loops and the like on a pool, as package par does: how to run
// them as the worker that the caller is, how to notice that others want work, how to raise a panic again
// when all else has ended, and how to tell a recording and a measurement what the loop does. Programs
// that fork, spawn and submit need none of it.
//
// A worker belongs to the goroutine that runs its job, here as in package pool.
package loops

import (
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/internal/seam"
	"github.com/rouse-go/rouse/pool/record"
)

// A Job is what [Run] runs.
type Job interface {
	Run(w *pool.Worker)
}

// Run is pool.Run for callers that have no context. In a job of the pool, j runs as that job's worker, so
// that the worker does not idle beneath; elsewhere as in pool.Run, which never waits.
//
// It looks at the stack, which takes a microsecond or two: more if there are more than some dozens
// of calls between it and the job, or outside of jobs, where it goes to the end of the stack.
//
// It returns [pool.ErrClosed] if the pool is closed or closing, unless the caller is a job of
// the pool. Panics and Goexit are as in pool.Run.
func Run(p *pool.Pool, j Job) error {
	if j == nil {
		panic("loops: Run of a nil job")
	}
	return seam.Run(p, j)
}

// Wanted reports whether somebody wants work that this worker may have. A fork is
// noticed by others only then: so code that could split its work looks first, and forks
// if it must. It costs some nanoseconds. It is also true while the job is measured.
func Wanted(w *pool.Worker) bool { return seam.Wanted(w) }

// Publish makes the private forks of the worker's job visible to other workers, as
// [pool.WithEagerPublish] does for every fork of a pool. Call it before work that takes long
// and neither forks nor joins: while that goes on, the job does not notice that another
// worker wants something to do. It costs as much as the publication of so many forks,
// and next to nothing if there are none. In Block it panics.
func Publish(w *pool.Worker) { seam.Publish(w) }

// LastDefault returns what [pool.Default] would return if GOMAXPROCS had not changed. It is for
// code that may need no worker at all, as a short loop of package par: it asks this pool whether
// its last calls were short ([Brief]), and calls Default when it wants workers. If nobody
// has called Default yet, it does. It costs some nanoseconds.
func LastDefault() *pool.Pool { return seam.LastDefault().(*pool.Pool) }

// Brief reports whether the last two calls with the key were short, as far as [Note]
// was told. It costs some nanoseconds.
//
// Notes are guesses: of two that are written to the same place at the same time, one is lost.
func Brief(p *pool.Pool, key uint64) bool { return seam.Book(p).Brief(key) }

// Note says whether a call with the key was short. Two in a row make it brief, and one that
// was not ends that. A pool has room for about a thousand keys; new ones push some of them
// out. It writes only if the note changes, and allocates the room, 8 KB, when the first
// call was short.
func Note(p *pool.Pool, key uint64, short bool) { seam.Book(p).Note(key, short) }

// Caught turns the value of recover, in a deferred function, into a PanicError: it keeps
// where the panic was raised first, if another worker has raised it or this one has caught
// it before. The deferred function itself must call it, at once. It returns nil if that runs
// because of [runtime.Goexit]. Raise the panic again when all else has ended: see [Raise].
func Caught(recovered any) *pool.PanicError {
	if recovered == nil && seam.Exits(2) {
		return nil
	}
	return seam.Caught(recovered).(*pool.PanicError)
}

// Raise panics with e's value, as the join of a job does that has panicked with it. If the
// pool recovers the panic further up, as a job's, it knows where it was raised first, and
// tells a panic handler that.
func Raise(e *pool.PanicError) { seam.Raise(e) }

// Expose reports a panic that nobody else will be told of, like one of a job of [pool.Go]: to the
// handler of [pool.WithPanicHandler], or it ends the program. It may be called at any time, and
// does not wait for the handler. It is for packages that run functions of a user in jobs, and
// keep their panics for a caller that may not come: see [Caught].
func Expose(p *pool.Pool, e *pool.PanicError) { seam.Expose(p, e) }

// Recordings show loops by the calls that follow: see [pool.Pool.Record]. Without a recording they cost
// some nanoseconds.

// Begin tells a recording of the pool, if there is one, that the job begins a loop of n
// elements, whose body has its code at that address. It returns a number for BeginPiece and the
// others, or 0 if there is no recording: then do not call them.
func Begin(w *pool.Worker, code uintptr, n int) (loop uint32) {
	return uint32(seam.Record(w, code, record.Event{Kind: record.EventLoop, Hi: n}))
}

// End tells that the loop has ended. The job is the one that has begun it.
func End(w *pool.Worker, loop uint32) {
	seam.Record(w, 0, record.Event{Kind: record.EventLoopEnd, Loop: int(loop)})
}

// BeginPiece tells that the job begins with the elements lo to hi-1 of the loop, and
// then does one after the other, while others may take some of the last ones.
func BeginPiece(w *pool.Worker, loop uint32, lo, hi int) {
	seam.Record(w, 0, record.Event{Kind: record.EventPiece, Loop: int(loop), Lo: lo, Hi: hi})
}

// EndPiece tells that the job has done the elements lo to hi-1 of the loop, for the piece that it
// began last. hi is 0 if one has failed. It need not be called when a Goexit ends the job.
func EndPiece(w *pool.Worker, loop uint32, lo, hi int) {
	seam.Record(w, 0, record.Event{Kind: record.EventPieceEnd, Loop: int(loop), Lo: lo, Hi: hi})
}
