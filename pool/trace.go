package pool

import (
	"context"
	"runtime/trace"

	"github.com/rouse-go/rouse/pool/internal/tape"
)

// While the execution tracer or a flight recorder runs, runtime/trace is told of tasks and regions.
// A region begins and ends on one goroutine: here both are calls around the job.

// isTraced reports whether a call of Run with that context is to begin a task.
func isTraced(ctx context.Context) bool { return trace.IsEnabled() && lacksTask(ctx) }

// lacksTask reports whether the context is not that of a call of Run that has begun its task.
func lacksTask(ctx context.Context) bool {
	_, ok := ctx.(taskContext)
	return !ok && ctx != nil
}

// A taskContext is the context of a call that has begun its task.
type taskContext struct{ context.Context }

// newTask begins the task of a call of Run whose function has that code.
func newTask(ctx context.Context, code uintptr) (context.Context, *trace.Task) {
	ctx, task := trace.NewTask(ctx, "Run "+tape.NameOf(code))
	return taskContext{ctx}, task
}

// executeFound is execute of a job that the worker has found, and may have stolen. Such a job is a
// region. A submitted one is never stolen; if it has a context, it has a region where that begins.
func (w *Worker) executeFound(j *Job) {
	if w.stole {
		w.executeStolen(j)
	} else {
		w.execute(j)
	}
}

func (w *Worker) executeStolen(j *Job) {
	w.stole = false
	_, code, _ := j.task.about()
	defer trace.StartRegion(context.Background(), "stolen "+tape.NameOf(code)).End()
	w.execute(j)
}
