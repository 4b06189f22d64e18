package explore

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// An Option changes how a scenario is explored. A value that it cannot have is the failure
// [BadOption].
type Option func(*config)

// A strategy says how schedules are chosen.
type strategy uint8

const (
	bounded   strategy = iota // all with at most so many preemptions
	unbounded                 // all
	randomly                  // each decision at random
	pct                       // random priorities
	replay                    // a given one
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
}

// maxThreads is how many threads an execution can have: they are the bits of a
// word.
const maxThreads = 64

func newConfig(opts []Option) (config, error) {
	c := config{
		bound:      2,
		reduce:     true,
		maxSteps:   10_000,
		maxThreads: 16,
		hung:       10 * time.Second,
		tick:       time.Second,
		processes:  1,
		alone:      aloneFirst,
	}
	for _, o := range opts {
		if o == nil {
			return c, errors.New("nil is none")
		}
		o(&c)
	}
	for _, f := range []struct {
		name     string
		n, least int
		most     int
	}{
		{"Bound", c.bound, 0, 1 << 20},
		{"Rounds", c.rounds, 0, 1 << 20},
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

// Tick sets how much time passes from each call of [prim.Now] to the next, 0 included. The
// default is a second: everything that code times seems to take long.
func Tick(d time.Duration) Option { return func(c *config) { c.tick = d } }

// Bound explores every schedule with at most n preemptions: first those with
// none, then those with up to one, and so on, so the first failure is one with
// the fewest. A preemption is a switch away from a thread that could have gone
// on. The default is Bound(2), that of [Test] is [Unbounded].
func Bound(n int) Option {
	return func(c *config) { c.strategy, c.bound = bounded, n }
}

// Unbounded explores every schedule but those that differ from an explored one
// only in the order of operations that do not affect each other (source sets and
// sleep sets, Abdulla et al., POPL 2014). The first thousand schedules of each of the
// bounds 0 to 2 come before, to find what is easy to find with few preemptions.
func Unbounded() Option { return func(c *config) { c.strategy = unbounded } }

// NoReduction explores every schedule, however many of them are equivalent.
// Use it to measure, or if you suspect the reductions.
func NoReduction() Option { return func(c *config) { c.reduce = false } }

// Random runs the given number of schedules, in each of which every decision is
// taken at random. The same seed gives the same ones. It is for tests of which too many
// schedules differ; that none of these fails says nothing of the others.
func Random(seed uint64, schedules int) Option {
	return func(c *config) { c.strategy, c.seed, c.schedules = randomly, seed, schedules }
}

// PCT runs the given number of schedules by random priorities that change at
// depth-1 random steps (Burckhardt et al., ASPLOS 2010): a bug that needs no
// more than depth orderings is met with a probability that falls with the
// number of steps to the power of depth-1 only.
func PCT(seed uint64, schedules, depth int) Option {
	return func(c *config) {
		c.strategy, c.seed, c.schedules, c.depth = pct, seed, schedules, depth
	}
}

// Replay runs one schedule, that of [Failure.Schedule], and then goes on without preemptions.
// Of a program that was changed it may not fit: the failure is [Diverged].
func Replay(schedule string) Option {
	return func(c *config) { c.strategy, c.schedule = replay, schedule }
}

// Spurious lets up to n waits of an execution, on a condition or a futex,
// return for no reason. The default is none.
func Spurious(n int) Option { return func(c *config) { c.spurious = n } }

// Rounds says how often a thread goes on at any moment where it gives way or waits for time: at a
// runtime.Gosched, a [prim.Yield] or [prim.Spin], a Sleep, or where it starts a timer, always in the
// same place and by the same calls. In rewritten code that is so, too, where it reads once more what
// it has read, and has but read since: a spin lock, say. After n times it goes on there only when no
// other thread can: a loop would have no end otherwise. If that has held up a thread, the exploration
// is complete up to so many rounds: see [Report.UpTo].
//
// The default is 0 for [Check] and [Explore]. For [Test] it is 2 at first. If that has held up a
// thread, it is 8 then, for as many schedules as there were before, or a thousand: a loop that ends
// by itself soon is explored to its end.
func Rounds(n int) Option { return func(c *config) { c.rounds, c.deeper = n, 0 } }

// MaxSteps makes an execution of more than n operations a failure. The default
// is 10,000. A recursion that performs an operation at each level is bounded by it, too. One
// that performs none, and does not end, exceeds Go's limit of a stack, which ends the process
// and shows the recursion.
func MaxSteps(n int) Option { return func(c *config) { c.maxSteps = n } }

// MaxThreads makes an execution of more than n threads a failure, the scenario
// itself included. The default is 16, the most 64.
func MaxThreads(n int) Option { return func(c *config) { c.maxThreads = n } }

// Processes shares the exploration of [Test] or [Check] among n processes. The default, 1, is
// this one alone, which uses one processor. Others are started when there is more to do than
// some thousands of schedules: they run this program, with the same arguments but for this one
// test alone, and come to this call as this process did. They end with the exploration.
//
// What is explored is the same. With a bound, so is the failure that is reported. Without, a
// failure that a bound of up to 2 finds soon is reported as that finds it; of others, the one
// that the processes have found first.
//
// Explore itself, Random, PCT and Replay use this process alone.
func Processes(n int) Option { return func(c *config) { c.processes = n } }

// MaxSchedules ends the exploration after n schedules, or some more if several processes run
// them. The default, 0, is no limit.
func MaxSchedules(n int) Option { return func(c *config) { c.maxSchedules = n } }

// MaxTime ends the exploration after about d, by the clock. The default is a minute for [Test],
// else 0, which is no limit.
func MaxTime(d time.Duration) Option { return func(c *config) { c.maxTime = d } }

// Hung says how much processor time the process may use in an execution before that is
// taken for one in which a thread goes on forever between two operations. The default is
// 10 seconds. A thread that is blocked where the explorer does not see it needs no limit:
// the execution is stuck if the process uses next to no processor time for 2 seconds in
// which it gets processors. No clock decides.
func Hung(d time.Duration) Option { return func(c *config) { c.hung = d } }

// MayBeUnseen says that threads of these names need perform no operation that the explorer
// sees. A name is that of [Exec.Go], or of the function, or where that begins, as the failure says
// it: cache_test.go:12. Without it, a thread that performs none in any schedule is a failure: the
// explorer cannot say anything of it.
func MayBeUnseen(names ...string) Option {
	return func(c *config) { c.unseen = append(c.unseen, names...) }
}
