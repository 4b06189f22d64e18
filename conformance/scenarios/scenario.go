package scenarios

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

// A Scenario is a program in which something must come out right whatever the
// schedule. It must be deterministic but for that: see package explore.
type Scenario struct {
	// Name is that of the subtest.
	Name string
	// Rule is the rule that is broken if the scenario fails, unless the
	// failure cites another one.
	Rule string
	// Bound is the number of preemptions up to which every schedule is run
	// in every run of the tests, or [Complete]: a second or so for each
	// scenario.
	Bound int
	// Deep is the same at full depth: tens of seconds.
	Deep int
	// Why says why it has a bound, if it has: see [NoEnd].
	Why string
	// Options are for further needs of the exploration, such as
	// [explore.Spurious].
	Options []explore.Option
	// Body is the program. It is run again and again, and must build all
	// that it uses anew.
	Body func(x *explore.Exec)

	// unreached names what the scenario is about and no execution has come to. It may be nil.
	unreached func() []string
}

// Complete, in place of a number of preemptions, says that every schedule is run
// but for those that differ in the order of independent operations only, see
// [explore.Unbounded]. It pays where threads seldom meet at one variable, such
// as in a deque.
const Complete = math.MaxInt

// ordersTried is how many schedules of a scenario with a bound are run at full depth that
// differ in the order of operations that affect each other: that may be all there are.
const ordersTried = 100_000

// NoEnd is the reason why a scenario is not [Complete] that has more orders than can be tried.
// of is what meets in it: 2 workers, say.
func NoEnd(of string) string {
	return fmt.Sprintf("%s, and no end in %d schedules without a bound", of, ordersTried)
}

// The environment variables; see the package documentation.
const (
	depthVariable    = "ROUSE_DEPTH"
	reportVariable   = "ROUSE_REPORT"
	scheduleVariable = "ROUSE_SCHEDULE" // read by explore.Check
)

// The random schedules are those of PCT: seed is arbitrary but fixed, orderings
// one more than the preemptions that the known mutants need.
const (
	seed      = 1
	orderings = 4
)

// Run explores each scenario, in a subtest of its name, as deep as the
// environment variable ROUSE_DEPTH says.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	d, err := parseDepth(os.Getenv(depthVariable))
	if err != nil {
		t.Fatal(err)
	}
	if len(scenarios) == 0 {
		t.Fatal("there are no scenarios: nothing would be explored")
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { s.run(t, d) })
	}
}

func (s Scenario) run(t *testing.T, d depth) {
	result := Result{Test: t.Name(), Rule: s.Rule, Depth: d.name, Bound: d.of(s.Bound, s.Deep), Why: s.Why}
	how := explore.Bound(result.Bound)
	if result.Bound == Complete {
		how = explore.Unbounded()
		result.Bound = -1
	}
	r := s.check(t, how)
	result.exhaustive(r)
	if r.Cut != "" {
		t.Errorf("not every schedule with up to %d preemptions was run: %s", result.Bound, r.Cut)
	}
	// Random ones have more preemptions. If no schedule can (Exhausted), they would repeat these.
	if r.Failure == nil && !r.Exhausted && d.random > 0 {
		result.random(s.check(t, explore.PCT(seed, d.random, orderings)))
		if d == full && result.Failure == nil {
			result.complete(s.check(t, explore.Unbounded(), explore.MaxSchedules(ordersTried)))
		}
	}
	// Fewer preemptions than the scenario asks for may not do.
	if s.unreached != nil && result.Failure == nil && d.bound < 0 && os.Getenv(scheduleVariable) == "" {
		for _, what := range s.unreached() {
			t.Errorf("%s: in none of %d executions %s: this shows nothing", s.Rule, result.Schedules, what)
		}
	}
	if err := result.report(os.Getenv(reportVariable)); err != nil {
		t.Error(err)
	}
}

func (s Scenario) check(t *testing.T, how ...explore.Option) explore.Report {
	t.Helper()
	r := explore.Check(t, s.Body, slices.Concat(s.Options, how)...)
	if r.Failure != nil {
		t.Errorf("%s is broken, or the rule that is cited above", s.Rule)
	}
	return r
}

// A depth says how far all scenarios are explored.
type depth struct {
	name string
	// random is how many random schedules follow.
	random int
	// bound is the number of preemptions for every scenario; negative, it is
	// for the scenario to say.
	bound int
}

// The depths that have names.
var (
	quick = depth{name: "quick", bound: -1, random: 200}
	full  = depth{name: "full", bound: -1, random: 100_000}
)

// parseDepth reads a depth: the name of one, a number of preemptions, or nothing, for the quick one.
func parseDepth(s string) (depth, error) {
	switch s {
	case "", quick.name:
		return quick, nil
	case full.name:
		return full, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return depth{}, fmt.Errorf("scenarios: %s is %q, must be %s, %s or a number of preemptions", depthVariable, s, quick.name, full.name)
	}
	return depth{name: s, bound: n}, nil
}

// of returns the number of preemptions up to which a scenario is explored that says bound, and
// deep for the full depth.
func (d depth) of(bound, deep int) int {
	switch {
	case d.bound >= 0:
		return d.bound
	case d == full:
		return max(bound, deep)
	}
	return bound
}
