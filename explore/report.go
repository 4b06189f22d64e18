package explore

import (
	"fmt"
	"strings"
	"time"
)

// A Report says what an exploration did and found.
type Report struct {
	// Schedules is the number of schedules that were run, Steps the number of operations in them.
	Schedules, Steps int
	// Sizes has, for each bound from 0 on, the number of schedules with at most that many
	// preemptions. If the exploration failed or was cut, the last number counts the schedules
	// until then. For a complete search it has only the bounds that it ran first and completely.
	Sizes []int
	// Orders is the number of schedules of a complete search that differ in the order of
	// operations that affect each other.
	Orders int
	// Exhausted is true if no other schedules exist, whatever the bound.
	Exhausted bool
	// UpTo limits Exhausted: it gives the number of rounds of loops in which a thread gives way,
	// waits for time or reads the same value, or of all loops, and their places. It is empty if
	// [Rounds] has held up no thread.
	UpTo string `json:",omitempty"`
	// Drawn has the places where an execution has drawn a random number of which others were not tried.
	// Exhausted is false then: a schedule may have another result with another number.
	Drawn []string `json:",omitempty"`
	// Redundant is the number of schedules that turned out, on the way, to be equivalent to
	// another one.
	Redundant int
	// Cut names what ended the exploration before it was complete; it is empty if nothing did.
	Cut string
	// Elapsed is how long the exploration took.
	Elapsed time.Duration
	// Processes is the number of processes that shared the exploration, or 0.
	Processes int `json:",omitempty"`
	// Failure is nil if no schedule failed.
	Failure *Failure

	part part
	//lint:ignore U1000 it is used with the tag explore alone
	all survey
}

// A survey is what a Report does not have.
//
//lint:ignore U1000 it is used with the tag explore alone
type survey struct {
	random  int    // schedules
	alone   bool   // there is but one thread
	many    bool   // there are more than a search can have
	always  bool   // other schedules fail, too
	endless bool   // no execution has ended
	unseen  bool   // of some thread there was nothing to see
	left    int    // goroutines, at the end of the test
	timed   bool   // it has to do with time
	timing  string // what fails if time passes at any moment
	why     string // the search has ended early
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
	if len(r.Drawn) > 0 && r.Cut == "" {
		b.WriteString(", all orders, " + r.chance())
	}
	if r.UpTo != "" {
		b.WriteString(" up to " + r.UpTo)
	}
	if r.Cut != "" {
		fmt.Fprintf(&b, ", cut: %s, %s", r.Cut, r.known())
	}
	return b.String()
}

// chance says where random numbers were drawn.
func (r Report) chance() string {
	return "but for other random numbers at " + strings.Join(r.Drawn, ", ")
}

// known returns what is known about an exploration that was cut short.
func (r Report) known() string {
	switch n := len(r.Sizes); {
	case n > 1:
		return fmt.Sprintf("all with at most %s were run, and %d with at most %d", plural(n-2, "preemption"), r.Sizes[n-1], n-1)
	case n == 1:
		return "not even all without a preemption were run"
	}
	return "there may be more orders"
}

// A Kind says in what way a schedule failed.
type Kind string

// The kinds of failures. The first five are about the code under test; the others say that
// it cannot be explored as it is.
const (
	// Deadlock: threads are blocked and no thread is left that could release them. In a
	// protocol for sleeping, that is a missed wake.
	Deadlock Kind = "missed wake or deadlock"
	// Livelock: an execution took more than [MaxSteps] operations, has no end, and nothing else was found.
	Livelock Kind = "livelock"
	// Panicked: a thread panicked.
	Panicked Kind = "panic"
	// Raced: nothing orders two plain accesses, and at least one of them writes.
	Raced Kind = "data race"
	// Asserted: the t of [Test] failed, or [Exec.Errorf] or [Exec.Fatalf] was called.
	Asserted Kind = "assertion"

	// Nondeterministic: the same schedule led to a different result.
	Nondeterministic Kind = "not deterministic"
	// Foreign: a goroutine that is not a thread of the scenario was started, or performed an
	// operation.
	Foreign Kind = "foreign goroutine"
	// Stuck: a thread blocked or looped forever between two operations. Later explorations in this
	// process fail at once.
	Stuck Kind = "stuck outside the instrumented types"
	// Unseen: in no schedule did a thread perform an operation that the explorer sees, so no other
	// order of its steps was tried. See [MayBeUnseen].
	Unseen Kind = "nothing seen of a thread"
	// Lost: a process that took part in the exploration has ended or does not answer. See
	// [Processes].
	Lost Kind = "a process was lost"
	// TooManyThreads: see [MaxThreads].
	TooManyThreads Kind = "too many threads"
	// Diverged: a schedule to replay does not fit the program.
	Diverged Kind = "the schedule does not fit"
	// BadOption: the value of an option is not allowed, or a text is not a schedule.
	BadOption Kind = "bad option"
	// Unavailable: the program was built without the tag explore.
	Unavailable Kind = "not available"
)

// A Failure is a schedule that failed.
type Failure struct {
	Kind Kind
	// Message says what went wrong, and where threads are blocked.
	Message string
	// Log is what the execution logged, in [Test].
	Log string
	// Preemptions is the number of preemptions in the schedule.
	Preemptions int
	// Trace has a line for each operation and a column for each thread. Steps has the same,
	// and Threads the names of the threads.
	Trace   string
	Threads []string `json:"-"`
	Steps   []Step   `json:"-"`
	// Schedule is for [Replay].
	Schedule string
	rounds   int // see Rounds
	//lint:ignore U1000 it is used with the tag explore alone
	refused string // what is not controlled, and was called
	// Replay is the command that replays the schedule, if [Test] or [Check] found the failure.
	Replay string `json:"-"`
}

// String returns the failure with its trace and schedule.
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
	Thread int    // the index of its thread in Threads, or -1 for a remark about the others
	What   string // the operation, its object, and the values
	Place  string // in the source code
	Marked bool   // the step fails or is blocked, or is an access of a data race

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
