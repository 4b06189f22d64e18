package pool

import (
	"context"
	"fmt"
)

type workerKey struct{}

// A carrier is a context that carries a worker.
type carrier struct {
	context.Context
	worker *Worker
}

func (c *carrier) Value(key any) any {
	if key == (workerKey{}) {
		return c.worker
	}
	return c.Context.Value(key)
}

// String is for those who print a context, as those of package context are printed.
func (c *carrier) String() string { return fmt.Sprint(c.Context, ".WithWorker") }

// NewContext returns a copy of ctx that carries w, for code that has no
// parameter for a worker. Deadline, cancellation and values are those of ctx. It
// carries one worker: that of the last NewContext, of whatever pool. A nil w
// hides the one that ctx carries. A nil ctx panics. It allocates three words.
//
// A [Run] of the same pool which the context reaches in a job of w, on the
// same goroutine, goes on as the worker of that job, even if a seat is free.
// Run does not take the context's word for it, but looks at the stack. Anywhere
// else it does what it does with ctx: on another goroutine, after the job has
// ended, and with a worker of another pool.
//
// The context keeps the pool in memory, but does not keep it open.
func NewContext(ctx context.Context, w *Worker) context.Context {
	if ctx == nil {
		panic("pool: NewContext with a nil context: use context.Background")
	}
	return &carrier{ctx, w}
}

// FromContext returns the worker that ctx carries, and whether there is one. A
// nil ctx panics. It costs what [context.Context.Value] does.
//
// Nothing checks that the caller may use the worker: only the goroutine of the
// job may that was handed it, and only until the job ends. So a context that goes
// to another goroutine, or is kept, should carry none: see [NewContext].
func FromContext(ctx context.Context) (*Worker, bool) {
	if ctx == nil {
		panic("pool: FromContext with a nil context: use context.Background")
	}
	w, _ := ctx.Value(workerKey{}).(*Worker)
	return w, w != nil
}
