// Package depth reads how far scenarios are explored.
//
// It is a package of its own for its test: one in package scenarios would have that compiled
// twice, which takes longer than all else here.
package depth

import (
	"fmt"
	"math"
	"strconv"
)

// Variable is the environment variable that has the depth.
const Variable = "ROUSE_DEPTH"

// Complete, in place of a number of preemptions, stands for every schedule.
const Complete = math.MaxInt

// A Depth says how far all scenarios are explored.
type Depth struct {
	Name string
	// Random is how many random schedules follow.
	Random int
	// bound is the number of preemptions for every scenario; negative, it is
	// for the scenario to say.
	bound int
}

// The depths that have names.
var (
	quick = Depth{Name: "quick", bound: -1, Random: 500}
	full  = Depth{Name: "full", bound: -1, Random: 100_000}
)

// Parse reads a depth: the name of one, a number of preemptions, or nothing, for the quick one.
func Parse(s string) (Depth, error) {
	switch s {
	case "", quick.Name:
		return quick, nil
	case full.Name:
		return full, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return Depth{}, fmt.Errorf("%s is %q, must be %s, %s or a number of preemptions", Variable, s, quick.Name, full.Name)
	}
	return Depth{Name: s, bound: n}, nil
}

// Of returns the number of preemptions up to which a scenario is explored that says bound, and
// deep for the full depth.
func (d Depth) Of(bound, deep int) int {
	switch {
	case d.bound >= 0:
		return d.bound
	case d == full:
		return max(bound, deep)
	}
	return bound
}
