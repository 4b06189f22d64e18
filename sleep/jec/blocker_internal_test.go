package jec

import (
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api/testrule"
)

// If this fails, a Signal that comes late, when the Block that it was for has ended,
// ends the next one: then a worker runs that counts as asleep.
func TestBlockOutlivesLateSignal(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		c := newCondition(0).(*condition)
		c.Release()
		c.Block() // of that Release, before its Signal, which finds no waiter
		blocked := make(chan struct{})
		go func() {
			defer testrule.Name()
			defer close(blocked)
			c.Block()
		}()
		synctest.Wait() // until it blocks
		c.cond.Signal() // of the Release before
		synctest.Wait()
		select {
		case <-blocked:
			t.Error("S7: Blocker: Block returned, and Release was not called since the one that ended the last Block")
		default:
			c.Release()
			<-blocked
		}
	})
}
