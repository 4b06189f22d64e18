package scenarios

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/rouse-go/rouse/explore"
)

// A Result says what the exploration of one scenario did and found: a line of
// the file that ROUSE_REPORT names.
type Result struct {
	// Test is the full name of the subtest.
	Test string `json:"test"`
	// Rule is that of the scenario.
	Rule string `json:"rule"`
	// Depth is what ROUSE_DEPTH said.
	Depth string `json:"depth"`
	// Bound is the number of preemptions up to which every schedule was run,
	// or -1 if it is all of them. Why says why it is not.
	Bound int    `json:"bound"`
	Why   string `json:"why,omitempty"`
	// Schedules, Steps and Seconds are of that, Sizes the numbers of
	// schedules by bound.
	Schedules int     `json:"schedules"`
	Sizes     []int   `json:"sizes,omitempty"`
	Steps     int     `json:"steps"`
	Seconds   float64 `json:"seconds"`
	// Exhausted says that there are no schedules with more preemptions, or all have been run.
	Exhausted bool `json:"exhausted,omitempty"`
	// UpTo says what Exhausted is up to: see [explore.Report].
	UpTo string `json:"up_to,omitempty"`
	// Orders is how many of the schedules of a complete search differ in the order of
	// operations that affect each other. If Bound is not -1, it is that of a search at full
	// depth, and the other numbers say nothing of it.
	Orders int `json:"orders,omitempty"`
	// Random is the number of random schedules run after that.
	Random int `json:"random,omitempty"`
	// Failure is nil if none of them failed.
	Failure *explore.Failure `json:"failure,omitempty"`
}

func (res *Result) exhaustive(r explore.Report) {
	res.Schedules, res.Sizes, res.Steps = r.Schedules, r.Sizes, r.Steps
	res.Exhausted, res.UpTo = r.Exhausted, r.UpTo
	res.Seconds, res.Orders = r.Elapsed.Seconds(), r.Orders
	res.Failure = r.Failure
}

// complete takes what a search without a bound has found that may have been cut off.
func (res *Result) complete(r explore.Report) {
	res.Orders, res.Exhausted, res.UpTo, res.Failure = r.Orders, r.Exhausted, r.UpTo, r.Failure
}

func (res *Result) random(r explore.Report) {
	res.Random = r.Schedules
	res.Failure = r.Failure
}

// report adds the result to the file, if there is one.
func (res *Result) report(file string) error {
	if file == "" {
		return nil
	}
	line, err := json.Marshal(res)
	if err != nil {
		return fmt.Errorf("scenarios: %w", err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("scenarios: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return fmt.Errorf("scenarios: %w", err)
	}
	return f.Close()
}
