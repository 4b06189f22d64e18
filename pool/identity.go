package pool

import (
	"context"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/pool/internal/spell"
)

// NewContext returns a copy of ctx that carries w, for code that has no
// parameter for a worker. Deadline, cancellation and values are those of ctx. It
// carries one worker: that of the last NewContext, of whatever pool. A nil w
// hides the one that ctx carries. A nil ctx panics. It allocates three words.
//
// A [Run] of the same pool which the context reaches in a job, on the same goroutine, goes on as the
// worker of that job. Anywhere else Run treats it like ctx: on another goroutine, after the job has
// ended, and with a worker of another pool.
//
// The context keeps the pool in memory, but does not keep it open.
func NewContext(ctx context.Context, w *Worker) context.Context {
	needContext("NewContext", ctx)
	return &carrier{ctx, w}
}

// FromContext returns the worker that ctx carries, and whether there is one. A
// nil ctx panics. It costs as much as [context.Context.Value].
//
// Nothing checks that the caller may use the worker: only the goroutine of the
// job that was handed it may, and only until the job ends. So a context that goes
// to another goroutine, or is kept, should carry none: see [NewContext].
func FromContext(ctx context.Context) (*Worker, bool) {
	needContext("FromContext", ctx)
	w, _ := ctx.Value(workerKey{}).(*Worker)
	return w, w != nil
}

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

// String is for printing a context, as those of package context are printed.
func (c *carrier) String() string { return fmt.Sprint(c.Context, ".WithWorker") }

// A function that is called without a worker looks for those of its goroutine. They lie one
// above the other when jobs call Run, and have their numbers spelt on the stack: see package spell.

// workerIDs has the workers of all pools.
var workerIDs spell.Table[Worker]

// workerHere returns the innermost worker of the calling goroutine, or nil: most goroutines have
// none. It looks at the stack, which takes a microsecond or two, and more only if the next worker
// lies deep, or there is none.
func workerHere() *Worker {
	for number := range spell.Numbers {
		if _, w := workerIDs.Get(number); w != nil {
			return w
		}
	}
	return nil
}

// isHere reports whether the pool waits for the calling goroutine before it ends: a job of the
// pool is on its stack, or the pool's panic handler, on a goroutine of its own.
func (p *Pool) isHere() bool {
	for number := range spell.Numbers {
		if g, _ := workerIDs.Get(number); g == &p.ids {
			return true
		}
	}
	return false
}

// workers are those of a goroutine, innermost first. Only the first of them runs; the others
// are beneath it.
type workers []*Worker

// nobody are the workers beneath one that has none.
var nobody = workers{}

// workersHere returns all that the stack of the calling goroutine spells. It takes longer the
// deeper that is.
func workersHere() workers {
	var all workers
	for number := range spell.Numbers {
		if _, w := workerIDs.Get(number); w != nil && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// in returns the innermost worker of the pool, or nil.
func (ws workers) in(p *Pool) *Worker {
	for _, w := range ws {
		if w.pool == p {
			return w
		}
	}
	return nil
}

// below returns the workers beneath w on its goroutine, which is the caller's. It looks for them
// once in each Run.
func (w *Worker) below() workers {
	if w.beneath == nil {
		all := workersHere()
		for i, w := range all {
			if w.beneath == nil {
				w.beneath = all[i+1:]
			}
		}
	}
	return w.beneath
}

// in returns the innermost worker of the pool on the goroutine of w, which is the innermost one
// there, or nil.
func (w *Worker) in(p *Pool) *Worker {
	if w == nil || w.pool == p {
		return w
	}
	return w.below().in(p)
}

// but returns w and the workers below, without the given one.
func (w *Worker) but(one *Worker) workers {
	return slices.DeleteFunc(append(workers{w}, w.below()...), func(w *Worker) bool { return w == one })
}
