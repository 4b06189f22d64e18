package scenarios_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/latch"
)

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
