package conformance

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A tally is what a program has done that Stats counts.
type tally struct{ forks, spawned, outside, blocks atomic.Uint64 }

// tree forks in each way that there is, and spawns.
func (c *tally) tree(w *pool.Worker, depth int) int {
	if depth == 0 {
		return 1
	}
	c.forks.Add(1)
	var a, b int
	switch depth % 4 {
	case 0:
		f := pool.Fork(w, c.tree, depth-1)
		b = c.tree(w, depth-1)
		a = f.Join(w)
	case 1:
		a, b = pool.Invoke(w, c.tree, depth-1, c.tree, depth-1)
	case 2:
		a, b = pool.Both(w, func(w *pool.Worker) int { return c.tree(w, depth-1) }, func(w *pool.Worker) int { return c.tree(w, depth-1) })
	default:
		c.forks.Add(^uint64(0)) // it spawns instead
		c.blocks.Add(1)
		w.Block(func() {}) // another worker has the seat then
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			c.spawned.Add(2)
			s.Spawn(w, func(w *pool.Worker) { a = c.tree(w, depth-1) })
			s.Spawn(w, func(w *pool.Worker) { b = c.tree(w, depth-1) })
		})
	}
	return a + b
}

// stats runs programs that count what they do, from several goroutines at once, and
// compares that with what the pool has counted.
func (s poolSuite) stats(r *run) {
	for _, workers := range []int{1, 2, 4} {
		for _, eager := range []bool{false, true} {
			var opts []pool.Option
			if eager {
				opts = append(opts, pool.WithEagerPublish())
			}
			for _, depth := range []int{0, 6} {
				s.countedAs(r, s.start(r, workers, opts...), eager, depth)
			}
		}
	}
}

// countedAs runs trees of so many levels on the pool, and closes it. Without a level a
// job neither forks nor waits.
func (s poolSuite) countedAs(r *run, p *pool.Pool, eager bool, depth int) {
	rounds, callers := 10, 2
	if r.Brief() {
		rounds = 3
	}
	var c tally
	stop, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for last := p.Stats(); ; {
			now := p.Stats()
			notLess(r, last, now)
			last = now
			select {
			case <-stop:
				return
			default:
				runtime.Gosched() // on js/wasm nothing else runs meanwhile
			}
		}
	}()
	r.During("P26", "jobs end whose forks are counted")
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				got, err := pool.Run(background, p, c.tree, depth)
				handles, errs := pool.SubmitAll(p, []func(*pool.Worker) int{
					func(w *pool.Worker) int { return c.tree(w, depth) },
					func(w *pool.Worker) int { return c.tree(w, depth) },
				})
				h, fails := pool.Submit(p, func(w *pool.Worker) int { return c.tree(w, depth) })
				if err != nil || errs != nil || fails != nil {
					r.Report("P1", "Run, SubmitAll and Submit returned the errors %v, %v and %v", err, errs, fails)
					return
				}
				for _, h := range append(handles, h) {
					n, _ := h.Wait(background)
					got += n
				}
				c.outside.Add(4)
				if got != 4<<depth {
					r.Report("P1", "four trees of %d leaves have %d", 1<<depth, got)
				}
			}
		})
	}
	all.Wait()
	r.During("P26", "the count of forks of a pool at rest becomes %d; it is %d", c.forks.Load(), p.Stats().Forks)
	r.Until(func() bool { return p.Stats().Forks >= c.forks.Load() })
	close(stop)
	r.Wait(watched)
	s.close(r, p)
	got := p.Stats()
	r.Check(got.Workers == p.Workers(), "P26", "Stats of a pool of %d workers says %d", p.Workers(), got.Workers)
	r.Check(got.Forks == c.forks.Load(), "P26", "%d forks are counted, want %d: %+v", got.Forks, c.forks.Load(), got)
	r.Check(got.Spawned == c.spawned.Load(), "P26", "%d spawned jobs are counted, want %d: %+v", got.Spawned, c.spawned.Load(), got)
	r.Check(got.Published <= got.Forks, "P26", "more forks are counted as published than there were: %+v", got)
	r.Check(!eager || got.Published == got.Forks, "P26", "with WithEagerPublish %d of %d forks are counted as published: %+v", got.Published, got.Forks, got)
	// A job that goes on after a wait may borrow a seat, too.
	began, waits := got.Injected+got.Borrowed, depth > 0
	r.Check(began == c.outside.Load() || waits && began > c.outside.Load(), "P26", "%d jobs are counted as queued and %d seats as borrowed, for %d jobs from outside; jobs wait: %t; %+v", got.Injected, got.Borrowed, c.outside.Load(), waits, got)
	r.Check(got.Injected <= c.outside.Load(), "P26", "%d jobs from outside are counted as queued, of %d: %+v", got.Injected, c.outside.Load(), got)
	// Queued jobs are taken several at a time, and lie in a deque then.
	r.Check(got.Steals <= got.Published+got.Spawned+got.Injected, "P26", "more steals are counted than jobs that could be stolen: %+v", got)
	// A job may give up its seat for a join or a scope whose latch is set by then: that
	// one is not set aside. Each Block is followed by a scope.
	left := c.forks.Load() + 2*c.blocks.Load()
	r.Check(got.Seatless <= left, "P26", "more jobs are counted as going on without a seat than have joined, left a scope or been in Block, %d times: %+v", left, got)
	r.Check(got.SetAside <= left-c.blocks.Load(), "P26", "more jobs are counted as set aside than have joined or left a scope, %d times: %+v", left-c.blocks.Load(), got)
}

// notLess checks that no count has gone down.
func notLess(r *run, last, now pool.Stats) {
	was, is := reflect.ValueOf(last), reflect.ValueOf(now)
	for i := range was.NumField() {
		if f := was.Field(i); f.CanUint() && is.Field(i).Uint() < f.Uint() {
			r.Report("P26", "the count %s went down from %d to %d", was.Type().Field(i).Name, f.Uint(), is.Field(i).Uint())
		}
	}
}
