package conformance

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// poolResults are run with one, two and four workers, and on one processor.
var poolResults = []poolCase{
	{name: "Fib", rule: "P1", run: runFib},
	{name: "Scope", rule: "P1", run: runScope},
	{name: "Submit", rule: "P1", run: runSubmit},
	{name: "ManyForks", rule: "P9", run: runManyForks},
	{name: "DeepForks", rule: "P9", run: runDeepForks},
	{name: "CollectWhileAsleep", rule: "P10", run: runCollect},
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

func invokeFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	x, y := pool.Invoke(w, invokeFib, n-1, invokeFib, n-2)
	return x + y
}

func runFib(r *run, p *pool.Pool) {
	for name, fn := range map[string]func(*pool.Worker, int) int{"Fork": fib, "Invoke": invokeFib} {
		for n := range 20 {
			got, err := pool.Run(background, p, fn, n)
			r.Check(err == nil && got == plainFib(n), "P1", "fib(%d) by %s is %d, %v, want %d", n, name, got, err, plainFib(n))
		}
	}
}

func runScope(r *run, p *pool.Pool) {
	const width, depth, want = 5, 4, 5 + 5*5 + 5*5*5 + 5*5*5*5
	var ran atomic.Int64
	var spawn func(s *pool.Scope, w *pool.Worker, depth int)
	spawn = func(s *pool.Scope, w *pool.Worker, depth int) {
		if depth == 0 {
			return
		}
		for i := range width {
			s.Spawn(w, func(w *pool.Worker) {
				ran.Add(1)
				if i == 0 {
					// A scope of its own, done before this job is.
					var before atomic.Int32
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						for range width {
							s.Spawn(w, func(*pool.Worker) { before.Add(1) })
						}
					})
					if n := before.Load(); n != width {
						r.Report("P1", "Scope returned after %d of %d spawned jobs", n, width)
					}
				}
				spawn(s, w, depth-1)
			})
		}
	}
	got := enter(r, p, func(w *pool.Worker) int64 {
		w.Scope(func(w *pool.Worker, s *pool.Scope) { spawn(s, w, depth) })
		return ran.Load()
	})
	r.Check(got == want, "P1", "Scope returned when %d of %d jobs had run", got, want)
}

func runSubmit(r *run, p *pool.Pool) {
	var handles []*pool.Handle[int]
	for i := range 200 {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int { return fib(w, i%10) }))
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	for i, h := range handles {
		if _, err := h.Wait(ended); err != nil && err != context.Canceled {
			r.Fail("P1", "Wait with an ended context returned the error %v", err)
		}
		for range 2 {
			got := await(r, h)
			r.Check(got == plainFib(i%10), "P1", "job %d returned %d, want %d", i, got, plainFib(i%10))
		}
	}
	sum := enter(r, p, func(w *pool.Worker) (sum int) {
		for i, h := range submitLeaves(r, p, fib, numbers(20)) {
			wait := h.Join
			if i%2 == 0 {
				wait = func(*pool.Worker) (int, error) { return h.Wait(background) }
			}
			n, err := wait(w)
			if err != nil {
				r.Report("P1", "a job that waits for one it has submitted got the error %v", err)
			}
			sum += n
		}
		return sum
	})
	r.Check(sum == 10945, "P1", "fib(0) to fib(19), submitted by a job, are %d in all, want 10945", sum)
}

// scaled returns n, or less where that would take long.
func scaled(r *run, n int) int {
	if testing.Short() || r.Brief() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	return n
}

// runManyForks has as many forks pending as make stacks and deques grow many times.
func runManyForks(r *run, p *pool.Pool) {
	n := 1 << 17
	if r.Brief() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	sum := enter(r, p, func(w *pool.Worker) int {
		forks := make([]pool.Forked[int, int], n)
		for i := range forks {
			forks[i] = pool.Fork(w, func(_ *pool.Worker, i int) int { return i }, i)
		}
		sum := 0
		for i := len(forks) - 1; i >= 0; i-- {
			sum += forks[i].Join(w)
		}
		return sum
	})
	want := int(int64(n) * int64(n-1) / 2) // wraps like the sum where an int has 32 bits
	r.Check(sum == want, "P9", "the sum of %d forks is %d, want %d", n, sum, want)
}

func deep(w *pool.Worker, n int) int {
	if n == 0 {
		return 0
	}
	f := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
	return deep(w, n-1) + f.Join(w)
}

// runDeepForks has each fork pending below the next call.
func runDeepForks(r *run, p *pool.Pool) {
	n := scaled(r, 1<<17)
	if p.Workers() > 1 {
		n /= 4 // others take the oldest fork, so a deeper stack shows nothing more
	}
	got, err := pool.Run(background, p, deep, n)
	r.Check(err == nil && got == n, "P9", "%d nested forks give %d, %v", n, got, err)
}

// runCollect collects garbage while the workers have nothing to do.
func runCollect(r *run, p *pool.Pool) {
	for range 5 {
		runtime.GC()
		got, err := pool.Run(background, p, fib, 10)
		r.Check(err == nil && got == 55, "P10", "fib(10) after a garbage collection is %d, %v", got, err)
	}
}
