package simulate

// A Time is a virtual time or a length of one, in picoseconds.
type Time int64

// Units of [Time].
const (
	Nanosecond  Time = 1000
	Microsecond      = 1000 * Nanosecond
)

// Run runs the program on the machine, until all of its threads have ended. One run
// at a time is under way in a process; others wait. In a build that does not simulate,
// the report has the elapsed time only.
func Run(m Machine, program func()) (*Report, error) { return run(m, program) }

// Measure calls f, and restricts the report to that call. A program calls it at most
// once. Without it, the report is of the whole run.
func Measure(f func()) { measure(f) }

// Work is d of user code: it moves the clock of the thread that calls. In a build that
// does not simulate it keeps the processor busy for about so long.
func Work(d Time) { work(d) }

// Own stands for the code around it, which takes about d when it runs. It moves the
// clock, and does nothing in a build that does not simulate.
func Own(d Time) { own(d) }

// A Report says how a run went.
//
// What the processors did adds up: Work + Local + Miss + Idle = Processors × Elapsed,
// exactly.
type Report struct {
	Elapsed Time
	// Work is the time in [Work] and [Own].
	Work Time
	// Local is the time of operations on lines that the processor had.
	Local Time
	// Miss is the time until lines came from other processors, including the time
	// that requests for a busy line wait.
	Miss Time
	// Idle is the rest: spins and yields, what the scheduler takes, and processors
	// that had no thread.
	Idle Time
	// FirstWork has the time of the first [Work] of each thread that worked, sorted:
	// the ramp.
	FirstWork []Time
	// Lines has the lines that missed, hottest first.
	Lines []Line
}

// A Line is the account of the cache lines of one name.
type Line struct {
	// Name is made of the type and the field of a declared struct, such as
	// "Worker.wanted". A slice of primitives has the name of the function that made
	// it. Lines that were not declared have the name "undeclared".
	Name string
	// Waited is the time of accesses that had to get the line from elsewhere.
	Waited Time
}
