package scale

import (
	"time"

	"github.com/rouse-go/rouse/conformance/simulate"
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
	// Full rows take some milliseconds of work, up to about a hundred.
	Full Size = iota
	// Quick ones are for a first look, and for tests.
	Quick
)

// of chooses one of two by the size.
func of[T any](s Size, full, quick T) T {
	if s == Quick {
		return quick
	}
	return full
}

// Rows returns all rows of the given size.
func Rows(s Size) []*Row {
	return []*Row{
		fibRow(of(s, 30, 20)),
		treeRow(of(s, 4096, 1024), 10*simulate.Microsecond),
		utsRow(of(s, fullTree, quickTree)),
		queensRow(of(s, 12, 8)),
		flatRow(of(s, 4096, 1024), 10*simulate.Microsecond),
		scopeRow(of(s, 4096, 1024), 10*simulate.Microsecond),
		runsRow(8, of(s, 50, 10), 8, simulate.Microsecond),
		submitRow(8, of(s, 250, 50), simulate.Microsecond),
	}
}

// Names returns the names of all rows.
func Names() (names []string) {
	for _, r := range Rows(Quick) {
		names = append(names, r.Name)
	}
	return names
}

// SleepingLeaf is how long a leaf of [Sleeping] sleeps.
const SleepingLeaf = 2 * time.Millisecond

// Sleeping returns rows whose leaves only sleep, two for each worker. Such a
// leaf needs no processor, so they show on any machine whether all workers get
// work. Perfect is two leaf times.
func Sleeping(workers int) []*Row {
	n, d := 2*workers, simulate.Time(SleepingLeaf)*simulate.Nanosecond
	rows := []*Row{flatRow(n, d), treeRow(n, d), scopeRow(n, d)}
	shapes := []shape{flat, halves, spawned}
	for i, r := range rows {
		r.About = "leaves that sleep: " + r.About
		r.Plain = nil
		r.Pool = shapes[i].on(leaves{n: n, each: d, leaf: rest})
	}
	return rows
}

// SleepAlone sleeps as one leaf of [Sleeping] does.
func SleepAlone() { rest(simulate.Time(SleepingLeaf) * simulate.Nanosecond) }

// Pause is how long a caller works alone before each run that is timed, long
// enough for the workers to fall asleep: a row shows a pool that begins at rest.
const Pause = simulate.Millisecond

// Alone keeps the caller busy, without a pool.
func Alone(d simulate.Time) { busy(d) }

// Asleep leaves the processors to others for a while, long enough for any number
// of workers to fall asleep.
func Asleep() { rest(20 * simulate.Millisecond) }

// Tree, Flat and Scope return the rows of those names with so many leaves, each
// of which takes so long.
func Tree(n int, leaf simulate.Time) *Row { return treeRow(n, leaf) }

// Flat is like [Tree].
func Flat(n int, leaf simulate.Time) *Row { return flatRow(n, leaf) }

// Scope is like [Tree].
func Scope(n int, leaf simulate.Time) *Row { return scopeRow(n, leaf) }

// Empty returns the row that submits jobs which do nothing, from eight callers.
func Empty() *Row { return submitRow(8, 250, simulate.Nanosecond) }
