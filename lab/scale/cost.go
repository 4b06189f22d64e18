package scale

import "github.com/rouse-go/rouse/lab/simulate"

// A Cost is the work and the span of a piece of a program: how long it takes one
// worker, and how long it takes any number of them.
type Cost struct{ Work, Span simulate.Time }

// step is the cost of a piece that forks nothing.
func step(d simulate.Time) Cost { return Cost{d, d} }

// then is the cost of a piece and another one after it.
func (c Cost) then(next Cost) Cost { return Cost{c.Work + next.Work, c.Span + next.Span} }

// beside is the cost of two pieces that may run at the same time.
func (c Cost) beside(other Cost) Cost {
	return Cost{c.Work + other.Work, max(c.Span, other.Span)}
}

// times is the cost of n such pieces, one after the other.
func (c Cost) times(n int) Cost {
	return Cost{c.Work * simulate.Time(n), c.Span * simulate.Time(n)}
}

// copies is the cost of n such pieces that may run at the same time.
func (c Cost) copies(n int) Cost { return Cost{c.Work * simulate.Time(n), c.Span} }

// Bound is the time that a greedy schedule needs at most, if nothing but the
// work took time: Graham's bound (1969), with the span counted once.
func (c Cost) Bound(workers int) simulate.Time {
	return c.Span + (c.Work-c.Span)/simulate.Time(workers)
}

// Speedup is the speed-up that [Cost.Bound] promises.
func (c Cost) Speedup(workers int) float64 { return float64(c.Work) / float64(c.Bound(workers)) }

// Parallelism is the largest speed-up that any number of workers can bring.
func (c Cost) Parallelism() float64 { return float64(c.Work) / float64(c.Span) }
