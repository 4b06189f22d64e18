//go:build explore

package atomic_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/explore/internal/planted"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
)

// The store buffer of two threads: not both may read 0.
func TestAtomics(t *testing.T) {
	planted.Outcomes(t, func() string {
		var x, y atomic.Int32
		var a, b int32
		var g sync.WaitGroup
		g.Go(func() { x.Store(1); a = y.Load() })
		g.Go(func() { y.Store(1); b = x.Load() })
		g.Wait()
		return fmt.Sprint(a, b)
	}, "0 1", "1 0", "1 1")
	planted.Outcomes(t, func() string {
		var x uint64
		var v atomic.Value
		var g sync.WaitGroup
		g.Go(func() { atomic.AddUint64(&x, 2); v.Store("s") })
		ok := atomic.CompareAndSwapUint64(&x, 0, 1)
		s := v.Load()
		g.Wait()
		return fmt.Sprint(ok, s, x)
	}, "true <nil> 3", "trues3", "false <nil> 2", "falses2")
}

// A store is before the load that sees it, and a word is not to be used plainly meanwhile.
func TestOrders(t *testing.T) {
	planted.Passes(t, func() {
		var ready atomic.Bool
		n := 0
		lang.Go(func() { *lang.Write(&n, "n") = 1; ready.Store(true) })
		if ready.Load() {
			*lang.Write(&n, "n") = 2
		}
	})
	planted.Passes(t, func() {
		var word uint32
		n := 0
		lang.Go(func() { *lang.Write(&n, "n") = 1; atomic.CompareAndSwapUint32(&word, 0, 1) })
		if !atomic.CompareAndSwapUint32(&word, 0, 2) {
			*lang.Write(&n, "n") = 2
			*lang.Write(&word, "word") = 3
		}
	})
	planted.Fails(t, "data race", func() {
		var word atomic.Uint32
		n := 0
		lang.Go(func() { *lang.Write(&n, "n") = 1; word.CompareAndSwap(5, 6) }) // changes nothing
		word.Load()
		*lang.Write(&n, "n") = 2
	})
	for name, f := range map[string]func(p *int64){
		"load":  func(p *int64) { atomic.LoadInt64(p) },
		"store": func(p *int64) { atomic.StoreInt64(p, 1) },
		"add":   func(p *int64) { atomic.AddInt64(p, 1) },
		"swap":  func(p *int64) { atomic.CompareAndSwapInt64(p, 0, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			if planted.UnderRace && name == "swap" {
				t.Skip("what it does is known when it is done: the race detector has reported it then")
			}
			planted.Fails(t, "data race", func() {
				p := new(int64)
				lang.Go(func() { f(p) })
				*lang.Write(p, "word") = 2
			})
		})
	}
}
