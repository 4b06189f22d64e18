package pool

import "github.com/rouse-go/rouse/api/prim"

// A Job is the header of a unit of work, embedded in the frame that holds its
// function and result. Deques and the injector move pointers to it; nothing
// outside this package can be done with one.
type Job struct {
	task task
	// claim is a claim.
	//
	// Writers: whoever is about to run the job (begun), or gives it up
	// (withdrawn), by a CAS; the owner of a frame, when it makes that public
	// (unclaimed).
	// Pairs:   the owner's store publishes the frame; of all who have a pointer
	// to it, one runs it: the one whose CAS succeeds. See "Who runs a job" in
	// INTERNALS.md.
	claim prim.Uint32
	// runner is the number of the worker that has begun the job last. It is for
	// Dump alone, and so no step of the explorer.
	runner prim.ReportNumber
}

// The claims of a job.
const (
	unclaimed uint32 = iota
	begun
	withdrawn
)

// begin claims the job for the caller, who must then run it. If it returns false,
// somebody else runs it, or has: the caller drops its pointer.
func (j *Job) begin() bool { return j.claim.CompareAndSwap(unclaimed, begun) }

// withdraw claims the job for nobody.
func (j *Job) withdraw() bool { return j.claim.CompareAndSwap(unclaimed, withdrawn) }

// isClaimed reports whether nobody can begin the job any more.
func (j *Job) isClaimed() bool { return j.claim.Load() != unclaimed }

// A task is the frame that a [Job] is the header of.
type task interface {
	// run calls the function. It may panic or exit.
	run(w *Worker)
	// done says that run has ended, well if f is nil, and rouses whoever
	// waits. The frame belongs to that one from then on.
	done(w *Worker, f *failure)
}

// execute runs a job that the caller has claimed to its end, whatever that is.
// Every job that is neither joined in place nor run by the caller of Run comes
// through here, so here are the promises kept that hold for each: its forks have
// ended before it has, a panic goes to whoever waits for it, and so does the news
// of a Goexit, although that takes the goroutine.
func (w *Worker) execute(j *Job) {
	limit := w.head
	j.runner.Store(w.number)
	// A panic that is passed on beneath is not this job's.
	raised := w.raised
	w.raised = nil
	returned := false
	defer func() {
		if !returned {
			f := w.capture(recover())
			defer j.task.done(w, f) // even if what discard awaits exits
			w.raised = raised
			w.discard(limit)
		}
	}()
	j.task.run(w)
	if w.head > limit {
		w.settle(limit)
	}
	returned = true
	w.raised = raised
	j.task.done(w, nil)
}
