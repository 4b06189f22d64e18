package pool

// A Job is the header of a unit of work, embedded in the frame that holds its
// function and result. Deques and the injector move pointers to it; nothing
// outside this package can be done with one.
type Job struct {
	task task
}

// A task is the frame that a [Job] is the header of.
type task interface {
	// run calls the function. It may panic or exit.
	run(w *Worker)
	// done says that run has ended, well if f is nil, and rouses whoever
	// waits. The frame belongs to that one from then on.
	done(w *Worker, f *failure)
}

// execute runs a job to its end, whatever that is. Every job that is not
// joined in place comes through here, so here are the promises kept that hold
// for each: its forks have ended before it has, a panic goes to whoever waits
// for it, and so does the news of a Goexit, although that takes the goroutine.
func (w *Worker) execute(j *Job) {
	limit := w.head
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
