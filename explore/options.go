package explore

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// An Option changes how a scenario is explored. If its value is not allowed, the exploration fails
// with [BadOption].
type Option func(*config)

// A strategy says how schedules are chosen.
type strategy uint8

const (
	bounded    strategy = iota // all with at most so many preemptions
	unbounded                  // all
	randomly                   // each decision at random
	pct                        // random priorities
	replay                     // a given one
	everything                 // at random, then all, then at random
)

type config struct {
	strategy  strategy
	bound     int
	reduce    bool
	seed      uint64
	schedules int
	depth     int
	schedule  string

	rounds       int
	deeper       int // rounds, after that, for what has held up threads
	longAfter    int // operations of a thread, for each round, it goes round wherever it comes again
	spurious     int
	maxSteps     int
	maxThreads   int
	maxSchedules int
	maxTime      time.Duration
	hung         time.Duration
	tick         time.Duration
	processes    int
	call         call // the exploration, to other processes
	alone        int  // schedules before they take part
	//lint:ignore U1000 it is read with the tag explore alone
	eager    bool // they give away all that they can, in tests
	unseen   []string
	test     testing.TB // for Test
	body     func(t *testing.T)
	possible *possibilities
	//lint:ignore U1000 it is used with the tag explore alone
	all bool // for -all: time stands still, the test's end is the execution's, and so on
	//lint:ignore U1000 it is used with the tag explore alone
	parts *subtest // for it: which subtests have been explored
}

// A subtest is one for -all, or the test. Each leaf is explored by itself: next is on the way to it.
//
//lint:ignore U1000 it is used with the tag explore alone
type subtest struct {
	name  string
	parts []*subtest
	next  *subtest
	done  bool
}

const mostRounds = 1 << 20

// maxThreads is how many threads an execution can have: they are the bits of a
// word.
const maxThreads = 64

func newConfig(opts []Option) (config, error) {
	c := config{
		bound:      2,
		reduce:     true,
		longAfter:  100,
		maxSteps:   10_000,
		maxThreads: maxThreads,
		hung:       10 * time.Second,
		tick:       time.Second,
		processes:  1,
		alone:      aloneFirst,
	}
	for _, o := range opts {
		if o == nil {
			return c, errors.New("an option is nil")
		}
		o(&c)
	}
	for _, f := range []struct {
		name     string
		n, least int
		most     int
	}{
		{"Bound", c.bound, 0, 1 << 20},
		{"Rounds", c.rounds, 0, mostRounds},
		{"Spurious", c.spurious, 0, 1 << 20},
		{"MaxSteps", c.maxSteps, 1, 1 << 30},
		{"MaxThreads", c.maxThreads, 1, maxThreads},
		{"Processes", c.processes, 1, 1 << 10},
	} {
		if f.n < f.least || f.n > f.most {
			return c, fmt.Errorf("%s(%d): must be %d to %d", f.name, f.n, f.least, f.most)
		}
	}
	return c, nil
}

// Tick sets how much time passes from each call of [prim.Now] to the next; it may be 0. The default
// is a second, so whatever the code times seems to take long.
func Tick(d time.Duration) Option { return func(c *config) { c.tick = d } }

// Bound explores every schedule with at most n preemptions: first those with none, then
// those with up to one, and so on, so the first failure has the fewest. A preemption is a
// switch away from a thread that could have continued. The default is Bound(2), and for
// [Test] it is [Unbounded].
func Bound(n int) Option {
	return func(c *config) { c.strategy, c.bound = bounded, n }
}

// Unbounded explores every schedule except those that differ from an explored one only in
// the order of operations that do not affect each other (source sets and sleep sets, Abdulla
// et al., POPL 2014). Before that it runs the first thousand schedules of each of the bounds
// 0 to 2, so that bugs that need few preemptions are shown with few.
func Unbounded() Option { return func(c *config) { c.strategy = unbounded } }

// NoReduction explores every schedule, even if many of them are equivalent. Use it to
// measure, or if you suspect the reductions.
func NoReduction() Option { return func(c *config) { c.reduce = false } }

// Random runs the given number of schedules and makes every decision at random. The same
// seed gives the same schedules. Use it for tests with too many schedules. If none of
// these fails, others may.
func Random(seed uint64, schedules int) Option {
	return func(c *config) { c.strategy, c.seed, c.schedules = randomly, seed, schedules }
}

// PCT runs the given number of schedules with random priorities that change at depth-1
// random steps (Burckhardt et al., ASPLOS 2010). In a test of n threads and k steps, each
// schedule finds a bug that needs at most depth orderings with a probability of about
// 1 in n·k^(depth-1).
func PCT(seed uint64, schedules, depth int) Option {
	return func(c *config) {
		c.strategy, c.seed, c.schedules, c.depth = pct, seed, schedules, depth
	}
}

// Replay runs one schedule, a [Failure.Schedule], and then continues without preemptions. If
// the program has changed and the schedule does not fit any more, the failure is [Diverged].
func Replay(schedule string) Option {
	return func(c *config) { c.strategy, c.schedule = replay, schedule }
}

// Spurious lets up to n waits of an execution, on a condition or a futex, return for no
// reason. The default is 0.
func Spurious(n int) Option { return func(c *config) { c.spurious = n } }

// Rounds limits loops that poll. A thread that gives way or waits for time may continue at any moment,
// n times in the same place and by the same calls. After that it continues there only when no other
// thread can; otherwise the loop would never end. It gives way or waits at a runtime.Gosched, a
// [prim.Yield] or [prim.Spin], a Sleep, or where it starts a timer. In rewritten code a thread also goes
// round where it reads the same value again and has done nothing but read since, as in a spin lock; where
// a select has no case but the default, or a lock is not free, again and again; and, after 100 operations
// for each of the n rounds, wherever it comes again. If several such threads may
// continue, one does by chance, and a select of it takes a case by chance. If the limit has held up a
// thread, the exploration is complete only up to that many rounds: see [Report.UpTo].
//
// The default is 0 for [Check] and [Explore]. For [Test] it is 2. If that has held up a thread, Test
// searches again with 8, for as many schedules as before, or a thousand, so a loop that soon ends by
// itself is explored to its end.
func Rounds(n int) Option { return func(c *config) { c.rounds, c.deeper = n, 0 } }

// MaxSteps ends an execution after n operations, which is a failure. The default is 10,000. In rewritten code
// the exploration continues until there are 50 such executions. If it finds nothing else, it runs two of them
// once more, each for 100 times as many operations. A failure that comes after a long loop is found so. The
// result is a livelock if the execution still has no end, and otherwise the exploration was cut.
// It also stops an endless recursion that performs an operation at each level. An endless
// recursion without operations exceeds Go's stack limit: that ends the process and prints
// the recursion.
func MaxSteps(n int) Option { return func(c *config) { c.maxSteps = n } }

// MaxThreads makes an execution a failure that has more than n threads at one moment, counting the
// scenario itself. The default is 64, which is the maximum. In all there can be 64, and more if something,
// such as a WaitGroup, orders the end of one before the start of another.
func MaxThreads(n int) Option { return func(c *config) { c.maxThreads = n } }

// Processes shares the exploration of [Test] or [Check] between n processes. The default is 1: this
// process, which uses one processor. After some thousands of schedules it starts the others. They run
// this program with the same arguments, restricted to this test, and reach this call as this process
// did, so the code before it runs in each of them. They end with the exploration.
//
// They explore the same schedules. With a bound, they report the same failure. Without one, a failure
// that a bound of up to 2 soon finds is reported as the bound finds it; otherwise the first failure
// that any process finds is reported.
//
// Explore itself, Random, PCT and Replay use only this process.
func Processes(n int) Option { return func(c *config) { c.processes = n } }

// MaxSchedules ends the exploration after n schedules, or slightly more if several processes run
// them. The default is 0, which means no limit.
func MaxSchedules(n int) Option { return func(c *config) { c.maxSchedules = n } }

// MaxTime ends the exploration after about d, by the clock. The default is a minute for [Test], and
// otherwise 0, which means no limit. The last quarter of it, and of MaxSchedules, is for a search of [Test] with
// shorter loops, which may come to an end where the complete one has none: see [Report.UpTo].
func MaxTime(d time.Duration) Option { return func(c *config) { c.maxTime = d } }

// Hung sets how much processor time an execution may use for each 8,192 operations. If it uses more it is [Stuck]: the
// explorer assumes that a thread loops forever between two operations. The default is 10 seconds.
// A thread that is blocked where the explorer cannot see it needs no limit: the execution is stuck
// if the process uses almost no processor time for 2 seconds, although processors are free. So a
// busy machine does not make a test fail.
func Hung(d time.Duration) Option { return func(c *config) { c.hung = d } }

// MayBeUnseen allows threads with these names to perform no operation that the explorer sees.
// Otherwise a thread that performs none in any schedule is a failure, because the explorer can say
// nothing about it. The name is the one given to [Exec.Go], or that of the function, or the place
// where the function begins, as the failure shows it: cache_test.go:12.
func MayBeUnseen(names ...string) Option {
	return func(c *config) { c.unseen = append(c.unseen, names...) }
}
