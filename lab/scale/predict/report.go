package predict

import (
	"encoding/json"
	"fmt"
	"io"
)

// begins is what each title begins with.
const begins = "predicted by simulation, not measured"

// A Report is a prediction.
type Report struct {
	// Title says first of all that nothing here was measured.
	Title      string `json:"title"`
	Machine    string `json:"machine"`
	Processors int    `json:"processors"`
	Sleep      string `json:"sleep"`
	// Checks are what the simulator was validated by, just before.
	Checks []Check `json:"validation"`
	Cells  []Cell  `json:"cells"`
	// Assumptions say for each workload, with the most workers, which constant
	// of the machine moves the prediction most.
	Assumptions []Assumption `json:"assumptions"`
}

// A Check compares the simulator with what is known.
type Check struct {
	Name string `json:"name"`
	// What is what the simulator says, and what it should say.
	What string `json:"what"`
	OK   bool   `json:"ok"`
	// Advisory checks do not stop a report. It lists those that are off.
	Advisory bool `json:"advisory"`
	// Skipped checks had nothing to compare with. The report lists them, and
	// counts them neither as well nor as off.
	Skipped bool `json:"skipped"`
}

// A Cell is the prediction for one workload with one number of workers.
type Cell struct {
	Workload string `json:"workload"`
	About    string `json:"about"`
	Workers  int    `json:"workers"`
	// Low, Base and High are speed-ups over the plain program: with all
	// constants of the machine at their pessimistic end, as believed in, and at
	// their optimistic end.
	Low  float64 `json:"low"`
	Base float64 `json:"base"`
	High float64 `json:"high"`
	// Bound is Graham's.
	Bound float64 `json:"bound"`
	// Limit is what keeps Base from Bound: see the rule in the documentation
	// of the package.
	Limit Limit `json:"limit"`
	// OfBound is which part Base is, as a speed-up over one worker of the same
	// pool, of the most that a greedy schedule promises: see the documentation
	// of the package.
	OfBound float64 `json:"of_bound"`
	// Ramp is the time until all workers that the program has parallelism for
	// have first worked, in nanoseconds. It is Elapsed if some never do.
	Ramp float64 `json:"ramp_ns"`
	// Lost says how the time beyond the bound is made up, as parts of the
	// elapsed time.
	Lost map[Limit]float64 `json:"lost"`
	// Elapsed is in nanoseconds, of Base.
	Elapsed float64 `json:"elapsed_ns"`
	// Hottest are the lines that cost most, of Base.
	Hottest []HotLine `json:"hottest"`
}

// A HotLine is what the cache lines of one name cost in a run.
type HotLine struct {
	Name   string `json:"name"`
	Misses int    `json:"misses"`
	// Share is the time of those misses, as a part of all workers' time.
	Share float64 `json:"share"`
}

// An Assumption is the constant that moves a prediction most.
type Assumption struct {
	Workload string `json:"workload"`
	Workers  int    `json:"workers"`
	Constant string `json:"constant"`
	Source   string `json:"source"`
	// Low and High are the speed-ups with this constant alone at its
	// pessimistic and its optimistic end.
	Low  float64 `json:"low"`
	Base float64 `json:"base"`
	High float64 `json:"high"`
}

// Write prints the report in JSON.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Cell returns the prediction for a workload and a number of workers, or nil.
func (r *Report) Cell(workload string, workers int) *Cell {
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Workload == workload && c.Workers == workers {
			return c
		}
	}
	return nil
}

func (c Check) String() string { return fmt.Sprintf("%s: %s", c.Name, c.What) }
