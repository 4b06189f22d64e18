package explore

import (
	"fmt"
	"strings"
	"time"
)

// A Report says what an exploration did and found.
type Report struct {
	// Schedules is how many were run, Steps how many operations in them.
	Schedules, Steps int
	// Sizes has, for each bound from 0, the number of schedules with at most
	// so many preemptions. The last one counts those run until the failure
	// or the cut, if there was one. A complete search that has ended says this of the
	// bounds that came first, as far as it has run all schedules of them.
	Sizes []int
	// Orders is how many schedules of a complete search differ in the order of operations
	// that affect each other.
	Orders int
	// Exhausted says that there are no other schedules, whatever the bound.
	Exhausted bool
	// UpTo says what Exhausted is up to: so many rounds of loops in which a thread gives way, waits for
	// time or reads the same, and where these are. It is empty if no thread was held up there: see
	// [Rounds].
	UpTo string `json:",omitempty"`
	// Redundant is how many of the schedules were found, on the way, to come
	// to the same as another one.
	Redundant int
	// Cut says what ended the exploration before it was complete, if
	// anything did.
	Cut string
	// Elapsed is how long it took.
	Elapsed time.Duration
	// Processes is among how many the exploration was shared, or 0 if it was not.
	Processes int `json:",omitempty"`
	// Failure is nil if no schedule failed.
	Failure *Failure

	part part
}

// String returns the failure, if there is one, and the counts.
func (r Report) String() string {
	var b strings.Builder
	if r.Failure != nil {
		fmt.Fprintf(&b, "%v\n", r.Failure)
	}
	fmt.Fprintf(&b, "%s, %s in %v", plural(r.Schedules, "schedule"), plural(r.Steps, "step"), r.Elapsed.Round(time.Millisecond))
	if s := r.Elapsed.Seconds(); s > 0 {
		fmt.Fprintf(&b, " (%.0f schedules/s)", float64(r.Schedules)/s)
	}
	if len(r.Sizes) > 0 && r.Orders == 0 {
		fmt.Fprintf(&b, ", by bound %v", r.Sizes)
	}
	if r.Orders > 0 {
		fmt.Fprintf(&b, ", %s", plural(r.Orders, "order"))
	}
	if r.Redundant > 0 {
		fmt.Fprintf(&b, ", %d redundant", r.Redundant)
	}
	if r.Processes > 0 {
		fmt.Fprintf(&b, ", %d processes", r.Processes)
	}
	if r.Exhausted {
		b.WriteString(", exhausted")
	}
	if r.UpTo != "" {
		b.WriteString(" up to " + r.UpTo)
	}
	if r.Cut != "" {
		fmt.Fprintf(&b, ", cut: %s, %s", r.Cut, r.known())
	}
	return b.String()
}

// known says what is known of an exploration that was cut short.
func (r Report) known() string {
	switch n := len(r.Sizes); {
	case n > 1:
		return fmt.Sprintf("all with at most %d preemptions were run, and %d with at most %d", n-2, r.Sizes[n-1], n-1)
	case n == 1:
		return "not even all without a preemption were run"
	}
	return "there may be more orders"
}

// A Kind says in what way a schedule failed.
type Kind string

// The kinds of failures. The first five are about the code under test, the
// others say that it cannot be explored as it stands.
const (
	// Deadlock: threads are blocked and nobody is left to release them. In a
	// protocol for sleeping that is a missed wake.
	Deadlock Kind = "missed wake or deadlock"
	// Livelock: an execution took more than [MaxSteps] operations.
	Livelock Kind = "livelock"
	// Panicked: a thread panicked.
	Panicked Kind = "panic"
	// Raced: two plain accesses, of which one at least writes, are ordered by nothing.
	Raced Kind = "data race"
	// Asserted: the t of [Test] has failed, or [Exec.Errorf] or [Exec.Fatalf] was called.
	Asserted Kind = "assertion"

	// Nondeterministic: the same schedule led to something else.
	Nondeterministic Kind = "not deterministic"
	// Foreign: a goroutine was started, or performed an operation, that is
	// not a thread of the scenario.
	Foreign Kind = "foreign goroutine"
	// Stuck: a thread blocked, or went on forever, between two operations. The process can explore
	// no more: later explorations fail at once.
	Stuck Kind = "stuck outside the instrumented types"
	// Unseen: a thread performed no operation that the explorer sees in any schedule, so
	// no other order of its steps was tried. See [MayBeUnseen].
	Unseen Kind = "nothing seen of a thread"
	// Lost: a process that took part in the exploration has ended, or does not answer. See
	// [Processes].
	Lost Kind = "a process was lost"
	// TooManyThreads: see [MaxThreads].
	TooManyThreads Kind = "too many threads"
	// Diverged: a schedule that was to be replayed does not fit.
	Diverged Kind = "the schedule does not fit"
	// BadOption: an option, or a schedule, is none.
	BadOption Kind = "bad option"
	// Unavailable: the program was built without the tag explore.
	Unavailable Kind = "not available"
)

// A Failure is a schedule that failed.
type Failure struct {
	Kind Kind
	// Message says what was wrong, and where threads are blocked.
	Message string
	// Log is what the execution has logged, if it is one of [Test].
	Log string
	// Preemptions is how many the schedule has.
	Preemptions int
	// Trace has a line for each operation, and a column for each thread: it is what Steps
	// has, by threads of the names in Threads.
	Trace   string
	Threads []string `json:"-"`
	Steps   []Step   `json:"-"`
	// Schedule is for [Replay].
	Schedule string
	rounds   int // see Rounds
	// Replay is the command that replays it, if [Test] or [Check] has found it.
	Replay string `json:"-"`
}

// String returns all of it.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Kind, f.Message)
	if f.Log != "" {
		fmt.Fprintf(&b, "\nits log:\n%s", f.Log)
	}
	switch {
	case f.Replay != "": // has the schedule
		fmt.Fprintf(&b, "\nby a schedule of %s:", plural(f.Preemptions, "preemption"))
	case f.Schedule != "" || len(f.Steps) > 0:
		fmt.Fprintf(&b, "\nby a schedule of %s, %s:", plural(f.Preemptions, "preemption"), f.Schedule)
	}
	if f.Trace != "" {
		fmt.Fprintf(&b, "\n%s", f.Trace)
	}
	return b.String()
}

// A Step is a line of a trace.
type Step struct {
	Thread int    // its index in Threads, or -1 for a remark about the others
	What   string // the operation, on what, and the values
	Place  string // in the source code
	Marked bool   // it fails, or is blocked, or is one of the accesses of a data race

	file   string // of Place
	line   int
	on     int    // the number, from 1, of what it is on
	before string // which of the accesses of a race, A and B, it is or happens before
}

// plural is a number of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
