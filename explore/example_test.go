package explore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// A gate lets waiting goroutines through once it is open. A programmer who has not
// read the documentation of sync.Cond might write it like this.
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
	g.cond.Wait() // the gate may have been opened since the Load
	g.mu.Unlock()
}

// A test of the gate; its name would be TestGate. It finds that a visitor that looks
// before the gate is opened, and waits afterwards, waits forever:
//
//	missed wake or deadlock: the scenario has returned, and what it started is blocked forever:
//		1 visitor: Cond.Wait #2 at example_test.go:23
//	by a schedule of 2 preemptions, 1:2 0:2 1:2:
//
// and then shows, with a line for each operation, how that happens.
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

// Two transfers in opposite directions must not block each other. Here both take the locks in the
// same order. Run the test with go tool explore test.
func ExampleTest() {
	type account struct {
		mu      sync.Mutex
		balance int
	}
	transfer := func(first, second, from, to *account, n int) {
		first.mu.Lock()
		defer first.mu.Unlock()
		second.mu.Lock()
		defer second.mu.Unlock()
		from.balance -= n
		to.balance += n
	}
	_ = func(t *testing.T) {
		explore.Test(t, func(t *testing.T) {
			a, b := &account{balance: 5}, &account{balance: 5}
			var wg sync.WaitGroup
			wg.Go(func() { transfer(a, b, a, b, 1) })
			wg.Go(func() { transfer(a, b, b, a, 2) })
			wg.Wait()
			if a.balance != 6 || b.balance != 4 {
				t.Errorf("%d and %d, want 6 and 4", a.balance, b.balance)
			}
		})
	}
}

// The test fails unless the result comes first in some execution, and the timeout in another.
func ExamplePossible() {
	_ = func(t *testing.T) {
		explore.Test(t, func(t *testing.T) {
			result := make(chan int, 1)
			go func() { result <- 1 }()
			select {
			case <-result:
				explore.Possible(t, true, "the result comes in time")
			case <-time.After(time.Second):
				explore.Possible(t, true, "it is too late")
			}
		})
	}
}

// The test tries channels with room for no, one and two values.
func ExampleChoose() {
	_ = func(t *testing.T) {
		explore.Test(t, func(t *testing.T) {
			ch := make(chan int, explore.Choose(3))
			go func() {
				defer close(ch)
				for i := range 2 {
					ch <- i
				}
			}()
			sum := 0
			for v := range ch {
				sum += v
			}
			if sum != 1 {
				t.Error(sum)
			}
		})
	}
}
