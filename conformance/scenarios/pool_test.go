package scenarios_test

import (
	"math"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// Workers sleep after the first search that finds nothing, and the JEC wraps
// with every second post.
var asleepAtOnce = api.Rounds{Sleepy: 1}

func TestPool(t *testing.T) {
	for _, c := range []struct {
		name  string
		sleep func(workers int) (api.Sleep, error)
		deque func() api.Deque[pool.Job]
	}{
		{"sleep=jec/deque=chaselev", func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithRounds(asleepAtOnce), jec.WithJobsBits(1))
		}, chaseLev},
		{"sleep=futex/deque=chaselev", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(asleepAtOnce), futex.WithJobsBits(1))
		}, chaseLev},
		{"sleep=futex_goroutines/deque=locked", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithGoroutinePark(), futex.WithRounds(asleepAtOnce), futex.WithJobsBits(1))
		}, func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			scenarios.TestPool(t, func(opts ...pool.Option) (*pool.Pool, error) {
				return pool.New(append([]pool.Option{pool.WithSleep(c.sleep), pool.WithDeque(c.deque)}, opts...)...)
			})
		})
	}
}

// chaseLev makes deques that grow at the third item, and whose indexes overflow
// with the second.
func chaseLev() api.Deque[pool.Job] { return deque.NewChaseLevAt[pool.Job](2, math.MaxInt64-1) }
