package scenarios_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/counters"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/latch"
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

func TestDeque(t *testing.T) {
	t.Run("deque=chaselev", func(t *testing.T) {
		scenarios.TestDeque(t, func() api.Deque[int] { return deque.NewChaseLevAt[int](2, math.MaxInt64) })
	})
	t.Run("deque=locked", func(t *testing.T) {
		scenarios.TestDeque(t, func() api.Deque[int] { return deque.NewLocked[int]() })
	})
}

func TestInjector(t *testing.T) {
	for name, slots := range map[string]int{"slots=1": 1, "slots=2": 2} {
		t.Run(name, func(t *testing.T) {
			scenarios.TestInjector(t, func() api.Injector[int] { return deque.NewInjectorSized[int](slots) })
		})
	}
}

func TestLatch(t *testing.T) {
	t.Run("latch=core", func(t *testing.T) {
		scenarios.TestLatch(t,
			func() api.Latch { return new(latch.Core) },
			func(l api.Latch) { l.(*latch.Core).Reset() }, 1)
	})
	t.Run("latch=count", func(t *testing.T) {
		const sets = 2
		scenarios.TestLatch(t, func() api.Latch {
			l := new(latch.Count)
			l.Init(sets)
			return l
		}, func(l api.Latch) { l.(*latch.Count).Init(sets) }, sets)
	})
}
