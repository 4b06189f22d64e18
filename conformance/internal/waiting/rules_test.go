package waiting

import (
	"fmt"
	"testing"
)

// A fault is a program that needs a rule: it hangs, or breaks an invariant,
// where the rule is broken.
type fault struct {
	name    string // the rule that is broken
	rules   Rules
	program string
	// seats is how many the program needs to show it.
	seats int
	// broken is the invariant that does not hold; "" for a fault that only
	// shows in a hang.
	broken string
	// hangs says that the program hangs if nobody looks at the invariants.
	hangs bool
}

// The first five are those that hang on an earlier draft of the design.
var faults = []fault{
	{
		name:  "a join runs nothing on top but its own fork",
		rules: Rules{JoinRunsOwnForks: true},
		program: `main: fork f; fork g; lock L; join f; unlock L; join g
		          f:
		          g: lock L; unlock L`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "a scope's wait claims jobs wherever they lie",
		rules: Rules{ScopeStopsAtStranger: true},
		program: `main: lock L; spawn j inner; spawn x outer; wait inner; unlock L; wait outer
		          j:
		          x: lock L; unlock L`,
		seats: 1, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "the end of a scope's job looks at the list",
		rules: Rules{ScopeEndIgnoresList: true},
		program: `main: lock L; spawn k inner; wait inner; unlock L; wait outer
		          k: spawn j inner; spawn x outer
		          j:
		          x: lock L; unlock L
		          other: lock L; unlock L`,
		seats: 2, broken: waitsForBegun, hangs: true,
	},
	{
		name:  "a join does not leapfrog",
		rules: Rules{JoinLeapfrogs: true},
		program: `main: lock L; fork c; join c; unlock L; wait outer
		          c: spawn j outer
		          j: lock L; unlock L`,
		seats: 2, broken: aboveItsWaiter, hangs: true,
	},
	{
		name:  "a claimed handle begins on a goroutine of its own",
		rules: Rules{HandleOnTop: true},
		program: `main: submit h; lock L; get-before h; unlock L
		          h: lock L; unlock L`,
		seats: 1, hangs: true,
	},
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			p, err := Parse(f.program)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(f.name)
			r := p.WithGoroutines(1000000)
			fmt.Println("  goroutines", r, r.States)
			for seats := 1; seats <= 3; seats++ {
				r = p.Search(Pool{Seats: seats})
				fmt.Println(" ", seats, r, r.States, r.Trace)
			}
			r = p.Search(Pool{Seats: f.seats, Rules: f.rules})
			fmt.Println("  fault", r, r.States)
			r = p.Search(Pool{Seats: f.seats, Rules: f.rules, OnlyHangs: true})
			fmt.Println("  fault", r, r.States)
		})
	}
}
