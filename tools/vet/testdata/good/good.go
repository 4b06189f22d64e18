// Package good uses workers where they belong. The analyzer must be silent.
package good

import (
	"context"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

type tree struct {
	left, right *tree
	value       int
}

func sum(w *pool.Worker, t *tree) int {
	if t == nil {
		return 0
	}
	left, right := pool.Invoke(w, sum, t.left, sum, t.right)
	return left + right + t.value
}

// A parameter hides the worker of the job around, or is ignored.
func hidden(w *pool.Worker, t *tree) {
	pool.Both(w, func(w *pool.Worker) int { return sum(w, t.left) }, func(w *pool.Worker) int { return sum(w, t.right) })
	pool.Both(w, func(*pool.Worker) int { return t.value }, func(_ *pool.Worker) int { return t.value })
}

// These run here, as the job.
func here(ctx context.Context, w *pool.Worker, t *tree) {
	var once sync.Once
	once.Do(func() { sum(w, t) })
	defer func() { sum(w, t) }()
	w.Block(func() { use(ctx, w.Pool()) })
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range 8 {
			s.Spawn(w, func(w *pool.Worker) { s.Spawn(w, func(w *pool.Worker) { sum(w, t) }) })
		}
	})
	for _, f := range []func(){func() { sum(w, t) }} {
		f()
	}
	for range func(yield func(int) bool) { yield(sum(w, t)) } {
		sum(w, t)
	}
}

func use(ctx context.Context, p *pool.Pool) { pool.Run(ctx, p, sum, nil) }

// Two pools: the outer worker goes on after the inner Run.
func nested(ctx context.Context, p, q *pool.Pool, t *tree) {
	pool.Run(ctx, p, func(outer *pool.Worker, t *tree) int {
		outer.Block(func() { pool.Run(ctx, q, func(w *pool.Worker, t *tree) int { return sum(w, t) }, t) })
		n, _ := pool.Run(ctx, q, func(w *pool.Worker, t *tree) int {
			if w == outer || w.Pool() == outer.Pool() {
				panic("another pool, another worker")
			}
			return sum(w, t)
		}, t)
		return n + sum(outer, t)
	}, t)
}

// Helpers take the worker, and functions that want one.
type solver struct {
	p *pool.Pool
	w *pool.Worker
}

func (s *solver) left(w *pool.Worker, t *tree) int { return sum(w, t.left) }

func (s *solver) both(w *pool.Worker, t *tree) int {
	a, b := pool.Invoke(w, s.left, t, func(w *pool.Worker, t *tree) int { return s.left(w, t) }, t)
	each := func(w *pool.Worker, f func(*pool.Worker)) { f(w) }
	each(w, func(w *pool.Worker) { sum(w, t) })
	return a + b
}

// Its field is that of its own job.
func (s *solver) run(ctx context.Context, t *tree) {
	var own *pool.Worker
	pool.Run(ctx, s.p, func(w *pool.Worker, t *tree) int {
		s.w, own = w, w
		mine := solver{s.p, w}
		return sum(s.w, t) + sum(own, t) + mine.both(mine.w, t)
	}, t)
}

func forks[A, R any](w *pool.Worker, fn func(*pool.Worker, A) R, args ...A) (results []R) {
	forks := make([]pool.Forked[A, R], len(args))
	for i, a := range args {
		forks[i] = pool.Fork[A, R](w, func(w *pool.Worker, a A) R { return fn(w, a) }, a)
	}
	for _, f := range forks {
		results = append(results, f.Join(w))
	}
	return results
}

// The first functions of Invoke and Both run here, and may join what is older; the bodies
// of scopes and groups, too.
func older(w *pool.Worker, t *tree) {
	f, g, h := pool.Fork(w, sum, t), pool.Fork(w, sum, t), pool.Fork(w, sum, t)
	pool.Both(w, func(w *pool.Worker) int { return f.Join(w) }, func(w *pool.Worker) int { return sum(w, t) })
	pool.Invoke(w, func(w *pool.Worker, _ int) int { return g.Join(w) }, 0, sum, t)
	w.Scope(func(w *pool.Worker, _ *pool.Scope) { h.Join(w) })
	i := pool.Fork(w, sum, t)
	w.Group(context.Background(), func(_ context.Context, w *pool.Worker, _ *pool.Group) error { i.Join(w); return nil })
}

// Code that has no parameter for a worker gets it by a context.
func carried(ctx context.Context, p *pool.Pool, t *tree) {
	pool.Run(ctx, p, func(w *pool.Worker, t *tree) int {
		ctx := pool.NewContext(ctx, w)
		visit := func() int {
			if w, ok := pool.FromContext(ctx); ok {
				return sum(w, t)
			}
			return 0
		}
		return visit()
	}, t)
}

// Goroutines call Run, or use the worker of a Run of their own.
func goroutines(ctx context.Context, w *pool.Worker, t *tree) {
	p := w.Pool()
	var all sync.WaitGroup
	w.Block(func() {
		all.Go(func() { pool.Run(ctx, p, sum, t) })
		all.Go(func() { pool.Run(ctx, w.Pool(), sum, t) })
		go pool.Run(ctx, p, func(w *pool.Worker, t *tree) int { return sum(w, t) }, t)
		all.Wait()
	})
}

// Whose worker is which: a set, and comparisons.
func compared(ctx context.Context, p *pool.Pool, w *pool.Worker) (same bool) {
	seen := map[*pool.Worker]bool{w: true}
	pool.Run(ctx, p, func(v *pool.Worker, _ int) int {
		_, same = w, seen[v] && seen[w] && v == w
		return 0
	}, 0)
	return same
}

// Elements of slices may be anything.
func elements(p *pool.Pool, workers []*pool.Worker) {
	var own *pool.Worker
	pool.Go(p, func(w *pool.Worker) {
		workers := append(workers, w)
		sum(workers[len(workers)-1], nil)
	})
	place := len(workers) - 1
	pool.Go(p, func(w *pool.Worker) {
		copy(workers[place:], []*pool.Worker{w})
		sum(workers[place], nil)
	})
	pool.Go(p, func(w *pool.Worker) {
		for _, own = range []*pool.Worker{w} {
			sum(own, nil)
		}
	})
}

var last *pool.Worker

func clear(workers chan *pool.Worker) {
	last = nil
	workers <- nil
}

// Another type of the same name.
type Worker struct{}

func (*Worker) work() {}

func others(w *Worker) {
	go w.work()
	func(*Worker) { w.work() }(w)
}
