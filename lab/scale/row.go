// Package scale has the rows that show how a pool scales: small programs, each
// with one definition that two commands share. The command lab scale measures
// them on the machine at hand; lab predict runs them in the simulator.
//
// What stands for the user's work is in package user: in a normal build it takes
// time; under the build tag explore it moves the clock of the simulator.
//
// Each row counts its own work and span, from its definition and not from a run:
// so Graham's bound stands beside what was measured or predicted.
package scale

import (
	"slices"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// A Row is one program of one size.
type Row struct {
	Name  string
	About string // one line
	// Unit is what a run consists of, and Units how many of them it has.
	Unit  string
	Units int
	// Callers is how many goroutines call the pool at once.
	Callers int
	// Cost is the work and the span of what stands for the user's work.
	Cost Cost
	// Plain does the work without a pool, one unit after the other. It is nil
	// if the leaves sleep: then the speed-up is over Cost.Work.
	Plain func() uint64
	// Pool does the work on a pool. It gives the same answer as Plain.
	Pool func(*pool.Pool) (uint64, error)
	// Answer is what both return.
	Answer uint64
}

// A Size chooses how large the rows are.
type Size int

const (
	// Full rows have 40 ms of work and more: at least 0.6 ms for each of 64 workers, since it
	// takes some of that to wake them all. Only the small jobs of many callers have less.
	Full Size = iota
	// Quick ones are for a first look, and for tests.
	Quick
	// Large ones are for more than 64 workers: Full, times four and more. Each of 256
	// has as much to do then.
	Large
)

// SizeFor returns the size for so many workers: Full or Large.
func SizeFor(workers int) Size {
	if workers > 64 {
		return Large
	}
	return Full
}

// of chooses one of three by the size.
func of[T any](s Size, quick, full, large T) T {
	switch s {
	case Quick:
		return quick
	case Large:
		return large
	}
	return full
}

// rows has what makes each row, by name, in the order of tables. To make a row is
// to count its work, which takes the largest ones half a second.
var rows = []struct {
	name string
	make func(Size) *Row
}{
	{"fib", func(s Size) *Row { return fibRow(of(s, 20, 35, 38)) }},
	{"tree", func(s Size) *Row { return Leaves("tree", of(s, 1024, 4096, 1<<14), of(s, 10*µs, 50*µs, 50*µs)) }},
	{"uts", func(s Size) *Row { return utsRow(of(s, quickTree, work.T1, work.T1)) }},
	{"queens", func(s Size) *Row { return queensRow(of(s, 8, 14, 15)) }},
	{"integrate", func(s Size) *Row { return integrateRow(of(s, 10, 1000.0, 4000)) }},
	{"flat", func(s Size) *Row { return Leaves("flat", of(s, 1024, 2048, 1<<13), of(s, 10*µs, 200*µs, 200*µs)) }},
	{"scope", func(s Size) *Row { return Leaves("scope", of(s, 1024, 2048, 1<<13), of(s, 10*µs, 200*µs, 200*µs)) }},
	{"spawns", func(s Size) *Row { return spawnsRow(of(s, 10, 16, 18), µs) }},
	{"loop", func(s Size) *Row { return Leaves("loop", of(s, 2048, 1<<16, 1<<18), µs) }},
	{"power", func(s Size) *Row { return powerRow(of(s, 1024, 1<<16, 1<<18), of(s, 20*µs, 100*µs, 200*µs)) }},
	{"runs", func(s Size) *Row { return runsRow(8, of(s, 10, 50, 50), 8, µs) }},
	{"submit", func(s Size) *Row { return submitRow(8, of(s, 50, 250, 250), µs) }},
}

const µs = simulate.Microsecond

// Rows returns the rows of the given size: those of the given names, or all if
// there are none. It takes up to a second for all Full rows, since it counts their
// work.
func Rows(s Size, names ...string) (made []*Row) {
	for _, r := range rows {
		if len(names) == 0 || slices.Contains(names, r.name) {
			made = append(made, r.make(s))
		}
	}
	return made
}

// Names returns the names of all rows.
func Names() (names []string) {
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}

// SleepingLeaf is how long a leaf of [Sleeping] sleeps.
const SleepingLeaf = 2 * time.Millisecond

// Sleeping returns rows whose leaves only sleep, two for each worker. Such a
// leaf needs no processor, so they show on any machine whether all workers get
// work. Perfect is two leaf times.
func Sleeping(workers int) []*Row {
	var made []*Row
	for _, name := range []string{"flat", "tree", "scope", "loop"} {
		r := Leaves(name, 2*workers, simulate.Time(SleepingLeaf)*simulate.Nanosecond)
		r.About = "leaves that sleep: " + r.About
		r.Plain, r.Pool = nil, work.Same{N: r.Units, Leaf: SleepAlone}.On(shapes[name].shape)
		made = append(made, r)
	}
	return made
}

// SleepAlone sleeps as one leaf of [Sleeping] does.
func SleepAlone() { user.Rest(simulate.Time(SleepingLeaf) * simulate.Nanosecond) }

// Pause is how long a caller works alone before each run that is timed, long
// enough for the workers to fall asleep: a row shows a pool that begins at rest.
const Pause = simulate.Millisecond

// Alone keeps the caller busy, without a pool.
func Alone(d simulate.Time) { user.Busy(d) }

// Asleep leaves the processors to others for a while, long enough for any number
// of workers to fall asleep.
func Asleep() { user.Rest(20 * simulate.Millisecond) }

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
