package scenarios_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

func TestRegressions(t *testing.T) {
	for name, sleep := range map[string]func(workers int) (api.Sleep, error){
		"sleep=jec": func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithRounds(asleepAtOnce), jec.WithJobsBits(1))
		},
		"sleep=futex": func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(asleepAtOnce), futex.WithJobsBits(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			scenarios.TestRegressions(t, func(opts ...pool.Option) (*pool.Pool, error) {
				return pool.New(append([]pool.Option{pool.WithSleep(sleep), pool.WithDeque(chaseLev)}, opts...)...)
			})
		})
	}
}
