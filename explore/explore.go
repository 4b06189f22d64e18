package explore

import (
	"os"
	"testing"
)

// An Exec is one execution of a scenario under way: the scenario, which is thread 0, and
// the threads that it, and the code under test, have started. Its methods may be called by
// each of them. The execution fails if one panics, calls [Exec.Errorf], or is blocked when no
// other can go on, and if it takes more than [MaxSteps] operations.
type Exec struct{ threads threads }

// threads has what an Exec needs of the scheduler.
type threads interface {
	spawn(name string, f func())
	join()
	settle(f func())
	choose(n int) int
	errorf(format string, args ...any)
	abort()
}

// Go starts f as a thread. The name is for traces.
func (x *Exec) Go(name string, f func()) { x.threads.spawn(name, f) }

// Wait returns when all threads that were started by Go have ended. Threads
// that the code under test has started may still run.
func (x *Exec) Wait() { x.threads.join() }

// Settle calls f and returns when no other thread can go on, and until then
// there is nothing to explore: a thread that runs goes on until it blocks, the caller
// when all others are blocked. It is for phases that a scenario does not want to
// explore: the start of workers that are to sleep, say, or their end. One thread at a
// time may be in it.
func (x *Exec) Settle(f func()) { x.threads.settle(f) }

// Choose returns a number from 0 to n-1, each in some execution: for inputs
// that should be tried in every way. n is 1 to 64.
func (x *Exec) Choose(n int) int { return x.threads.choose(n) }

// Errorf records that the execution is wrong, and goes on.
func (x *Exec) Errorf(format string, args ...any) { x.threads.errorf(format, args...) }

// Fatalf records that the execution is wrong, and ends it.
func (x *Exec) Fatalf(format string, args ...any) {
	x.threads.errorf(format, args...)
	x.threads.abort()
}

// Explore runs the scenario under schedule after schedule, until one fails or
// all within the bounds have been tried. The scenario is called once for each
// and must build everything that it uses anew.
//
// Explorations take turns: only one at a time is under way in a process, and
// GOMAXPROCS is 1 meanwhile.
func Explore(scenario func(x *Exec), opts ...Option) Report {
	c, err := newConfig(opts)
	if err != nil {
		return Report{Failure: &Failure{Kind: BadOption, Message: err.Error()}}
	}
	return run(c, scenario)
}

// Check is [Explore] in a test: it fails t if a schedule fails, with the trace
// and the line that replays it. That sets the environment variable ROUSE_SCHEDULE,
// with which Check replays the schedule alone, as [Replay] does. Without the build tag
// explore it skips the test, or fails it if there is a schedule to replay.
func Check(t testing.TB, scenario func(x *Exec), opts ...Option) Report {
	t.Helper()
	if s := os.Getenv(scheduleVariable); !available && s != "" {
		t.Fatalf("%s='%s' cannot be replayed: %s", scheduleVariable, s, unavailable)
	}
	if !available {
		t.Skip(unavailable)
	}
	q, opts, does := prepare(t, opts)
	if !does {
		return Report{}
	}
	r := Explore(scenario, opts...)
	switch {
	case r.elsewhere(t):
	case r.Failure != nil:
		q.fail(t, r, false)
	default:
		t.Log(r)
	}
	return r
}

const unavailable = "the explorer drives instrumented primitives: build with -tags explore"
