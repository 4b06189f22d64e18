package simulate

import "errors"

// ErrUnavailable is what [Run] returns in a build without the tag explore.
var ErrUnavailable = errors.New("simulate: the simulator drives instrumented primitives: build with -tags explore")

// Run runs the program on the machine. The program is the first virtual thread;
// what it starts by prim.Go are further ones. The run ends when the program
// returns.
//
// Runs take turns: one at a time is under way in a process.
func Run(m *Machine, program func()) (*Report, error) { return run(m, program) }

// Work is d of user code. It is for the program of a [Run], and keeps the
// processor busy. It does nothing elsewhere, and neither do [Sleep] and [Mark].
func Work(d Time) { work(d) }

// Sleep blocks the virtual thread that calls for d, as time.Sleep does: it has no
// processor meanwhile, and needs one again in the end.
func Sleep(d Time) { sleep(d) }

// Now returns the clock of the virtual thread that calls, counted from the start
// of the run, or 0 outside of one.
func Now() Time { return now() }

// Mark begins the section of the given name: from now on, what happens on any
// processor is accounted there, until the next Mark.
func Mark(name string) { mark(name) }
