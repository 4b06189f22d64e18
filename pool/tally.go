package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A tally counts what Close waits for. It ends when the count comes to zero, once and for
// all. A WaitGroup would do, but for a pool that is used inside a bubble of
// testing/synctest and outside, as the default one may be: a WaitGroup is one or the other.
type tally struct {
	// count is what is not done.
	//
	// Writers: all who count. Whoever raises it knows that it is not zero.
	count prim.Int64
	ended latch.Outside
}

func (t *tally) Add(n int) { t.count.Add(int64(n)) }

func (t *tally) Done() {
	switch left := t.count.Add(-1); {
	case left == 0:
		t.ended.Set()
	case left < 0:
		panic("pool: a tally is below zero")
	}
}

// Wait returns when the count has come to zero.
func (t *tally) Wait() { _ = t.ended.Wait(context.Background()) } // which never ends
