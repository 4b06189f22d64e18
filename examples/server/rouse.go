package main

import (
	"cmp"
	"context"
	"errors"
	"log"
	"runtime/pprof"

	"github.com/rouse-go/rouse/pool"
)

// onPool does the work on a pool with a bounded queue.
type onPool struct{ *pool.Pool }

func newOnPool(l limits) (engine, error) {
	// The handler gets the panics of jobs whose caller does not wait any more.
	p, err := pool.New(pool.WithWorkers(l.workers), pool.WithQueueLimit(l.queue),
		pool.WithPanicHandler(func(e *pool.PanicError) { log.Print(e) }))
	return onPool{p}, err
}

func (p onPool) do(ctx context.Context, label string, work work) (reply, error) {
	type result struct {
		reply reply
		err   error
	}
	h, err := pool.Submit(p.Pool, func(w *pool.Worker) (r result) {
		pprof.Do(ctx, pprof.Labels("route", label), func(ctx context.Context) {
			r.reply, r.err = work(ctx, partsOf(w))
		})
		return r
	})
	if errors.Is(err, pool.ErrFull) {
		return reply{}, errBusy
	} else if err != nil {
		return reply{}, err
	}
	defer h.Cancel() // If ctx is done, the job need not start any more.
	r, err := h.Wait(ctx)
	return r.reply, cmp.Or(err, r.err)
}

// partsOf runs parts as jobs of the worker's pool.
func partsOf(w *pool.Worker) parts {
	return func(n int, f func(i int)) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for i := range n {
				s.Spawn(w, func(*pool.Worker) { f(i) })
			}
		})
	}
}

func (p onPool) shutdown(ctx context.Context) error { return p.Shutdown(ctx) }
