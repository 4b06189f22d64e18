package par

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A gauge tells the user how far a call is. A call has one only if a report was asked for. The loops
// of the call, one after the other, tell it of each index that they have done, in did, and nobody
// else does. So a call says only over how many elements its loops go in all: see config.stages.
type gauge struct {
	report func(done, total int)
	// These are written between two loops of the call. It is over total elements, and its loops go
	// over all. Those that have ended went over past, the present one goes over size in so many steps.
	total, all, past, size, steps int

	// done counts the steps of the present loop.
	//
	// Writers: a goroutine that has done some, and a new loop.
	// Readers: the one that reports.
	// Pairs:   none, it is a count.
	done prim.Int64
	// last is when the last report began, or the call.
	//
	// Writers: the one that reports.
	// Readers: everybody. A goroutine that finds that it is long ago looks again once it has busy.
	// Pairs:   see busy.
	last prim.Int64
	// busy says that a goroutine reports; it alone may use told: the last number.
	//
	// Writers: a goroutine that is to report, by CAS; it also clears it.
	// Pairs:   the store that clears it with the next CAS.
	busy prim.Bool
	told int
}

// spareGauge is a gauge of a call that has ended, so that most calls need not make one.
//
// Writers: a call that takes it, and one that puts one there.
// Pairs:   the Store with the Swap that takes it.
var spareGauge prim.Pointer[gauge]

func gaugeOf(report func(done, total int)) *gauge {
	g := spareGauge.Swap(nil)
	if g == nil {
		g = new(gauge)
	}
	g.report, g.told = report, 0
	g.past, g.size = 0, 0
	g.last.Store(int64(prim.Now()))
	return g
}

// finish reports that all n elements are done. Nothing of the call runs any more.
func (g *gauge) finish(n int) {
	g.report(n, n)
	g.release()
}

// release leaves the gauge to another call. Nothing of this one runs any more. A gauge that is
// not released, because its call fails, is garbage.
func (g *gauge) release() {
	g.report = nil
	spareGauge.Store(g)
}

// begin begins a loop over so many elements.
func (g *gauge) begin(size, steps int) {
	g.past, g.size, g.steps = g.past+g.size, size, steps
	g.done.Store(0)
}

// did notes n steps more, and reports if it is time to.
func (g *gauge) did(n int, now time.Duration) {
	g.done.Add(int64(n))
	if now-time.Duration(g.last.Load()) < reportEvery || !g.busy.CompareAndSwap(false, true) {
		return
	}
	defer g.busy.Store(false)
	if now-time.Duration(g.last.Load()) < reportEvery {
		return
	}
	if done := max(g.told, g.reached()); done < g.total {
		g.told = done
		g.last.Store(int64(now))
		g.report(done, g.total)
	}
}

// reached is how many elements are done, if it takes as long to go over each. Several loops may have
// gone over more than was expected.
func (g *gauge) reached() int {
	went := float64(g.past) + float64(g.size)*float64(g.done.Load())/float64(g.steps)
	done := int(min(went*float64(g.total)/float64(g.all), float64(g.total)))
	if g.all > g.total {
		done = min(done, g.total-1)
	}
	return done
}
