// Package workers uses workers and forks where they belong, and where they do not. The comments that begin with
// "want" say what is reported; nothing else is.
package workers

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

type tree struct{ left, right *tree }

func sum(w *pool.Worker, t *tree) int {
	if t == nil {
		return 0
	}
	left, right := pool.Invoke(w, sum, t.left, sum, t.right)
	return left + right
}

// A job has a worker of its own.
func jobs(ctx context.Context, w *pool.Worker, p *pool.Pool, t *tree) {
	pool.Both(w,
		func(*pool.Worker) int { return sum(w, t.left) },                     // want `w is a worker from outside this function, which is given one of its own: name its \*pool.Worker parameter, and use that`
		func(v *pool.Worker) int { return sum(v, t.left) + sum(w, t.right) }) // want `w is a worker from outside this function, which is given one of its own: use its parameter v`
	pool.Fork[*tree, int](w, func(_ alias, t *tree) int { return sum(w, t) }, t).Join(w)  // want `w is a worker from outside`
	pool.Go(p, func(*pool.Worker) { w.Block(func() {}) })                                 // want `w is a worker from outside`
	job := func(_ *pool.Worker, t *tree) int { return func() int { return sum(w, t) }() } // want `w is a worker from outside`
	pool.Run(ctx, p, job, t)
	w.Scope(func(v *pool.Worker, s *pool.Scope) {
		s.Spawn(w, func(u *pool.Worker) { sum(v, t) }) // want `use its parameter v` `v is a worker from outside this function, which is given one of its own: use its parameter u`
	})
	pool.Both(w, func(w *pool.Worker) int { return sum(w, t) }, func(*pool.Worker) int { return 0 })
}

type alias = *pool.Worker

type solver struct{ w *pool.Worker }

func (s *solver) fields(w *pool.Worker, p *pool.Pool, t *tree) {
	local := solver{w}
	pool.Go(p, func(*pool.Worker) {
		sum(s.w, t)       // want `s.w is a worker from outside`
		sum((local).w, t) // want `\(local\).w is a worker from outside`
	})
}

// A variable may hold the literal's own worker if the literal itself assigns it.
func (s *solver) assigned(w *pool.Worker, p *pool.Pool, t *tree) {
	var own, each *pool.Worker
	pool.Go(p, func(w *pool.Worker) {
		s.w, own = w, w
		sum(s.w, t)
		sum(own, t)
		for _, each = range []*pool.Worker{w} {
			sum(each, t)
		}
	})
	pool.Go(p, func(*pool.Worker) {
		sum(w, t) // want `w is a worker from outside`
		pool.Fork(nil, func(v *pool.Worker, _ int) int { w = v; return sum(w, t) }, 0).Join(nil)
	})
}

// These say nothing about whose worker it is, or need none.
func harmless(ctx context.Context, w *pool.Worker, p *pool.Pool, workers []*pool.Worker) (same bool) {
	seen := map[*pool.Worker]bool{w: true}
	pool.Go(p, func(v *pool.Worker) {
		_, same = w, seen[w] && v == w && w.Pool() == p
		sum(workers[0], nil)
	})
	go func() { asks(w) }()
	return same
}

func asks(w *pool.Worker) *pool.Pool { return w.Pool() }

func goroutines(ctx context.Context, w *pool.Worker, t *tree, b *testing.B) {
	go func() { sum(w, t) }()                // want `the worker w is used on another goroutine than that of its job: fork instead, or call pool.Run on that goroutine`
	go (func() { func() { sum(w, t) }() })() // want `another goroutine`
	go sum(w, t)                             // want `another goroutine`
	go w.Block(func() {})                    // want `another goroutine`
	var later func()
	later = func() { sum(w, t); later() } // want `another goroutine`
	go later()
	go run(func() { sum(w, t) })                 // want `another goroutine`
	start(func() { sum(w, t) })                  // want `another goroutine`
	time.AfterFunc(0, func() { sum(w, t) })      // want `another goroutine`
	context.AfterFunc(ctx, func() { sum(w, t) }) // want `another goroutine`
	var all sync.WaitGroup
	w.Block(func() { all.Go(func() { sum(w, t) }) }) // want `another goroutine`
	b.RunParallel(func(*testing.PB) { sum(w, t) })   // want `another goroutine`
	var group errgroup.Group
	group.Go(func() error { sum(w, t); return nil })    // want `another goroutine`
	group.TryGo(func() error { sum(w, t); return nil }) // want `another goroutine`
	var once singleflight.Group
	once.DoChan("key", func() (any, error) { return sum(w, t), nil }) // want `another goroutine`
	go pool.Run(ctx, w.Pool(), func(w *pool.Worker, t *tree) int { return sum(w, t) }, t)
	go func() {
		w, _ := pool.FromContext(ctx)
		func() { sum(w, t) }()
	}()
}

func run(f func())   { f() }
func start(f func()) { go func() { f() }() }

// In Block the job has no worker. It may ask for the pool, block again, and call Run.
func blocked(ctx context.Context, w *pool.Worker, t *tree) {
	w.Block(func() { sum(w, t) })                                          // want `the worker w is used in Block, where its job must not fork, join or spawn: do that before or after, or call pool.Run there`
	pool.BlockHere(func() { w.Scope(func(*pool.Worker, *pool.Scope) {}) }) // want `used in Block`
	f := pool.Fork(w, sum, t)
	w.Block(func() { f.Join(w) })  // want `used in Block`
	waits(w, func() { sum(w, t) }) // want `used in Block`
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		w.Block(func() { s.Spawn(w, func(*pool.Worker) {}) }) // want `used in Block`
	})
	w.Block(func() { w.Block(func() { sum(w, t) }) }) // want `used in Block`
	w.Block(func() { sumTwice(w, t) })                // want `used in Block`
	w.Block(func() {
		w.Block(func() {})
		pool.Run(ctx, w.Pool(), func(w *pool.Worker, t *tree) int { return sum(w, t) }, t)
		carry(ctx, w, t)
	})
	go func() { carry(ctx, w, t) }() // want `another goroutine`
}

func waits(w *pool.Worker, f func())   { w.Block(f) }
func sumTwice(w *pool.Worker, t *tree) { _, _ = sum(w, t), sum(w, t) }

func carry(ctx context.Context, w *pool.Worker, t *tree) {
	pool.Run(pool.NewContext(ctx, w), w.Pool(), sum, nil)
	if t != nil {
		carry(ctx, w, t.left)
	}
}

// The first functions of Invoke and Both, and the bodies of scopes and groups, run here and may join what is older.
func joins(ctx context.Context, w *pool.Worker, p *pool.Pool, t *tree) {
	f := pool.Fork(w, sum, t)
	pool.Invoke(w, func(w *pool.Worker, _ int) int { return f.Join(w) }, 0, sum, t)
	func(f func(*pool.Worker)) { f(w) }(func(w *pool.Worker) { f.Join(w) })
	g, forks := pool.Fork(w, sum, t), []pool.Forked[*tree, int]{pool.Fork(w, sum, t)}
	pool.Both(w, func(w *pool.Worker) int { return g.Join(w) }, func(w *pool.Worker) int {
		return f.Join(w) + // want `the fork f is joined in another job than the one that forked it: join it there, and hand on the result`
			forks[0].Join(w) // want `the fork forks\[0\] is joined in another job`
	})
	h := pool.Fork(w, sum, t)
	w.Scope(func(w *pool.Worker, _ *pool.Scope) { h.Join(w) })
	i := pool.Fork(w, sum, t)
	w.Group(ctx, func(_ context.Context, w *pool.Worker, _ *pool.Group) error { i.Join(w); return nil })
	pool.RunGroup(ctx, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		f.Join(w) // want `the fork f is joined in another job`
		return nil
	})
}

var (
	current *pool.Worker
	pending pool.Forked[*tree, int]
)

func away(w *pool.Worker, t *tree, workers chan *pool.Worker, forks chan pool.Forked[*tree, int]) {
	workers <- w                   // want `a worker is sent over a channel, but belongs to the job that it comes from: send data, and fork or call pool.Run where that is received`
	forks <- pool.Fork(w, sum, t)  // want `a fork is sent over a channel`
	current = w                    // want `a worker is stored in the package variable current, but belongs to one job, and other jobs run at the same time: pass it on as a parameter, or by pool.NewContext`
	pending = pool.Fork(w, sum, t) // want `a fork is stored in the package variable pending`
	workers <- nil
	current = nil
}

// Another type of the same name.
type Worker struct{}

func others(w *Worker) { go func(*Worker) {}(w) }
