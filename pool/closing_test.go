package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What jobs do while their pool closes. What others' pools have gone wrong in here, package
// covers says.
func TestClosing(t *testing.T) {
	eachCase(t, []poolCase{
		{"withdrawn", "P6", closeWithdrawn},
		{"waiting", "P6", closeWaiting},
		{"forking", "P6", closeForking},
	}, 2)
}

// The queue holds jobs only that were withdrawn, or that nobody waits for any more.
func closeWithdrawn(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	ctx, cancel := context.WithCancel(background)
	var began atomic.Bool
	var over []chan bool
	for range 5 {
		over = append(over, queued(t, p, func() {
			_, err := pool.Run(ctx, p, func(*pool.Worker, int) int { began.Store(true); return 0 }, 0)
			expect(t, err == context.Canceled,
				"P1: Run whose context ended while it waited returned %v, want its error", err)
		}))
	}
	kept := submitted(t, p, func(*pool.Worker) int { return 7 })
	cancel()
	_, err := kept.Wait(ctx)
	check(t, err == context.Canceled, "P1: Wait with an ended context returned %v, want its error", err)
	for _, done := range over {
		<-done
	}
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	free()
	err = <-closed
	check(t, err == nil, "P6: Close returned %v", err)
	check(t, !began.Load(), "P1: Run returned an error, and has begun the function all the same")
	check(t, result(t, kept) == 7, "P6: a job for which a Wait was given up was not run by Close")
}

// closesDuring closes the pool while a job waits for that. Then the job goes on with fn, which
// gives want. All that it has submitted until then is run.
func closesDuring(t *testing.T, p *pool.Pool, want int, fn func(w *pool.Worker) int) {
	var accepted, ran atomic.Int32
	h := submitted(t, p, func(w *pool.Worker) int {
		for {
			_, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(1); return 0 })
			if errors.Is(err, pool.ErrClosed) {
				return fn(w)
			}
			accepted.Add(1)
			runtime.Gosched() // where there is one thread, let others run
		}
	})
	err := p.Close()
	check(t, err == nil, "P6: Close returned %v", err)
	n := result(t, h)
	check(t, n == want, "P6: a job that went on while the pool closed gave %d, want %d", n, want)
	check(t, ran.Load() == accepted.Load(), "P7: %d submissions by a job were accepted, and %d were run", accepted.Load(), ran.Load())
}

// A job begins to wait for another when Close was called.
func closeWaiting(t *testing.T, p *pool.Pool) {
	var waiting sync.WaitGroup
	waiting.Add(1)
	awaited := submitted(t, p, func(w *pool.Worker) int { waiting.Wait(); return fib(w, 10) })
	closesDuring(t, p, 55, func(w *pool.Worker) int {
		waiting.Done()
		n, err := awaited.Join(w)
		expect(t, err == nil, "P6: a job that was waited for while the pool closed gave the error %v", err)
		return n
	})
}

// An accepted job forks, spawns and runs after Close was called.
func closeForking(t *testing.T, p *pool.Pool) {
	closesDuring(t, p, 10+55+55, func(w *pool.Worker) int {
		var spawned atomic.Int32
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 10 {
				s.Spawn(w, func(*pool.Worker) { spawned.Add(1) })
			}
		})
		return int(spawned.Load()) + mustRun(t, p, fib, 10) + fib(w, 10)
	})
}

// A job of p closes q, as the second one. A job of q needs the only worker of p before it can
// end.
func TestSecondCloseInJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P6", "the second of two calls of Close, in a job of another pool whose only worker a job of the closed one needs", func() {
		for range 3 {
			q := poolOf(t, 1)
			begun, closing, over := make(chan bool), make(chan bool), make(chan bool)
			h := submitted(t, q, func(*pool.Worker) int {
				close(begun)
				<-closing
				return mustRun(t, p, fib, 5)
			})
			<-begun
			closes := func() {
				noError(t, q.Close(), "P6: one of two calls of Close returned")
			}
			go func() { closes(); close(over) }()
			until(t, "the pool closes", func() bool {
				_, err := pool.Submit(q, nothing)
				return errors.Is(err, pool.ErrClosed)
			})
			together(func() { do(t, p, func(*pool.Worker) { close(closing); closes() }) })
			<-over
			check(t, result(t, h) == 5, "P6: a job that a closed pool had accepted gave a wrong result")
			meet(t, p)
		}
	})
}
