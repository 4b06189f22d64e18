// Package races has programs that the race detector must report, and others that it must not.
package races

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

func TestRacy(t *testing.T)    { check(t, racy) }
func TestOrdered(t *testing.T) { check(t, ordered) }

// check explores the schedules of each program, and fails only if a race is reported.
func check(t *testing.T, programs map[string]func(x *explore.Exec)) {
	for name, program := range programs {
		t.Run(name, func(t *testing.T) { explore.Check(t, program, explore.Spurious(1)) })
	}
}

// pair has two threads share a plain variable. In some schedules the writes come in one order,
// in some in the other.
func pair(one, two func(n *int)) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		var n int
		x.Go("one", func() { one(&n) })
		x.Go("two", func() { two(&n) })
		x.Wait()
		n++
	}
}

func add(n *int) { *n++ }

var a [2]prim.Int32

var racy = map[string]func(x *explore.Exec){
	"plain": pair(add, add),
	// An operation on an unrelated variable orders nothing.
	"unrelated": pair(
		func(n *int) { a[0].Add(1); *n++; a[0].Add(1) },
		func(n *int) { a[1].Add(1); *n++; a[1].Add(1) }),
	// A failed TryLock orders nothing.
	"try_lock": func(x *explore.Exec) {
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
	},
	// Nor does a futex: what it waits for must be read.
	"futex": func(x *explore.Exec) {
		var word prim.Uint32
		var n int
		x.Go("sleeper", func() { prim.FutexWait(&word, 0); n++ })
		n++
		word.Store(1)
		prim.FutexWake(&word)
	},
	// The goroutine that has started a thread is not ordered after it.
	"start": func(x *explore.Exec) {
		var n int
		prim.Go(func() { n++ })
		n++
	},
	// Wait orders what came before Done, not what came after.
	"after_done": func(x *explore.Exec) {
		var g prim.WaitGroup
		var n int
		g.Add(1)
		prim.Go(func() { g.Done(); n++ })
		g.Wait()
		n++
	},
}

var ordered = map[string]func(x *explore.Exec){
	"mutex": func(x *explore.Exec) {
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
	},
	"atomic": func(x *explore.Exec) {
		var ready prim.Bool
		var n int
		x.Go("reader", func() {
			if ready.Load() {
				n++
			}
		})
		n++
		ready.Store(true)
	},
	"cond": func(x *explore.Exec) {
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
	},
	"parker": func(x *explore.Exec) {
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
	},
	"context": func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		x.Go("parked", func() { _ = prim.NewParker().ParkContext(ctx); n++ })
		n++
		cancel()
		x.Wait()
		prim.AfterFunc(ctx, func() { n++ })
	},
	"group": func(x *explore.Exec) {
		var g prim.WaitGroup
		var n [2]int
		for i := range n {
			g.Go(func() { n[i]++ })
		}
		g.Wait()
		n[0] += n[1]
	},
	"start": func(x *explore.Exec) {
		n := 1
		var a prim.Int32
		x.Go("child", func() {
			n++
			x.Go("grandchild", func() { n++; a.Add(1) })
		})
		x.Wait()
		n++
	},
}
