package explore_test

import (
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// A gate lets those who wait through once it was opened. It is what somebody
// might write who has not read the documentation of sync.Cond.
type gate struct {
	mu   prim.Mutex
	cond *prim.Cond
	open prim.Bool
}

func (g *gate) wait() {
	if g.open.Load() {
		return
	}
	g.mu.Lock()
	g.cond.Wait() // the gate may have been opened since it was looked at
	g.mu.Unlock()
}

// A test of the gate; its name would be TestGate. It finds that one who looked
// before the gate was opened, and waits after, waits for ever:
//
//	missed wake or deadlock: the scenario has returned, and what it has started is blocked for ever:
//		1 visitor: Cond.Wait #2 at example_test.go:23
//	by a schedule of 2 preemptions, 1:2 0:2 1:2:
//
// and then says, a line for each operation, how it came to that.
func ExampleCheck() {
	_ = func(t *testing.T) {
		explore.Check(t, func(x *explore.Exec) {
			g := &gate{}
			g.cond = prim.NewCond(&g.mu)
			x.Go("visitor", g.wait)
			g.open.Store(true)
			g.cond.Broadcast()
		}, explore.Bound(3))
	}
}
