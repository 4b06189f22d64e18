package predict

import "fmt"

// begins is what each title begins with.
const begins = "predicted by simulation, not measured"

// A Report is a prediction.
type Report struct {
	// Title says first of all that nothing here was measured.
	Title string
	Sleep string
	// Checks are what the simulator was validated by, just before.
	Checks []Check
	Cells  []Cell
}

// A Check compares the simulator with what is known.
type Check struct {
	Name string
	// What is what the simulator says, and what it should say.
	What string
	OK   bool
	// Advisory checks do not stop a report. It lists those that are off.
	Advisory bool
	// Skipped checks had nothing to compare with. The report lists them, and
	// counts them neither as well nor as off.
	Skipped bool
}

// A Cell is the prediction for one workload with one number of workers.
type Cell struct {
	Workload string
	About    string
	Workers  int
	// Low, Base and High are speed-ups over the plain program: with all
	// constants of the machine at their pessimistic end, as believed in, and at
	// their optimistic end.
	Low  float64
	Base float64
	High float64
	// Bound is Graham's.
	Bound float64
	// Limit is what keeps Base from Bound: see the rule in the documentation
	// of the package.
	Limit Limit
	// OfBound is which part Base is, as a speed-up over one worker of the same
	// pool, of the most that a greedy schedule promises: see the documentation
	// of the package.
	OfBound float64
	// Ramp is the time until all workers that the program has parallelism for
	// have first worked, in nanoseconds. It is Elapsed if some never do.
	Ramp float64
	// Elapsed is in nanoseconds, of Base.
	Elapsed float64
	// Hottest are the lines that cost most, of Base.
	Hottest []HotLine
}

// A HotLine is what the cache lines of one name cost in a run.
type HotLine struct {
	Name string
	// Share is the time of their misses, as a part of all workers' time.
	Share float64
}

func (c Check) String() string { return fmt.Sprintf("%s: %s", c.Name, c.What) }
