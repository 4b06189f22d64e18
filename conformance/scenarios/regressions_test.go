package scenarios_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/pool"
)

func TestRegressions(t *testing.T) {
	for name, sleep := range map[string]func(workers int) (api.Sleep, error){
		"sleep=jec":   newJEC,
		"sleep=futex": newFutex,
	} {
		t.Run(name, func(t *testing.T) {
			scenarios.TestRegressions(t, func(opts ...pool.Option) (*pool.Pool, error) {
				return pool.New(append([]pool.Option{pool.WithSleep(sleep), pool.WithDeque(chaseLev)}, opts...)...)
			})
		})
	}
}
