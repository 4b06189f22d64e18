package scenarios_test

import (
	"math"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/deque"
)

func TestDeque(t *testing.T) {
	t.Run("deque=chaselev", func(t *testing.T) {
		scenarios.TestDeque(t, func() api.Deque[int] { return deque.NewChaseLevAt[int](2, math.MaxInt64) })
	})
	t.Run("deque=locked", func(t *testing.T) {
		scenarios.TestDeque(t, func() api.Deque[int] { return deque.NewLocked[int]() })
	})
}

func TestInjector(t *testing.T) {
	for name, slots := range map[string]int{"slots=1": 1, "slots=2": 2, "slots=3": 3} {
		t.Run(name, func(t *testing.T) {
			scenarios.TestInjector(t, func() api.Injector[int] { return deque.NewInjectorSized[int](slots) })
		})
	}
}
