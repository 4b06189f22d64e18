package par

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A body that forks needs the worker that it runs as. So such a call is a job of the pool, whatever
// it does: its caller has a worker also for what it does alone. Whoever helps is a job itself, but
// for the goroutines of a call with a limit above the number of workers: with these a range becomes
// a job of its own.
//
// A body that panics may leave forks behind. The loop keeps the panic until no lower index can fail,
// and the worker may do other elements meanwhile. So each range of a shared call is a scope of its
// own: else those forks would begin when the job ends, and their panics hide that of a lower index.

// ForWorker is [For] for a body that forks, by [pool.Invoke] and the like. body is handed the worker
// that it runs as, and must use that one, not a worker of the function around the call: another
// worker may run body. When ForWorker returns, forks that body has not joined have ended, or will
// never start.
//
// It costs a microsecond or two more than For; and if it is shared, some tenths of a microsecond
// and a few objects for each range of elements. With a [WithLimit] above the number of workers, a body
// that waits keeps its worker, unless it does so in [pool.Worker.Block]. If the pool is closed, the
// worker is the only one of another pool.
func ForWorker(n int, body func(w *pool.Worker, i int), opts ...Option) {
	refuse("ForWorker", n, body == nil)
	j := &jobs{n: n, body: func(_ context.Context, w *pool.Worker, i int) error { body(w, i); return nil }}
	j.heeds(codeOf(body), opts)
	j.do()
}

// ForWorkerErr is [ForWorker] with errors, as [ForErr] is For with errors. The context that body is
// handed carries the worker ([pool.NewContext]).
func ForWorkerErr(ctx context.Context, n int, body func(ctx context.Context, w *pool.Worker, i int) error, opts ...Option) error {
	refuse("ForWorkerErr", n, body == nil)
	mustContext("ForWorkerErr", ctx)
	j := &jobs{n: n, body: body}
	j.within(ctx, codeOf(body), opts)
	return j.do()
}

// jobs are the elements of a call whose body is handed a worker.
type jobs struct {
	config // its worker is that of the caller
	n      int
	body   func(ctx context.Context, w *pool.Worker, i int) error
	err    error
}

func (j *jobs) do() error {
	if j.pool == nil {
		j.pool = pool.Default()
	}
	j.enter(j)
	return j.err
}

// enter runs a part of the call as a job of its pool, or of another one if that is closed.
func (j *jobs) enter(part loops.Job) {
	if loops.Run(j.pool, part) == nil {
		return
	}
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		panic(err)
	}
	defer p.Close()
	if err := loops.Run(p, part); err != nil {
		panic(err)
	}
}

// Run is the call, as a job.
func (j *jobs) Run(w *pool.Worker) {
	if j.pool, j.worker = w.Pool(), w; j.ctx != nil {
		j.ctx = pool.NewContext(j.ctx, w)
	}
	j.err = j.each(j.n, j)
}

// run implements elements, for the caller.
func (j *jobs) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	return j.bodies(ctx, j.worker, lo, hi, stop)
}

// runAs is run in a shared call, for a goroutine that runs as w, or that is none of the pool's if w
// is nil.
func (j *jobs) runAs(ctx context.Context, w *pool.Worker, lo, hi int, stop *prim.Bool) (at int, err error) {
	part := func(w *pool.Worker) {
		if ctx != nil {
			ctx = pool.NewContext(ctx, w)
		}
		at, err = j.bodies(ctx, w, lo, hi, stop)
	}
	if w != nil {
		w.Scope(func(w *pool.Worker, _ *pool.Scope) { part(w) })
	} else {
		j.enter(job(part))
	}
	return at, err
}

func (j *jobs) bodies(ctx context.Context, w *pool.Worker, lo, hi int, stop *prim.Bool) (at int, err error) {
	for at = lo; at < hi && err == nil; {
		err = j.body(ctx, w, at)
		if at++; stop.Load() {
			break
		}
	}
	return at, err
}

// A job is a function as loops.Run wants it.
type job func(w *pool.Worker)

func (f job) Run(w *pool.Worker) { f(w) }
