//go:build explore

package explore

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// memberVariable has, in a process that takes part, the number of the exploration among those of
// its test, and the name of that.
const memberVariable = "EXPLORE_MEMBER"

// ours reports whether this process takes part in the exploration, and has come to it.
func (c call) ours() bool { return c.n > 0 && os.Getenv(memberVariable) == c.String() }

// others reports whether this process takes part in another exploration.
func (c call) others() bool {
	return c.n > 0 && os.Getenv(memberVariable) != "" && !c.ours()
}

// A member is a process that takes part in an exploration which another one leads. It explores
// what is below a path: the nodes of that are the other's, and what is to be tried there it asks
// for.
type member struct {
	e        *engine
	out      *os.File
	commands chan command // to begin
	// split and stop are asked for while it explores.
	split, stop atomic.Bool
	totals      struct{ schedules, steps, redundant atomic.Int64 }
	telling     sync.Mutex
	phase       phase
	first       bool // what the last step of the path does was not told
	told        time.Time
}

// begun marks, in what the process writes as errors, that it takes part from there on.
const begun = "\x00explore begins\n"

// farewell is how long a process may take to end when nobody needs it any more. It is as long as
// one may say nothing: on a busy machine some seconds are not enough.
const farewell = silentMost * tickTime

// takePart explores what it is told to until there is no more.
func (e *engine) takePart() {
	m := &member{e: e, out: os.Stdout, commands: make(chan command, 1)}
	os.Stdout = os.Stderr // what executions write is to be seen
	defer func() { os.Stdout = m.out }()
	go m.listen()
	e.strangers.init()
	// What a first execution sets up, once for all, was there in the process that leads.
	e.config.strategy, e.limit = bounded, 0
	e.execute()
	fmt.Fprint(os.Stderr, begun)
	m.tell(telling{Hello: true})
	for {
		e.watch.rests.Store(true)
		c, ok := <-m.commands
		e.watch.rests.Store(false)
		switch {
		case !ok:
			return
		case c.Phase != nil:
			m.begin(*c.Phase)
		default:
			m.explore(c.Path)
		}
	}
}

func (m *member) begin(p phase) {
	e := m.e
	m.phase = p
	e.config.strategy, e.limit = p.Strategy, p.Limit
	e.tries, e.dpor.anyJoin, e.wanted = p.Tries, p.AnyJoin, p.Wanted
	if e.report = (Report{}); p.Orders {
		o := newOracle()
		e.oracle = &o
	}
}

// explore goes through all schedules that begin with a path.
func (m *member) explore(path []wire) {
	e := m.e
	e.path, e.wants = e.path[:0], e.wants[:0]
	for i := range path {
		e.path = append(e.path, path[i].node())
	}
	e.base, m.first = len(path), true
	e.curtailed, e.restart, e.silence, e.held = false, false, silence{}, holdups{}
	for {
		e.once()
		m.totals.schedules.Store(int64(e.report.Schedules))
		m.totals.steps.Store(int64(e.report.Steps))
		m.totals.redundant.Store(int64(e.report.Redundant))
		m.ask()
		if e.failure != nil || e.restart || !e.backtrack() || m.stop.Load() {
			m.end()
			return
		}
		if m.phase.Eager || m.split.Load() {
			m.give()
		}
	}
}

// ask tells what other processes must know of the execution that has ended, and once in a while
// how many there were.
func (m *member) ask() {
	e := m.e
	now := time.Now()
	if len(e.wants) == 0 && !m.first && now.Sub(m.told) < tickTime {
		return
	}
	m.told = now
	t := telling{Wants: e.wants}
	if m.first {
		m.first = false
		t.Did = []did{e.didAt(e.base - 1)}
	}
	m.tell(t)
	e.wants = e.wants[:0]
}

func (e *engine) didAt(node int) did {
	n := &e.path[node]
	d := n.didOf(n.outcome)
	d.Node = node
	return d
}

// give makes nodes the leader's, down to the first one at which there is something to give away.
func (m *member) give() {
	e := m.e
	last := len(e.path) - 1
	for i := e.base; i <= last; i++ {
		n := e.path[i] // a copy
		if !n.advance() {
			continue
		}
		var gave []wire
		for k := e.base; k <= i; k++ {
			n := &e.path[k]
			threads := n.done
			if k < last && n.outcome < maxThreads {
				threads |= 1 << n.outcome
			}
			gave = append(gave, n.wired(threads))
		}
		m.split.Store(false)
		e.base, m.first = i+1, i == last
		m.tell(telling{Gave: gave})
		return
	}
}

// end tells what came of it.
func (m *member) end() {
	e := m.e
	t := telling{End: &end{
		Failure: e.failure, Restart: e.restart, Tries: e.tries, AnyJoin: e.dpor.anyJoin, Wanted: e.wanted, Curtailed: e.curtailed, Held: e.held.any, Where: e.held.where(), Drawn: e.drawn.where(origin),
		Acted:  slices.Sorted(maps.Keys(e.silence.names)),
		Silent: e.silence.silent,
	}}
	if e.oracle != nil {
		t.End.Orders = e.oracle.orders
	}
	if f := e.failure; f != nil {
		f.Schedule, f.Preemptions = e.schedule.String(), e.preemptions
	}
	for i := range min(e.base, len(e.path)) {
		if d := e.didAt(i); !d.Known {
			t.Did = append(t.Did, d)
		}
	}
	if p := e.config.possible; p != nil {
		for _, q := range p.all {
			t.End.Possible = append(t.End.Possible, held{q.what, q.ok})
		}
	}
	m.tell(t)
	clear(t.End.Orders)
}

func (m *member) tell(t telling) {
	t.Totals = totals{int(m.totals.schedules.Load()), int(m.totals.steps.Load()), int(m.totals.redundant.Load())}
	m.telling.Lock()
	defer m.telling.Unlock()
	if _, err := m.out.Write(encode(t)); err != nil {
		m.stop.Store(true)
	}
}

// listen takes commands until the process that leads is gone, or wants no more.
func (m *member) listen() {
	defer close(m.commands)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			m.stop.Store(true)
			time.AfterFunc(farewell, func() { os.Exit(1) })
			return
		}
		var c command
		switch {
		case !decode(line, &c):
		case c.Ping:
			m.tell(telling{})
		case c.Stop:
			m.stop.Store(true)
		case c.Split:
			m.split.Store(true)
		default:
			// Commands that it has not come to were for what has ended.
			m.stop.Store(false)
			m.split.Store(false)
			m.commands <- c
		}
	}
}

// want asks the owner of a node of the path to try one of the initials there: that thread, unless
// it tries another one anyway.
//
//go:norace
func (e *engine) want(at int, initials, thread uint64) {
	n := &e.path[at]
	if thread == 0 {
		return
	}
	for _, w := range n.wanted {
		if w&^initials == 0 {
			return // it tries one of these
		}
	}
	n.wanted = append(n.wanted, initials)
	e.wants = append(e.wants, want{at, initials, thread})
}

// chooses notes that something is chosen in the last step: what it does may depend on that.
//
//go:norace
func (e *engine) chooses() {
	if i := len(e.dpor.records) - 1; i >= 0 {
		if r := &e.dpor.records[i]; r.node >= 0 {
			e.path[r.node].chosen |= 1 << r.thread
		}
	}
}
