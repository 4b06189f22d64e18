package waiting

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
)

// Verdicts of a search.
const (
	// Ends: from each state that can be reached, the end can be reached.
	Ends = "ends"
	// Hangs: from some state the end cannot be reached any more.
	Hangs = "hangs"
	// Breaks: some state breaks the invariant that follows.
	Breaks = "breaks: "
	// Large: there are more states than the limit, so nothing is known.
	Large = "is too large"
)

// A Result is what a search has found.
type Result struct {
	Verdict string
	// Trace is a shortest way to the state that hangs or breaks, one step a line.
	Trace string
}

// A step is what leads from one state to the next.
type step struct {
	what string
	job  uint8
	op   Op
}

// graph has the states in the order in which a search has met them. Edges are
// kept to find out from where the end can be reached.
//
// A map whose keys are states would have each of them a second time.
type graph[S comparable] struct {
	states   []S
	seed     maphash.Seed
	last     map[uint64]int32 // the last state with that hash
	before   []int32          // by state: the one before with the same hash, or -1
	from     []int32          // by state: where it was first reached from
	by       []step           // and by which step
	edgeFrom []int32
	edgeTo   []int32
}

// limit bounds the states of a search: a few hundred megabytes.
const limit = 1_000_000

// search goes through all states, breadth first. broken may be nil; it names the
// invariant that a state breaks.
func search[S comparable](init S, next func(*S, func(S, step)), end func(*S) bool, broken func(*S) string,
	explain func(step) string) Result {
	g := &graph[S]{seed: maphash.MakeSeed(), last: map[uint64]int32{}}
	g.meet(init, -1, step{})
	for i := int32(0); int(i) < len(g.states); i++ {
		st := g.states[i]
		if broken != nil {
			if b := broken(&st); b != "" {
				return Result{Breaks + b, g.trace(i, explain)}
			}
		}
		if len(g.states) > limit {
			return Result{Verdict: Large}
		}
		next(&st, func(to S, s step) { g.meet(to, i, s) })
	}
	if i := g.stuck(end); i >= 0 {
		return Result{Hangs, g.trace(i, explain)}
	}
	return Result{Verdict: Ends}
}

// meet adds an edge, and the state to which it leads if that is new.
func (g *graph[S]) meet(to S, from int32, by step) {
	hash := maphash.Comparable(g.seed, to)
	last, ok := g.last[hash]
	if !ok {
		last = -1
	}
	n := last
	for n >= 0 && g.states[n] != to {
		n = g.before[n]
	}
	if n < 0 {
		n = int32(len(g.states))
		g.last[hash] = n
		g.before = append(g.before, last)
		g.states = append(g.states, to)
		g.from = append(g.from, from)
		g.by = append(g.by, by)
	}
	if from >= 0 {
		g.edgeFrom = append(g.edgeFrom, from)
		g.edgeTo = append(g.edgeTo, n)
	}
}

// stuck returns the first state from which no end can be reached, or -1. It goes
// back from the ends. To look for states without a successor would not do: two
// jobs may wait for each other while a seat still has something to do.
func (g *graph[S]) stuck(end func(*S) bool) int32 {
	// The edges that lead to a state are a list: the last one, and before each another one.
	last, before := slices.Repeat([]int{-1}, len(g.states)), make([]int, len(g.edgeTo))
	for e, to := range g.edgeTo {
		before[e], last[to] = last[to], e
	}
	good := make([]bool, len(g.states))
	var todo []int32
	for i := range g.states {
		if end(&g.states[i]) {
			good[i] = true
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for e := last[i]; e >= 0; e = before[e] {
			if from := g.edgeFrom[e]; !good[from] {
				good[from] = true
				todo = append(todo, from)
			}
		}
	}
	// A state in which nothing moves tells more than the one from which there is
	// no other way.
	moves := make([]bool, len(g.states))
	for _, from := range g.edgeFrom {
		moves[from] = true
	}
	for i := range g.states {
		if !good[i] && !moves[i] {
			return int32(i)
		}
	}
	return int32(slices.Index(good, false))
}

// trace tells how the state was reached.
func (g *graph[S]) trace(i int32, explain func(step) string) string {
	var lines []string
	for ; g.from[i] >= 0; i = g.from[i] {
		lines = append(lines, explain(g.by[i]))
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// explain says in words what a step was.
func (p *Program) explain(s step) string {
	name := "a seat"
	if s.job != none {
		name = p.jobs[s.job].Name
	}
	if s.what == "does" || strings.HasSuffix(s.what, ":") {
		return fmt.Sprintf("%s %s %v", name, s.what, s.op)
	}
	return name + " " + s.what
}
