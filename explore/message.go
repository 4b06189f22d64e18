//go:build explore

package explore

import (
	"bytes"
	"encoding/json"
)

// What an exploration's processes tell each other: a line of JSON each, after a mark, as the
// program under test may write to the same pipe.

const mark = "\x00explore "

func encode(message any) []byte {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err) // it holds nothing that has no JSON
	}
	return append(append([]byte(mark), line...), '\n')
}

// decode reports whether there is a message in the line.
func decode(line []byte, message any) bool {
	_, text, ok := bytes.Cut(line, []byte(mark))
	return ok && json.Unmarshal(text, message) == nil
}

// A phase is what a search is, but for its schedules.
type phase struct {
	Strategy       strategy
	Limit          int
	Tries, AnyJoin bool
	Wanted         extras
	Orders         bool // are to be counted
	Eager          bool
}

// A command is from the process that leads.
type command struct {
	Phase *phase `json:",omitempty"`
	Path  []wire `json:",omitempty"` // explore what is below it
	Split bool   `json:",omitempty"` // give away a part
	Stop  bool   `json:",omitempty"` // have done with it
	Ping  bool   `json:",omitempty"`
}

// A telling is from one that takes part.
type telling struct {
	Hello  bool   `json:",omitempty"`
	Wants  []want `json:",omitempty"`
	Did    []did  `json:",omitempty"`
	Gave   []wire `json:",omitempty"` // nodes that are not its own any more
	End    *end   `json:",omitempty"`
	Totals totals
}

// totals are of a process since it began.
type totals struct{ Schedules, Steps, Redundant int }

// An end is what came of a part of the search.
type end struct {
	Failure        *Failure          `json:",omitempty"`
	Restart        bool              `json:",omitempty"`
	Tries, AnyJoin bool              `json:",omitempty"`
	Wanted         extras            `json:",omitzero"`
	Curtailed      bool              `json:",omitempty"`
	Acted          []string          `json:",omitempty"`
	Silent         map[string]string `json:",omitempty"`
	Possible       []held            `json:",omitempty"`
	Orders         map[uint64]int    `json:",omitempty"`
	Held           bool              `json:",omitempty"` // threads were held up, at
	Where          []string          `json:",omitempty"`
	Drawn          []string          `json:",omitempty"` // where there were random numbers
}

// held is a possibility.
type held struct {
	What string
	OK   bool
}

// A want asks the owner of a node to try a thread there, unless one of the initials is tried.
type want struct {
	Node     int
	Initials uint64
	Thread   uint64
}

// A did is what the step did that a node's outcome is.
type did struct {
	Node    int
	Outcome int
	Effects effects
	Touched []int
	// Known says that it does nothing else if something else is chosen in it.
	Known bool
}

// A wire is a node on its way.
type wire struct {
	Candidates, Vain, Done, DoneVain, Asleep, AsleepVain, Backtrack uint64 `json:",omitempty"`
	Outcome                                                         int
	Hash                                                            uint64
	Did                                                             []did `json:",omitempty"`
}

// wired is the node, and what the steps of the given threads did there.
func (n *node) wired(threads uint64) wire {
	w := wire{
		Candidates: n.candidates, Vain: n.vain, Done: n.done, DoneVain: n.doneVain, Asleep: n.asleep,
		AsleepVain: n.asleepVain, Backtrack: n.backtrack, Outcome: n.outcome, Hash: n.hash,
	}
	for k := range maxThreads {
		if threads>>k&1 != 0 {
			w.Did = append(w.Did, n.didOf(k))
		}
	}
	return w
}

func (w *wire) node() node {
	n := node{
		candidates: w.Candidates, vain: w.Vain, done: w.Done, doneVain: w.DoneVain, asleep: w.Asleep,
		asleepVain: w.AsleepVain, backtrack: w.Backtrack, outcome: w.Outcome, hash: w.Hash,
	}
	for _, d := range w.Did {
		n.learn(d)
	}
	return n
}

// didOf is what the step of outcome k did.
func (n *node) didOf(k int) did {
	d := did{Outcome: k, Known: true}
	if k >= maxThreads {
		return d
	}
	d.Effects = n.did[k]
	d.Known = n.chosen>>k&1 == 0
	for _, x := range n.touched {
		if x.thread == k {
			d.Touched = append(d.Touched, x.cell)
		}
	}
	return d
}

// learn notes what an outcome's step did in another process.
func (n *node) learn(d did) {
	k := d.Outcome
	if k >= maxThreads {
		return
	}
	n.did[k] |= d.Effects
	if !d.Known {
		n.chosen |= 1 << k
	}
	for _, number := range d.Touched {
		n.touch(touch{k, number})
	}
}
