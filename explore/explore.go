package explore

import (
	"os"
	"testing"
)

// An Exec is one execution of a scenario that is running: the scenario itself, which is thread 0,
// and the threads that it and the code under test have started. Each of these threads may call its
// methods. The execution fails if a thread panics, calls [Exec.Errorf], or is blocked when no
// other thread can continue, or if it takes more than [MaxSteps] operations.
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

// Go starts f as a thread. The name appears in traces.
func (x *Exec) Go(name string, f func()) { x.threads.spawn(name, f) }

// Wait returns when all threads that Go started have ended. Threads that the code
// under test started may still run.
func (x *Exec) Wait() { x.threads.join() }

// Settle calls f and returns when no other thread can continue. Use it for phases that
// you do not want to explore, such as starting workers that then fall asleep, or ending
// them. Until it returns, only one schedule is tried: a running thread continues until it
// blocks, and the caller continues when all others are blocked. Only one thread at a time
// may be in Settle.
func (x *Exec) Settle(f func()) { x.threads.settle(f) }

// Choose returns a number from 0 to n-1, each in some execution. Use it to try all
// inputs. n is 1 to 64.
func (x *Exec) Choose(n int) int { return x.threads.choose(n) }

// Errorf marks the execution as failed and continues.
func (x *Exec) Errorf(format string, args ...any) { x.threads.errorf(format, args...) }

// Fatalf marks the execution as failed and ends it.
func (x *Exec) Fatalf(format string, args ...any) {
	x.threads.errorf(format, args...)
	x.threads.abort()
}

// Explore runs the scenario under schedule after schedule, until one fails or all
// within the bounds have been tried. It calls the scenario once for each schedule, so
// the scenario must create everything that it uses.
//
// Explorations take turns: a process runs one at a time, and GOMAXPROCS is 1 meanwhile.
func Explore(scenario func(x *Exec), opts ...Option) Report {
	c, err := newConfig(opts)
	if err != nil {
		return Report{Failure: &Failure{Kind: BadOption, Message: err.Error()}}
	}
	return run(c, scenario)
}

// Check is [Explore] in a test. If a schedule fails, it fails t, with the trace and a
// command that replays the schedule. The command sets the environment variable
// ROUSE_SCHEDULE, and then Check runs only that schedule, as [Replay] does. Without the
// build tag explore, Check skips the test, or fails it if it is to replay a schedule.
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
