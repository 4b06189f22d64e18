package scenarios

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

func TestPool(t *testing.T) {
	for _, c := range []struct {
		name  string
		sleep func(workers int) (api.Sleep, error)
		deque func() api.Deque[pool.Job]
	}{
		{"sleep=jec/deque=chaselev", newJEC, chaseLev},
		{"sleep=futex/deque=chaselev", newFutex, chaseLev},
		{"sleep=no_goroutines/deque=locked", func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithoutGoroutines(), jec.WithRounds(atOnce), jec.WithJobsBits(1))
		}, func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := poolScenarios(func(opts ...pool.Option) (*pool.Pool, error) {
				return pool.New(append([]pool.Option{pool.WithSleep(c.sleep), pool.WithDeque(c.deque)}, opts...)...)
			})
			if c.name != named {
				shallow(all)
			}
			scenarios.Run(t, all)
		})
	}
}

// named is the pair that the rows of package mutants name: lab conform checks that it is explored
// as deep as they need.
const named = "sleep=futex/deque=chaselev"

// shallow leaves one preemption to the scenarios about sleep, and none to the others: all were
// explored with the named pair. A pool meets a backend and a deque through their interfaces alone,
// whose rules have scenarios of their own. So another backend can show in who sleeps and is woken,
// and in what it does without being interrupted. Full depth remains.
func shallow(all []scenarios.Scenario) {
	for i := range all {
		s, most := &all[i], 0
		if s.Rule == "P5" || strings.Contains("SCL", s.Rule[:1]) {
			most = 1
		}
		s.Deep = max(s.Bound, s.Deep)
		s.Bound = min(s.Bound, most)
		s.Why = why(s.Bound)
	}
}

// A backend that lends no seats: what is submitted while all sleep is queued,
// and wakes a worker.
func TestPoolWithoutLender(t *testing.T) {
	all := poolScenarios(func(opts ...pool.Option) (*pool.Pool, error) {
		return pool.New(append([]pool.Option{pool.WithSleep(lendsNothing), pool.WithDeque(chaseLev)}, opts...)...)
	})
	names := []string{"blocked_job", "blocked_job_jec_wraps", "joined_by_job", "goexit_of_submitted", "close_drains", "close_races_submit"}
	queued := slices.DeleteFunc(all, func(s scenarios.Scenario) bool { return !slices.Contains(names, s.Name) })
	for i := range queued { // some that have an end where seats are lent have none here
		s := &queued[i]
		s.Bound, s.Deep, s.Why = 1, 2, why(1)
	}
	if len(queued) != len(names) {
		t.Errorf("%d scenarios, want %d", len(queued), len(names))
	}
	scenarios.Run(t, queued)
}

// atOnce is to fall asleep after the first search that finds nothing.
var atOnce = api.Rounds{Sleepy: 1}

// newJEC and newFutex make backends whose jobs event counter wraps with every
// second post.

func newJEC(workers int) (api.Sleep, error) {
	return jec.New(workers, jec.WithRounds(atOnce), jec.WithJobsBits(1))
}

func newFutex(workers int) (api.Sleep, error) {
	return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(atOnce), futex.WithJobsBits(1))
}

// lendsNothing makes a backend that implements [api.Sleep] and nothing else.
func lendsNothing(workers int) (api.Sleep, error) {
	s, err := newFutex(workers)
	return struct{ api.Sleep }{s}, err
}

// chaseLev makes deques that grow at the third item, and whose indexes overflow
// with the second.
func chaseLev() api.Deque[pool.Job] { return deque.NewChaseLevAt[pool.Job](2, math.MaxInt64-1) }
