package explore_test

import (
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// The gate of the example is wrong, as the example says.
func TestGate(t *testing.T) {
	find(t, explore.Deadlock, 2, func(x *explore.Exec) {
		g := &gate{}
		g.cond = prim.NewCond(&g.mu)
		x.Go("visitor", g.wait)
		g.open.Store(true)
		g.cond.Broadcast()
	})
}
