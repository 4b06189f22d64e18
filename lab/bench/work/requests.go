package work

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A branch is a part of a recursion: a tree of so many levels. Its phase says what goes on beside it.
type branch struct {
	phase  *atomic.Int32
	levels int
}

const (
	settles int32 = iota // nothing counts
	counts               // leaves are counted
	over                 // the recursion ends
)

const (
	longest = 2 * time.Second // for a caller that is not answered
	endless = 60
)

// leaf reports whether the branch has no halves, or is to end, and how often that counts.
func (b branch) leaf() (n uint64, ok bool) {
	phase := b.phase.Load()
	if phase == counts && b.levels == 0 {
		n = 1
	}
	return n, phase == over || b.levels == 0
}

func (b branch) half() branch { return branch{b.phase, b.levels - 1} }

func (b branch) grow() uint64 {
	if n, ok := b.leaf(); ok {
		return n
	}
	return b.half().grow() + b.half().grow()
}

func growForking(w *pool.Worker, b branch) uint64 {
	if n, ok := b.leaf(); ok {
		return n
	}
	x, y := pool.Invoke(w, growForking, b.half(), growForking, b.half())
	return x + y
}

// Requests times requests that do nothing, of a caller beside another caller's recursion, at fixed
// times, for a while: one that is late is sent at once. The result is how many were answered and did
// not run. A pool is late if a worker that forks does not look at what comes from outside.
func Requests(every, while time.Duration) *Program {
	return &Program{Calls: func(s System) (uint64, []float64) {
		lost, times, _ := besideRecursion(s, every, while)
		return lost, times
	}}
}

// Recursion times the leaves of such a recursion, beside requests or, if every is 0, beside nothing.
// So it shows what a recursion loses to them.
func Recursion(every, while time.Duration) *Program {
	return &Program{Calls: func(s System) (uint64, []float64) {
		lost, _, leaf := besideRecursion(s, every, while)
		return lost, []float64{leaf}
	}}
}

// besideRecursion sends requests beside a recursion on all workers. It returns how many did not run,
// how long each took, and the time for each leaf of the recursion meanwhile. The recursion ends after
// the longest time in any case.
func besideRecursion(s System, every, while time.Duration) (lost uint64, times []float64, leaf float64) {
	var phase atomic.Int32
	leaves := make(chan uint64, 1)
	go func() { leaves <- s.recurse(branch{&phase, endless}) }()
	time.Sleep(while / 2) // The workers share the recursion.
	phase.Store(counts)
	start := time.Now()
	last := time.AfterFunc(longest, func() { phase.Store(over) })
	defer last.Stop()
	if every == 0 {
		time.Sleep(while)
	}
	for due := start; every > 0 && (len(times) == 0 || time.Since(start) < while); due = due.Add(every) {
		time.Sleep(time.Until(due))
		sent := time.Now()
		if s.enter(func(Place) uint64 { return 1 }) == 0 {
			lost++
		}
		times = append(times, float64(time.Since(sent)))
	}
	took := time.Since(start)
	phase.Store(over)
	return lost, times, float64(took) / float64(max(<-leaves, 1))
}
