// Package races has programs that the race detector must report, TestRacy…, and
// others that it must not, TestOrdered….
package races

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// pair explores two threads that share a plain variable. Each explores the
// schedules in which the writes come in either order, and fails only if one is
// reported.
func pair(t *testing.T, one, two func(x *explore.Exec, n *int)) {
	explore.Check(t, func(x *explore.Exec) {
		var n int
		x.Go("one", func() { one(x, &n) })
		x.Go("two", func() { two(x, &n) })
		x.Wait()
		n++
	})
}

func TestRacyPlain(t *testing.T) {
	add := func(_ *explore.Exec, n *int) { *n++ }
	pair(t, add, add)
}

// An operation on an unrelated variable orders nothing.
func TestRacyUnrelated(t *testing.T) {
	var a [2]prim.Int32
	pair(t,
		func(_ *explore.Exec, n *int) { a[0].Add(1); *n++; a[0].Add(1) },
		func(_ *explore.Exec, n *int) { a[1].Add(1); *n++; a[1].Add(1) })
}

// A failed TryLock orders nothing.
func TestRacyTryLock(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var mu prim.Mutex
		var n int
		x.Go("holder", func() { mu.Lock(); n++; mu.Unlock() })
		x.Go("trier", func() {
			if mu.TryLock() {
				mu.Unlock()
			} else {
				n++
			}
		})
	})
}

// Nor does a futex: what it waits for must be read.
func TestRacyFutex(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var word prim.Uint32
		var n int
		x.Go("sleeper", func() { prim.FutexWait(&word, 0); n++ })
		n++
		word.Store(1)
		prim.FutexWake(&word)
	})
}

// Who has started a thread is not ordered after it.
func TestRacyStart(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var n int
		prim.Go(func() { n++ })
		n++
	})
}

// Wait orders what came before Done, not what came after.
func TestRacyAfterDone(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var g prim.WaitGroup
		var n int
		g.Add(1)
		prim.Go(func() { g.Done(); n++ })
		g.Wait()
		n++
	})
}

func TestOrderedMutex(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var mu prim.Mutex
		var n int
		for range 2 {
			x.Go("adder", func() { mu.Lock(); n++; mu.Unlock() })
		}
		if mu.TryLock() {
			n++
			mu.Unlock()
		}
		x.Wait()
		n++
	})
}

func TestOrderedAtomic(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var ready prim.Bool
		var n int
		x.Go("reader", func() {
			if ready.Load() {
				n++
			}
		})
		n++
		ready.Store(true)
	})
}

func TestOrderedCond(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var mu prim.Mutex
		cond := prim.NewCond(&mu)
		n := 0
		for range 2 {
			x.Go("waiter", func() {
				mu.Lock()
				for n == 0 {
					cond.Wait()
				}
				n++
				mu.Unlock()
			})
		}
		mu.Lock()
		n++
		mu.Unlock()
		cond.Broadcast()
		x.Wait()
		n++
	}, explore.Spurious(1))
}

func TestOrderedParker(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		p, back := prim.NewParker(), prim.NewParker()
		n := 0
		x.Go("parked", func() {
			for range 2 {
				p.Park()
				n++
				back.Unpark()
			}
		})
		for range 2 {
			n++
			p.Unpark()
			back.Park()
		}
	})
}

func TestOrderedContext(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		x.Go("parked", func() { _ = prim.NewParker().ParkContext(ctx); n++ })
		n++
		cancel()
		x.Wait()
		prim.AfterFunc(ctx, func() { n++ })
	})
}

func TestOrderedGroup(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		var g prim.WaitGroup
		var n [2]int
		for i := range n {
			g.Go(func() { n[i]++ })
		}
		g.Wait()
		n[0] += n[1]
	})
}

func TestOrderedStart(t *testing.T) {
	explore.Check(t, func(x *explore.Exec) {
		n := 1
		var a prim.Int32
		x.Go("child", func() {
			n++
			x.Go("grandchild", func() { n++; a.Add(1) })
		})
		x.Wait()
		n++
	})
}
