package scenarios_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// atOnce is to fall asleep after the first search that finds nothing.
var atOnce = api.Rounds{Sleepy: 1}

// With a jobs event counter of one bit, which wraps with every second post, all scenarios but one
// have as many schedules as with a wide one, and that one has more. The backends differ in their
// Blocker alone. So the rows of package mutants name one of them, which is explored deepest.
func TestSleep(t *testing.T) {
	for _, b := range []struct {
		name string
		new  func(workers int) (api.Sleep, error)
	}{
		{"sleep=futex", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(atOnce), futex.WithJobsBits(1))
		}},
		{"sleep=jec", func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithRounds(atOnce), jec.WithJobsBits(1))
		}},
		{"sleep=futex,park=goroutine", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(atOnce), futex.WithJobsBits(1), futex.WithGoroutinePark())
		}},
		{"sleep=futex,threads=1", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(atOnce), futex.WithJobsBits(1), futex.WithThreadLimit(1))
		}},
		{"sleep=no_goroutines", func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithoutGoroutines(), jec.WithRounds(atOnce), jec.WithJobsBits(1))
		}},
	} {
		t.Run(b.name, func(t *testing.T) {
			all := scenarios.Sleep(b.new)
			for i := range all {
				if s := &all[i]; b.name != "sleep=futex" && s.Bound != scenarios.Complete {
					s.Bound = max(s.Bound-1, 1)
				}
			}
			scenarios.Run(t, all)
		})
	}
}
