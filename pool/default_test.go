package pool_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

// If this fails, code that asks for the default pool does not get what main has set.
func TestDefault(t *testing.T) {
	builtIn := pool.Default()
	is := func(want *pool.Pool, when string) {
		t.Helper()
		equal(t, pool.Default(), want, "P28: Default, %s, returned", when)
	}
	check(t, builtIn != nil, "P28: Default returned nil")
	is(builtIn, "called twice")
	equal(t, builtIn.Workers(), runtime.GOMAXPROCS(0), "P28: Default: the number of workers of the built-in pool is")
	p := poolOf(t, 3)
	equal(t, pool.SetDefault(p), builtIn, "P28: the built-in pool was the default, and SetDefault returned")
	is(p, "which was set")
	for _, p := range []*pool.Pool{builtIn, p} {
		for _, err := range []error{p.Close(), p.Shutdown(background)} {
			equal(t, err, pool.ErrDefault, "P6: Close or Shutdown of a default pool returned")
		}
	}
	equal(t, pool.SetDefault(nil), p, "P28: a pool was set, and SetDefault returned")
	is(builtIn, "after SetDefault(nil)")
	func() { defer pool.SetDefault(pool.SetDefault(p)) }() // the idiom for tests
	is(builtIn, "after what was there was put back")
}

// ofProcessors makes it as if nobody had used the built-in pool, and lets the test change the number
// of processors, until it ends.
func ofProcessors(t *testing.T) {
	restore, processors := pool.ForgetBuiltIn(), runtime.GOMAXPROCS(0)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(processors)
		restore()
	})
}

// If this fails, a program goes on with as many workers as there were processors when it first
// used the default pool, or what it has left behind stays.
func TestDefaultFollowsProcessors(t *testing.T) {
	ofProcessors(t)
	var before []weak.Pointer[pool.Pool]
	for _, n := range []int{1, 2, 4, 2, 1, 3} {
		runtime.GOMAXPROCS(n)
		n = runtime.GOMAXPROCS(0) // js/wasm has one, whatever it is told
		p := pool.Default()
		equal(t, p.Workers(), n, "P28: Default: after a rest, on %d processors, the number of workers is", n)
		expect(t, p == pool.Default(), "P28: Default: two calls do not return the same pool, and there are %d processors at both", n)
		equal(t, mustRun(t, pool.Default(), fib, 15), 610, "P1: fib(15) on the built-in pool of %d workers is", n)
		equal(t, result(t, submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) })), 55, "P1: a job of the built-in pool gave")
		untilSleeping(t, p)
		before = append(before, weak.Make(p))
	}
	last := pool.Default()
	untilAtRest(t)
	kept := len(before)
	for look := time.Duration(0); kept > 0 && look < 100; look++ {
		time.Sleep(look * time.Millisecond / 5) // a timer may keep one for a tenth of a second
		runtime.GC()
		kept = 0
		for _, p := range before {
			if v := p.Value(); v != nil && v != last {
				kept++
			}
		}
	}
	equal(t, kept, 0, "P22: of the built-in pools whose place another one has taken, so many are kept:")
}

// If this fails, jobs that are there when the number of processors changes run beside those of
// another pool, or whoever has kept a pool that was the built-in one cannot use it.
func TestDefaultKeepsItsJobs(t *testing.T) {
	for name, wait := range map[string]func(w *pool.Worker, over chan bool){
		"a job that runs": func(_ *pool.Worker, over chan bool) { <-over },
		"a job in Block":  func(w *pool.Worker, over chan bool) { w.Block(func() { <-over }) },
	} {
		subtest(t, name, "P28", "a job begins on the built-in pool, and ends", func(t *testing.T) {
			ofProcessors(t)
			if runtime.GOMAXPROCS(2); runtime.GOMAXPROCS(0) != 2 {
				t.Skip("this platform has one processor, whatever it is told")
			}
			p := pool.Default()
			begun, over := make(chan bool), make(chan bool)
			h := submitted(t, p, func(w *pool.Worker) int {
				begun <- true
				wait(w, over)
				return pool.Default().Workers()
			})
			<-begun
			if name == "a job in Block" {
				untilSleeping(t, p) // the job is all that there is
			}
			runtime.GOMAXPROCS(3)
			equal(t, pool.Default(), p, "P28: Default: beside %s, after a change of the number of processors, it is", name)
			close(over)
			equal(t, result(t, h), p.Workers(), "P28: Default: in %s the number of workers is", name)
			untilSleeping(t, p)
			equal(t, pool.Default().Workers(), 3, "P28: Default: after the end of %s, on 3 processors, the number of workers is", name)
			equal(t, p.Close(), pool.ErrDefault, "P6: Close of a pool that was the built-in one returned")
			nested := enter(t, p, func(*pool.Worker) int { return mustRun(t, pool.Default(), fib, 10) })
			equal(t, nested, 55, "P1: on the built-in pool, in a job of the one before, fib(10) is")
			old := pool.SetDefault(p)
			expect(t, old == pool.Default() && pool.Default() != p,
				"P28: SetDefault of a pool that was the built-in one does not put the built-in one back")
		})
	}
}

// If this fails under the race detector, or two pools are built in, the first use is not
// safe for many goroutines.
func TestDefaultBegunByMany(t *testing.T) {
	ofProcessors(t)
	equal(t, pool.SetDefault(nil), nil, "P28: before anybody had used the built-in pool, SetDefault returned")
	for _, n := range []int{2, 3, 2} { // the first one begins it, the others find another number
		runtime.GOMAXPROCS(n)
		var got [8]*pool.Pool
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = pool.Default() })
		}
		wg.Wait()
		for _, p := range got {
			check(t, p != nil && p == got[0], "P28: Default: calls at once returned %p and another one", p)
		}
	}
}

// These tests are about bubbles of testing/synctest, whose clock moves when all of their
// goroutines are blocked. They end in a fatal error if something that belongs to one
// bubble is used in another.

func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	during(t, "P1", "jobs in a synctest bubble end", func() { testrule.Bubble(t, f) })
}

// allKinds uses the pool in all ways in which a job or a caller waits.
func allKinds(t *testing.T, p *pool.Pool) {
	t.Helper()
	equal(t, mustRun(t, p, fib, 15), 610, "P1: fib(15) is")
	nap := func(w *pool.Worker, n int) int { time.Sleep(time.Millisecond); return n }
	job := func(w *pool.Worker) int {
		scopeOfMany(w, 4, func(w *pool.Worker) {
			nap(w, 0)
			w.Block(func() { nap(nil, 0) })
		})
		noError(t, w.Group(background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
			g.Spawn(w, func(context.Context, *pool.Worker) error { nap(nil, 0); return nil })
			return nil
		}), "P24: a group returned")
		f := pool.Fork(w, nap, 1)
		nap(w, 0)
		n, err := submitted(t, p, func(w *pool.Worker) int { return nap(w, 2) }).Join(w)
		noError(t, err, "P1: Join of a handle returned")
		return n + f.Join(w)
	}
	for range 5 {
		give(t, 3, submittedTimes(t, p, 4, job), "P1: a job gave")
	}
}

// If this fails, the built-in pool cannot be used in a bubble, in several one after the
// other, or outside after one, although it is at rest between.
func TestBuiltInPoolInBubbles(t *testing.T) {
	outside := func() {
		allKinds(t, pool.Default())
		untilAtRest(t)
	}
	inside := func() { inBubble(t, func(t *testing.T) { allKinds(t, pool.Default()) }) }
	for _, uses := range [][]func(){{outside, inside, inside, outside, inside}, {inside, inside, outside, inside}} {
		defer pool.ForgetBuiltIn()()
		for _, use := range uses {
			use()
		}
	}
}

// untilAtRest waits until no pool without an own goroutine has one.
func untilAtRest(t *testing.T) {
	t.Helper()
	during(t, "P22", "the goroutines of the default pool end", func() {
		for strings.Contains(allStacks(), "prim.Go") {
			time.Sleep(time.Millisecond)
		}
	})
}
