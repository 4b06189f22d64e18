package par

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A gauge tells the user how far a call is. A call has one only if a report was asked for. It
// goes through the stages of the call, each of which has a share of the whole, and counts
// elements in some, and calls of the user's functions in others. A goroutine that has done an
// element, or has called such a function, looks at the clock, in every stage: see watched.
type gauge struct {
	report func(done, total int)
	// total and the present stage are written between two loops of the call. It goes from an
	// element to another one, and takes so many elements or calls.
	total    int
	from, to float64
	steps    int
	byCalls  bool

	// done counts the elements or calls of the stage.
	//
	// Writers: a goroutine that has done one, and a new stage.
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

	watches []interface{ forget() } // each a watch
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
	for _, w := range g.watches {
		w.forget()
	}
	spareGauge.Store(g)
}

// begin begins a stage of so many elements or calls.
func (g *gauge) begin(from, to float64, steps int, byCalls bool) {
	g.from, g.to, g.steps, g.byCalls = from*float64(g.total), to*float64(g.total), steps, byCalls
	g.done.Store(0)
}

// called notes that a function of the user has returned.
func (g *gauge) called() {
	n := 0
	if g.byCalls {
		n = 1
	}
	g.did(n, prim.Now())
}

// did notes n elements or calls more, and reports if it is time to.
func (g *gauge) did(n int, now time.Duration) {
	if n > 0 {
		g.done.Add(int64(n))
	}
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

// reached is how many elements are done, if all take as long. The number of calls may be more
// than was expected.
func (g *gauge) reached() int {
	done := int(g.from + (g.to-g.from)*float64(g.done.Load())/float64(max(g.steps, 1)))
	if g.byCalls {
		return min(done, int(g.to), g.total-1)
	}
	return done
}

// A watch is a function that calls one of the user's, f, and tells the gauge. It stays with the
// gauge, for a later call that has a function of the same type.
type watch[F any] struct {
	f, by F
	used  bool
}

func (w *watch[F]) forget() { w.f, w.used = *new(F), false }

// watching returns a watch's function for f. make makes it, if no watch of the type is free.
func watching[F any](g *gauge, f F, make func(w *watch[F]) F) F {
	for _, w := range g.watches {
		if w, ok := w.(*watch[F]); ok && !w.used {
			w.f, w.used = f, true
			return w.by
		}
	}
	w := &watch[F]{f: f, used: true}
	w.by = make(w)
	g.watches = append(g.watches, w)
	return w.by
}

// watched0 to watched3 return f, or if there is a gauge, f that tells it of each call.
func watched0[R any](g *gauge, f func() R) func() R {
	if g == nil {
		return f
	}
	return watching(g, f, func(w *watch[func() R]) func() R {
		return func() R {
			r := w.f()
			g.called()
			return r
		}
	})
}

func watched1[A, R any](g *gauge, f func(A) R) func(A) R {
	if g == nil {
		return f
	}
	return watching(g, f, func(w *watch[func(A) R]) func(A) R {
		return func(a A) R {
			r := w.f(a)
			g.called()
			return r
		}
	})
}

func watched2[A, B, R any](g *gauge, f func(A, B) R) func(A, B) R {
	if g == nil {
		return f
	}
	return watching(g, f, func(w *watch[func(A, B) R]) func(A, B) R {
		return func(a A, b B) R {
			r := w.f(a, b)
			g.called()
			return r
		}
	})
}

func watched3[A, B, C, R any](g *gauge, f func(A, B, C) (R, error)) func(A, B, C) (R, error) {
	if g == nil {
		return f
	}
	return watching(g, f, func(w *watch[func(A, B, C) (R, error)]) func(A, B, C) (R, error) {
		return func(a A, b B, c C) (R, error) {
			r, err := w.f(a, b, c)
			g.called()
			return r, err
		}
	})
}
