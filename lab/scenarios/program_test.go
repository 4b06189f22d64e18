package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/pool"
)

// All programs on one backend, and the smaller ones on the others. The kind of
// deque does not matter.
func TestPrograms(t *testing.T) {
	few := []string{"one_seat_for_one_waiter", "end_resumes_one", "deadline_beside_work", "block_gives_seat_away"}
	two := func(s scenarios.Scenario) bool {
		name, seats, _ := strings.Cut(s.Name, ",")
		return seats != "seats=3" && slices.Contains(few, name)
	}
	one := func(s scenarios.Scenario) bool { return two(s) && strings.HasSuffix(s.Name, ",seats=1") }
	for _, c := range []struct {
		name  string
		sleep func(workers int) (api.Sleep, error)
		want  func(s scenarios.Scenario) bool
	}{
		{"sleep=futex", newFutex, func(scenarios.Scenario) bool { return true }},
		{"sleep=jec", newJEC, two},
		{"sleep=lends_nothing", lendsNothing, one},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := programScenarios(func(opts ...pool.Option) (*pool.Pool, error) {
				return pool.New(append([]pool.Option{pool.WithSleep(c.sleep), pool.WithDeque(chaseLev)}, opts...)...)
			})
			all = slices.DeleteFunc(all, func(s scenarios.Scenario) bool { return !c.want(s) })
			for i := range all {
				if s := &all[i]; c.name != "sleep=futex" {
					s.Bound = min(s.Bound, 1)
				}
			}
			scenarios.Run(t, all)
		})
	}
}
