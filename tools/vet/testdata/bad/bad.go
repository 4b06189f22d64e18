// Package bad has workers and forks that are used outside their job.
package bad

import (
	"context"
	"sync"
	"time"

	"github.com/rouse-go/rouse/pool"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

type tree struct {
	left, right *tree
	value       int
}

func sum(w *pool.Worker, t *tree) int {
	if t == nil {
		return 0
	}
	left, right := pool.Both(w,
		func(*pool.Worker) int { return sum(w, t.left) },    // want `w is a worker from outside this function, which is given one of its own: name its \*pool.Worker parameter, and use that`
		func(_ *pool.Worker) int { return sum(w, t.right) }) // want `name its \*pool.Worker parameter`
	return left + right + t.value
}

// Its own parameter has another name.
func named(w *pool.Worker, t *tree) int {
	return pool.Fork(w, func(v *pool.Worker, t *tree) int {
		_ = v
		return sum(w, t.left) + sum(w, t.right) // want `w is a worker from outside this function, which is given one of its own: use its parameter v`
	}, t).Join(w)
}

func instantiated(w *pool.Worker, t *tree) int {
	f := pool.Fork[*tree, int](w, func(_ *pool.Worker, t *tree) int { return sum(w, t) }, t) // want `w is a worker from outside this function`
	a, b := pool.Invoke[*tree, int, int, string](w, sum, t, func(*pool.Worker, int) string {
		sum(w, t) // want `w is a worker from outside this function`
		return ""
	}, 0)
	return a + len(b) + f.Join(w)
}

func spawned(w *pool.Worker, t *tree) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		s.Spawn(w, func(v *pool.Worker) {
			s.Spawn(w, func(u *pool.Worker) { sum(v, t) }) // want `w is a worker from outside` `v is a worker from outside this function, which is given one of its own: use its parameter u`
		})
	})
}

// The body is handed the worker that it runs as.
func captured(ctx context.Context, w *pool.Worker, p *pool.Pool, t *tree) {
	w.Scope(func(_ *pool.Worker, s *pool.Scope) {
		s.Spawn(w, func(*pool.Worker) {}) // want `w is a worker from outside this function, which is given one of its own: name its \*pool.Worker parameter, and use that`
	})
	w.Group(ctx, func(_ context.Context, v *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return nil }) // want `use its parameter v`
		return nil
	})
	f := pool.Fork(w, sum, t)
	pool.RunGroup(ctx, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		f.Join(w) // want `the fork f is joined in another job`
		return nil
	})
}

func submitted(w *pool.Worker, t *tree) {
	pool.Submit(w.Pool(), func(*pool.Worker) int { return sum(w, t) })                            // want `w is a worker from outside`
	pool.Go(w.Pool(), func(*pool.Worker) { w.Block(func() {}) })                                  // want `w is a worker from outside`
	pool.Run(context.Background(), w.Pool(), func(*pool.Worker, int) int { return sum(w, t) }, 0) // want `w is a worker from outside`
}

// The literal is first kept in a variable; the use is in a literal inside it.
func kept(w *pool.Worker, t *tree) int {
	job := func(_ *pool.Worker, t *tree) int {
		again := func() int { return sum(w, t) } // want `w is a worker from outside`
		return again()
	}
	return pool.Fork(w, job, t).Join(w)
}

// Aliases of the types, and a name for the import's type.
type (
	worker  = pool.Worker
	pointer = *worker
)

func aliased(w pointer, t *tree) int {
	return pool.Fork(w, func(_ pointer, t *tree) int { return sum(w, t) }, t).Join(w) // want `w is a worker from outside`
}

type solver struct{ w *pool.Worker }

func (s *solver) solve(w *pool.Worker, t *tree) int {
	local := solver{w}
	return pool.Fork(w, func(_ *pool.Worker, t *tree) int {
		return sum(s.w, t) + // want `s.w is a worker from outside`
			sum((local).w, t) // want `\(local\).w is a worker from outside`
	}, t).Join(w)
}

func generic[A, R any](w *pool.Worker, fn func(*pool.Worker, A) R, a A) R {
	return pool.Fork(w, func(_ *pool.Worker, a A) R { return fn(w, a) }, a).Join(w) // want `w is a worker from outside`
}

// Only the inner literal gives the variable another value.
func assignedElsewhere(w *pool.Worker, t *tree) {
	pool.Fork(w, func(*pool.Worker, int) int {
		sum(w, t) // want `w is a worker from outside`
		return pool.Fork(nil, func(v *pool.Worker, _ int) int { w = v; return sum(w, t) }, 0).Join(nil)
	}, 0).Join(w)
}

func goroutines(ctx context.Context, w *pool.Worker, t *tree) {
	go func() {
		sum(w, t) // want `the worker w is used on another goroutine than that of its job: fork instead, or call pool.Run on that goroutine`
	}()
	go (func() { func() { sum(w, t) }() })() // want `the worker w is used on another goroutine`
	go sum(w, t)                             // want `the worker w is used on another goroutine`
	go w.Block(func() {})                    // want `the worker w is used on another goroutine`
	go func(v *pool.Worker) { sum(v, t) }(w) // want `the worker w is used on another goroutine`

	time.AfterFunc(time.Second, func() { sum(w, t) }) // want `another goroutine`
	context.AfterFunc(ctx, func() { sum(w, t) })      // want `another goroutine`
	var all sync.WaitGroup
	all.Go(func() { sum(w, t) }) // want `another goroutine`
	var group errgroup.Group
	group.Go(func() error { sum(w, t); return nil })    // want `another goroutine`
	group.TryGo(func() error { sum(w, t); return nil }) // want `another goroutine`
	var once singleflight.Group
	once.DoChan("key", func() (any, error) { return sum(w, t), nil }) // want `another goroutine`
	w.Block(func() {
		all.Go(func() { sum(w, t) }) // want `another goroutine`
		all.Wait()
	})
}

func joinedElsewhere(w *pool.Worker, t *tree) {
	f, g := pool.Fork(w, sum, t), pool.Fork(w, sum, t)
	forks := []pool.Forked[*tree, int]{pool.Fork(w, sum, t)}
	pool.Invoke(w, sum, t, func(w *pool.Worker, _ int) int {
		return f.Join(w) + // want `the fork f is joined in another job than the one that forked it: join it there, and hand on the result`
			forks[0].Join(w) // want `the fork forks\[0\] is joined in another job`
	}, 0)
	go func() {
		pool.Run(context.Background(), w.Pool(), func(w *pool.Worker, _ int) int {
			return g.Join(w) // want `the fork g is joined in another job`
		}, 0)
	}()
}

var (
	current *pool.Worker
	pending pool.Forked[*tree, int]
)

func away(w *pool.Worker, t *tree, workers chan<- *pool.Worker, forks chan pool.Forked[*tree, int]) {
	workers <- w                                                                    // want `a worker is sent over a channel, but belongs to the job that it comes from`
	forks <- pool.Fork(w, sum, t)                                                   // want `a fork is sent over a channel`
	current = w                                                                     // want `a worker is stored in the package variable current, but belongs to one job`
	pending = pool.Fork(w, sum, t)                                                  // want `a fork is stored in the package variable pending`
	pool.Fork(w, func(*pool.Worker, int) int { return sum(current, t) }, 0).Join(w) // want `current is a worker from outside`
}
