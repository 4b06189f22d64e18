package pool_test

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, one who looks for the reason of a delay is told of a wait, or a steal,
// that was none, or is not told of one.
func TestStatsOfAWait(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
	during(t, "P5", "a job waits for a fork that another worker runs", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			begun, release := make(chan bool), make(chan bool)
			f := pool.Fork(w, func(*pool.Worker, int) int { close(begun); <-release; return 1 }, 0)
			<-begun
			go func() {
				until(t, "the job that joins is counted as set aside", func() bool { return p.Stats().SetAside > 0 })
				close(release)
			}()
			return f.Join(w)
		}, 0)
	})
	s := p.Stats()
	if s.Forks != 1 || s.Published != 1 || s.Steals != 1 || s.SetAside != 1 {
		t.Errorf("P26: one fork was published, stolen and waited for once: %+v", s)
	}
	if s.Spawned != 0 || s.Seatless != 0 || s.Injected != 0 {
		t.Errorf("P26: a job is counted as spawned, without a seat or queued, and none was: %+v", s)
	}
	if s.Borrowed == 0 {
		t.Errorf("P26: Run took the seat of a worker that slept, which is not counted: %+v", s)
	}
	during(t, "P6", "Close returns", func() { p.Close() })
	if after := p.Stats(); after.Forks != s.Forks || after.Steals != s.Steals || after.SetAside != s.SetAside {
		t.Errorf("P26: after Close the counts are %+v, and were %+v", after, s)
	}
}

// If this fails, one that looks for the cost of steals counts what was taken along with
// others, which costs next to nothing, or misses a steal.
func TestStatsOfStealsOfSeveral(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish())
	during(t, "P5", "forks run on another worker", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			begun, release := make(chan bool), make(chan bool)
			h := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 1 })
			<-begun // there is no thief yet
			var ran atomic.Int32
			var forks [8]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { ran.Add(1); return 1 }, 0)
			}
			close(release)
			until(t, "the other worker has done all forks", func() bool { return ran.Load() == 8 })
			// It finds 8 and takes half of the 7 that are left along; then it finds 4, and
			// takes one along, then 2, then 1.
			if n := p.Stats().Steals; n != 4 {
				t.Errorf("P26: a worker has taken 8 jobs from another one, in 4 steals, and the count is %d", n)
			}
			sum := 0
			for i := len(forks) - 1; i >= 0; i-- {
				sum += forks[i].Join(w)
			}
			one, _ := h.Join(w)
			return sum + one
		}, 0)
	})
}

// If this fails, one that asks how full the queue is, or how many workers have jobs, is told
// something else.
func TestStatsOfNow(t *testing.T) {
	const limit = 40
	for name, opts := range map[string][]pool.Option{"no limit": nil, "limit": {pool.WithQueueLimit(limit)}} {
		subtest(t, name, "P26", "queued jobs begin", func(t *testing.T) {
			p := asleep(t, newPool(t, append(opts, pool.WithWorkers(2))...))
			is := func(queued, running int) {
				t.Helper()
				if s := p.Stats(); s.Queued != queued || s.Running != running {
					t.Errorf("P26: Stats says that %d jobs are queued and %d workers have one, want %d and %d", s.Queued, s.Running, queued, running)
				}
			}
			is(0, 0)
			begun, release := make(chan bool), make(chan bool)
			hold := func(*pool.Worker) int { begun <- true; <-release; return 1 }
			var held []*pool.Handle[int]
			for range 2 {
				held = append(held, submitted(t, p, hold))
				<-begun
			}
			is(0, 2) // they began at once, or one after the other
			var queued []*pool.Handle[int]
			for range 10 {
				queued = append(queued, submitted(t, p, func(*pool.Worker) int { return 1 }))
			}
			// One holds a worker that has taken others along.
			all, err := pool.SubmitAll(p, []func(*pool.Worker) int{hold, func(*pool.Worker) int { return 1 }, func(*pool.Worker) int { return 1 }})
			if err != nil {
				t.Errorf("P1: SubmitAll returned the error %v", err)
			}
			is(13, 2)
			if !queued[3].Cancel() || !all[2].Cancel() {
				t.Error("P20: a job that is queued cannot be canceled")
			}
			is(11, 2)
			ctx, cancel := context.WithCancel(background)
			late, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			if err != nil {
				t.Errorf("P1: SubmitErr returned the error %v", err)
			}
			is(12, 2)
			cancel()
			late.Wait(background)
			is(11, 2)
			release <- true
			<-begun // in the order of coming, so nine have ended
			is(1, 2)
			close(release)
			for _, h := range append(held, append(queued, all...)...) {
				h.Wait(background)
			}
			until(t, "all workers sleep", func() bool { return p.Sleeping() == 2 })
			is(0, 0)
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				is(0, 1)
				w.Block(func() {
					until(t, "its worker sleeps", func() bool { return p.Sleeping() == 2 })
					is(0, 0)
				})
				return 0
			}, 0)
		})
	}
}

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

// Programs count what they do, from several goroutines at once, and so does the pool.
func TestStatsCountOnce(t *testing.T) {
	eachMode(t, "P26", "jobs end whose forks are counted", func(t *testing.T, opts ...pool.Option) {
		for _, depth := range []int{0, 6} {
			p := newPool(t, opts...)
			countedAs(t, p, strings.HasSuffix(t.Name(), "eager"), depth)
		}
	})
}

// countedAs runs trees of so many levels on the pool, and closes it. Without a level a
// job neither forks nor waits.
func countedAs(t *testing.T, p *pool.Pool, eager bool, depth int) {
	const rounds, callers = 10, 2
	var c tally
	stop, watched := make(chan bool), make(chan bool)
	go func() {
		defer close(watched)
		for last := p.Stats(); ; {
			now := p.Stats()
			notLess(t, last, now)
			last = now
			select {
			case <-stop:
				return
			default:
				runtime.Gosched() // on js/wasm nothing else runs meanwhile
			}
		}
	}()
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
					t.Errorf("P1: Run, SubmitAll and Submit returned the errors %v, %v and %v", err, errs, fails)
					return
				}
				for _, h := range append(handles, h) {
					n, _ := h.Wait(background)
					got += n
				}
				c.outside.Add(4)
				if got != 4<<depth {
					t.Errorf("P1: four trees of %d leaves have %d", 1<<depth, got)
				}
			}
		})
	}
	all.Wait()
	until(t, "all forks are counted of a pool at rest", func() bool { return p.Stats().Forks >= c.forks.Load() })
	close(stop)
	<-watched
	p.Close()
	got := p.Stats()
	check(t, got.Workers == p.Workers(), "P26: Stats of a pool of %d workers says %d", p.Workers(), got.Workers)
	check(t, got.Forks == c.forks.Load(), "P26: %d forks are counted, want %d: %+v", got.Forks, c.forks.Load(), got)
	check(t, got.Spawned == c.spawned.Load(), "P26: %d spawned jobs are counted, want %d: %+v", got.Spawned, c.spawned.Load(), got)
	check(t, got.Published <= got.Forks, "P26: more forks are counted as published than there were: %+v", got)
	check(t, !eager || got.Published == got.Forks, "P26: with WithEagerPublish %d of %d forks are counted as published: %+v", got.Published, got.Forks, got)
	// A job that goes on after a wait may borrow a seat, too.
	began, waits := got.Injected+got.Borrowed, depth > 0
	check(t, began == c.outside.Load() || waits && began > c.outside.Load(), "P26: %d jobs are counted as queued and %d seats as borrowed, for %d jobs from outside; jobs wait: %t; %+v", got.Injected, got.Borrowed, c.outside.Load(), waits, got)
	check(t, got.Injected <= c.outside.Load(), "P26: %d jobs from outside are counted as queued, of %d: %+v", got.Injected, c.outside.Load(), got)
	// Queued jobs are taken several at a time, and lie in a deque then.
	check(t, got.Steals <= got.Published+got.Spawned+got.Injected, "P26: more steals are counted than jobs that could be stolen: %+v", got)
	// A job may give up its seat for a join or a scope whose latch is set by then: that
	// one is not set aside. Each Block is followed by a scope.
	left := c.forks.Load() + 2*c.blocks.Load()
	check(t, got.Seatless <= left, "P26: more jobs are counted as going on without a seat than have joined, left a scope or been in Block, %d times: %+v", left, got)
	check(t, got.SetAside <= left-c.blocks.Load(), "P26: more jobs are counted as set aside than have joined or left a scope, %d times: %+v", left-c.blocks.Load(), got)
}

// notLess checks that no count has gone down.
func notLess(t *testing.T, last, now pool.Stats) {
	was, is := reflect.ValueOf(last), reflect.ValueOf(now)
	for i := range was.NumField() {
		if f := was.Field(i); f.CanUint() && is.Field(i).Uint() < f.Uint() {
			t.Errorf("P26: the count %s went down from %d to %d", was.Type().Field(i).Name, f.Uint(), is.Field(i).Uint())
		}
	}
}
