package pool_test

import (
	"context"
	"fmt"
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
		do(t, p, func(w *pool.Worker) {
			begun, release := make(chan bool), make(chan bool)
			f := fork(w, func(*pool.Worker) int { close(begun); <-release; return 1 })
			<-begun
			go func() {
				until(t, "the job that joins is counted as set aside", func() bool { return p.Stats().SetAside > 0 })
				close(release)
			}()
			f.Join(w)
		})
	})
	s := p.Stats()
	expect(t, s.Forks == 1 && s.Published == 1 && s.Steals == 1 && s.SetAside == 1,
		"P26: one fork was published, stolen and waited for once: %+v", s)
	expect(t, s.Spawned == 0 && s.Seatless == 0 && s.Injected == 0,
		"P26: a job is counted as spawned, without a seat or queued, and none was: %+v", s)
	expect(t, s.Borrowed > 0, "P26: Run took the seat of a worker that slept, which is not counted: %+v", s)
	during(t, "P6", "Close returns", func() { p.Close() })
	after := p.Stats()
	expect(t, after.Forks == s.Forks && after.Steals == s.Steals && after.SetAside == s.SetAside,
		"P26: after Close the counts are %+v, and were %+v", after, s)
}

// If this fails, one that looks for the cost of steals counts what was taken along with
// others, which costs next to nothing, or misses a steal.
func TestStatsOfStealsOfSeveral(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish())
	during(t, "P5", "forks run on another worker", func() {
		do(t, p, func(w *pool.Worker) {
			_, release := held(t, p) // there is no thief yet
			var ran atomic.Int32
			var forks [8]pool.Forked[int, int]
			for i := range forks {
				forks[i] = fork(w, func(*pool.Worker) int { ran.Add(1); return 1 })
			}
			release()
			until(t, "the other worker has done all forks", func() bool { return ran.Load() == 8 })
			// It finds 8 and takes half of the 7 that are left along; then it finds 4, and
			// takes one along, then 2, then 1.
			n := p.Stats().Steals
			expect(t, n == 4, "P26: a worker has taken 8 jobs from another one, in 4 steals, and the count is %d", n)
			joinAll(w, forks[:])
		})
	})
}

// If this fails, one that asks how full the queue is, or how many workers have jobs, is told
// something else.
func TestStatsOfNow(t *testing.T) {
	for name, opts := range map[string][]pool.Option{"no limit": nil, "limit": {pool.WithQueueLimit(40)}} {
		subtest(t, name, "P26", "queued jobs begin", func(t *testing.T) {
			p := asleep(t, newPool(t, append(opts, pool.WithWorkers(2))...))
			is := func(queued, running int) {
				t.Helper()
				s := p.Stats()
				expect(t, s.Queued == queued && s.Running == running,
					"P26: Stats says that %d jobs are queued and %d workers have one, want %d and %d", s.Queued, s.Running, queued, running)
			}
			is(0, 0)
			begun, release := make(chan bool), make(chan bool)
			hold := func(*pool.Worker) int { begun <- true; <-release; return 1 }
			var all []*pool.Handle[int]
			for range 2 {
				all = append(all, submitted(t, p, hold))
				<-begun
			}
			is(0, 2) // they began at once, or one after the other
			all = append(all, submittedTimes(t, p, 10, nothing)...)
			// One holds a worker that has taken others along.
			all = append(all, submittedAll(t, p, hold, nothing, nothing)...)
			is(13, 2)
			expect(t, all[5].Cancel() && all[14].Cancel(), "P20: a job that is queued cannot be canceled")
			is(11, 2)
			ctx, cancel := context.WithCancel(background)
			late := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			is(12, 2)
			cancel()
			late.Wait(background)
			is(11, 2)
			release <- true
			<-begun // in the order of coming, so nine have ended
			is(1, 2)
			close(release)
			for _, h := range all {
				h.Wait(background)
			}
			untilSleeping(t, p)
			is(0, 0)
			do(t, p, func(w *pool.Worker) {
				is(0, 1)
				w.Block(func() {
					until(t, "its worker sleeps", func() bool { return p.Sleeping() == 2 })
					is(0, 0)
				})
			})
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
	var a, b int
	below := func(w *pool.Worker) int { return c.tree(w, depth-1) }
	if depth%4 == 3 {
		c.blocks.Add(1)
		w.Block(func() {}) // another worker has the seat then
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			c.spawned.Add(2)
			s.Spawn(w, func(w *pool.Worker) { a = below(w) })
			s.Spawn(w, func(w *pool.Worker) { b = below(w) })
		})
		return a + b
	}
	c.forks.Add(1)
	switch depth % 4 {
	case 0:
		f := fork(w, below)
		b = below(w)
		a = f.Join(w)
	case 1:
		a, b = pool.Invoke(w, c.tree, depth-1, c.tree, depth-1)
	default:
		a, b = pool.Both(w, below, below)
	}
	return a + b
}

// Programs count what they do, from several goroutines at once, and so does the pool.
func TestStatsCountOnce(t *testing.T) {
	for _, depth := range []int{0, 6} {
		eachMode(t, "P26", "jobs end whose forks are counted", func(t *testing.T, p *pool.Pool) {
			countedAs(t, p, strings.Contains(t.Name(), "eager"), depth)
		})
	}
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
	job := func(w *pool.Worker) int { return c.tree(w, depth) }
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				got, err := pool.Run(background, p, c.tree, depth)
				handles, errs := pool.SubmitAll(p, []func(*pool.Worker) int{job, job})
				h, fails := pool.Submit(p, job)
				if err != nil || errs != nil || fails != nil {
					t.Errorf("P1: Run, SubmitAll and Submit returned the errors %v, %v and %v", err, errs, fails)
					return
				}
				for _, h := range append(handles, h) {
					n, _ := h.Wait(background)
					got += n
				}
				c.outside.Add(4)
				equal(t, got, 4<<depth, "P1: the number of leaves of four trees is")
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
	check(t, !eager || got.Published == got.Forks, "P26: with WithEagerPublish not all forks are counted as published: %+v", got)
	// A job that goes on after a wait may borrow a seat, too.
	began, outside, waits := got.Injected+got.Borrowed, c.outside.Load(), depth > 0
	check(t, began == outside || waits && began > outside,
		"P26: jobs are counted as queued and seats as borrowed, for %d jobs from outside; jobs wait: %t; %+v", outside, waits, got)
	check(t, got.Injected <= outside, "P26: more jobs from outside are counted as queued than the %d that there were: %+v", outside, got)
	// Queued jobs are taken several at a time, and lie in a deque then.
	check(t, got.Steals <= got.Published+got.Spawned+got.Injected, "P26: more steals are counted than jobs that could be stolen: %+v", got)
	// A job may give up its seat for a join or a scope whose latch is set by then: that
	// one is not set aside. Each Block is followed by a scope.
	left := c.forks.Load() + 2*c.blocks.Load()
	check(t, got.Seatless <= left,
		"P26: more jobs are counted as going on without a seat than have joined, left a scope or been in Block, %d times: %+v", left, got)
	check(t, got.SetAside <= left-c.blocks.Load(),
		"P26: more jobs are counted as set aside than have joined or left a scope, of %d and Blocks: %+v", left, got)
}

// notLess checks that no count has gone down.
func notLess(t *testing.T, last, now pool.Stats) {
	was, is := reflect.ValueOf(last), reflect.ValueOf(now)
	for i := range was.NumField() {
		if f := was.Field(i); f.CanUint() {
			expect(t, is.Field(i).Uint() >= f.Uint(), "P26: a count of %+v went down since %+v", now, last)
		}
	}
}

// dumped returns what Dump writes.
func dumped(p *pool.Pool) string {
	var b strings.Builder
	p.Dump(&b)
	return b.String()
}

// If this fails, Dump does not show which jobs wait for each other in a deadlock.
func TestDump(t *testing.T) {
	p := asleep(t, poolOf(t, 2))
	during(t, "P30", "jobs that wait for each other are dumped", func() {
		var mu sync.Mutex
		mu.Lock()
		inBlock, release := make(chan bool), make(chan bool)
		h := submitted(t, p, func(w *pool.Worker) int {
			return stolen(t, w, func(*pool.Worker) int { mu.Lock(); defer mu.Unlock(); return 1 }).Join(w)
		})
		until(t, "the first job is set aside", func() bool { return p.Stats().SetAside == 1 })
		blocked := submitted(t, p, func(w *pool.Worker) int {
			scopeOf(w, func(w *pool.Worker) { w.Block(func() { close(inBlock); <-release }) })
			return 1
		})
		<-inBlock
		var got string
		for _, want := range []string{
			"pool: jobs begun: 3; workers: 2, without a job: 1, asleep: ", "[sync.Mutex.Lock]", " waits for job ",
			"is in Block [chan receive]", "pool_test.TestDump.func", "no job is queued",
		} {
			until(t, fmt.Sprintf("Dump says %q", want), func() bool { got = dumped(p); return strings.Contains(got, want) })
		}
		for _, no := range []string{"digit", "spell", "pool.(*Worker)", "prim."} {
			expect(t, !strings.Contains(got, no), "P30: Dump says %q, which does not matter:\n%s", no, got)
		}
		close(release)
		mu.Unlock()
		equal(t, result(t, h)+result(t, blocked), 2, "P1: two jobs gave")
	})
	untilSleeping(t, p)
	says(t, "P30", dumped(p), "jobs begun: 0; workers: 2, without a job: 2, asleep: 2; no job is queued")
}

// If this fails under the race detector, Dump reads what a Run that ends by a panic writes.
func TestDumpBesidePanics(t *testing.T) {
	p := poolOf(t, 1)
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for range 300 {
			func() {
				defer func() { _ = recover() }()
				pool.RunHere(p, func(*pool.Worker, int) int { panic("expected") }, 0)
			}()
		}
	}()
	for {
		runtime.Gosched() // not each platform preempts
		says(t, "P30", dumped(p), "pool: jobs begun: ")
		select {
		case <-ended:
			return
		default:
		}
	}
}

// If this fails, Dump says of a job that works that it waits.
func TestDumpOfRunInBlock(t *testing.T) {
	p := poolOf(t, 1)
	look := func(when, not string, want ...string) {
		t.Helper()
		got := dumped(p)
		says(t, "P30: "+when, got, want...)
		expect(t, !strings.Contains(got, not), "P30: %s, Dump says %q:\n%s", when, not, got)
	}
	do(t, p, func(w *pool.Worker) {
		w.Block(func() {
			look("in Block", "is on worker", "jobs begun: 1;", "is in Block")
			runInJob(w, func(inner *pool.Worker) int {
				expect(t, inner == w, "P4: a Run in Block has another worker than the job")
				look("in a Run in Block", "is in Block", "jobs begun: 2;", "is on worker 0 [running]", "has called Run")
				return 0
			})
			look("after a Run in Block", "is on worker", "jobs begun: 1;", "is in Block")
		})
		look("after Block", "is in Block", "jobs begun: 1;", "is on worker 0 [running]")
	})
}
