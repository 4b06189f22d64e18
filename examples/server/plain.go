package main

import (
	"context"
	"fmt"
	"log"
	"runtime/debug"
	"runtime/pprof"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// onSemaphore does each work on a goroutine. One semaphore bounds those that run, and
// one those that run or wait.
type onSemaphore struct {
	running, accepted *semaphore.Weighted
	limits            limits
}

func newOnSemaphore(l limits) (engine, error) {
	return &onSemaphore{semaphore.NewWeighted(int64(l.workers)), semaphore.NewWeighted(int64(l.workers + l.queue)), l}, nil
}

func (s *onSemaphore) do(ctx context.Context, label string, work work) (reply, error) {
	type result struct {
		reply reply
		err   error
	}
	if !s.accepted.TryAcquire(1) {
		return reply{}, errBusy
	}
	done := make(chan result, 1) // do may have returned by then
	go func() {
		defer s.accepted.Release(1)
		var r result
		defer func() {
			if v := recover(); v != nil {
				log.Printf("panic: %v\n%s", v, debug.Stack()) // do may have returned
				r.err = fmt.Errorf("panic: %v", v)
			}
			done <- r
		}()
		if r.err = s.running.Acquire(ctx, 1); r.err != nil {
			return
		}
		defer s.running.Release(1)
		pprof.Do(ctx, pprof.Labels("route", label), func(ctx context.Context) {
			r.reply, r.err = work(ctx, s.parts)
		})
	}()
	select {
	case r := <-done:
		return r.reply, r.err
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
}

// parts runs parts on goroutines. If one panics, so does the program.
func (s *onSemaphore) parts(n int, f func(i int)) {
	var g errgroup.Group
	g.SetLimit(s.limits.workers)
	for i := range n {
		g.Go(func() error {
			f(i)
			return nil
		})
	}
	g.Wait()
}

func (s *onSemaphore) shutdown(ctx context.Context) error {
	return s.accepted.Acquire(ctx, int64(s.limits.workers+s.limits.queue))
}
