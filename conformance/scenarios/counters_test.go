package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/counters"
)

func TestCounters(t *testing.T) {
	for _, bits := range []int{32, 1} {
		t.Run(fmt.Sprintf("bits=%d", bits), func(t *testing.T) {
			scenarios.TestCounters(t, func(workers int) (api.Counters, error) {
				return counters.New(workers, counters.WithJobsBits(bits))
			}, bits)
		})
	}
}
