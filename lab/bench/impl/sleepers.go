package impl

import (
	"github.com/rouse-go/rouse/lab/bench/sleeps"
	"github.com/rouse-go/rouse/tools/backends"
)

// A Sleeper is a sleep backend to compare.
type Sleeper struct {
	backends.Sleep
	// Restless says that its workers use processors while they have nothing to
	// do.
	Restless bool
	// Foreign says that it is not one of the repository's.
	Foreign bool
}

// Sleepers are the sleep backends of the repository, and those that only serve
// for comparison.
func Sleepers() []Sleeper {
	var all []Sleeper
	for _, s := range backends.Sleeps() {
		all = append(all, Sleeper{Sleep: s})
	}
	return append(all,
		Sleeper{Sleep: backends.Sleep{Name: "condvar", New: sleeps.NewCondvar}, Foreign: true},
		Sleeper{Sleep: backends.Sleep{Name: "spin", New: sleeps.NewSpin}, Restless: true, Foreign: true})
}
