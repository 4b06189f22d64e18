package scenarios

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/explore"
)

// TestCounters explores the scenarios of [Counters].
func TestCounters(t *testing.T, newCounters func(workers int) (api.Counters, error), jobsBits int) {
	Run(t, Counters(newCounters, jobsBits))
}

// Counters returns scenarios for the rules of [api.Counters]. jobsBits is the
// width of the jobs event counter.
func Counters(newCounters func(workers int) (api.Counters, error), jobsBits int) []Scenario {
	// From either parity of the counter.
	var all []Scenario
	for _, start := range []struct {
		name   string
		posted bool
	}{{"announced", false}, {"posted", true}} {
		s := countersScenario{newCounters, tally{workers: 12, bits: jobsBits}, start.posted}
		all = append(all,
			Scenario{Name: "two_steps_at_once/last=" + start.name, Rule: "C1", Bound: 8, Deep: 8, Body: s.atOnce(2)},
			Scenario{Name: "three_steps_at_once/last=" + start.name, Rule: "C1", Bound: 2, Deep: 8, Body: s.atOnce(3)},
		)
	}
	s := countersScenario{new: newCounters, tally: tally{workers: 2}}
	return append(all, Scenario{Name: "taken_away_twice", Rule: "C2", Bound: 8, Deep: 8, Body: s.takenTwice})
}

type countersScenario struct {
	new    func(workers int) (api.Counters, error)
	tally  tally
	posted bool
}

// atOnce has a number of threads perform a step each, of every combination.
// What comes of them must be what comes of the same steps one after another, in
// some order: each step is atomic.
func (s countersScenario) atOnce(threads int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c, err := s.new(s.tally.workers)
		if err != nil {
			x.Fatalf("C6: counters for %d workers are refused: %v", s.tally.workers, err)
		}
		// Enough are idle, asleep and active that no step is out of turn.
		for range 2 * threads {
			c.AddInactive()
		}
		ticket := c.Announce()
		for range threads {
			c.TrySleep(ticket)
		}
		before := s.tally
		before.inactive, before.sleeping, before.jobs, before.ticket = 2*threads, threads, ticket, ticket
		if s.posted {
			c.Post()
			before.post()
		}

		steps := make([]transition, threads)
		results := make([]string, threads)
		first := 0 // the order of the threads does not matter
		for i := range steps {
			first += x.Choose(len(transitions) - first)
			steps[i] = transitions[first]
		}
		for i, st := range steps {
			x.Go(st.name, func() { results[i] = st.real(c, ticket) })
		}
		x.Wait()
		inactive, sleeping, jobs := c.Load()
		after := tally{inactive: inactive, sleeping: sleeping, jobs: jobs}
		if !before.explains(steps, results, after, 0) {
			x.Errorf("C1: from %v, the steps %v return %q and leave %v, which no order of them does", before, names(steps), results, after)
		}
	}
}

// takenTwice has two threads take away one thing: an idle worker, or a sleeper. Both
// break the protocol, or one; at least one must be told so.
func (s countersScenario) takenTwice(x *explore.Exec) {
	c, err := s.new(s.tally.workers)
	if err != nil {
		x.Fatalf("C6: counters for %d workers are refused: %v", s.tally.workers, err)
	}
	steps := []struct {
		name string
		take func()
	}{
		{"SubInactive", func() { c.SubInactive() }},
		{"SubSleeping", func() { c.SubSleeping(1) }},
		{"Lend", c.Lend},
	}
	step := steps[x.Choose(len(steps))]
	c.AddInactive()
	if step.name != "SubInactive" && !c.TrySleep(c.Announce()) {
		x.Fatalf("C5: TrySleep right after Announce failed")
	}
	var told [2]bool
	for i := range told {
		x.Go(step.name, func() {
			defer func() { told[i] = recover() != nil }()
			step.take()
		})
	}
	x.Wait()
	if !told[0] && !told[1] {
		x.Errorf("C2: %s twice takes away what is there once, and does not panic", step.name)
	}
}

func names(steps []transition) (n []string) {
	for _, s := range steps {
		n = append(n, s.name)
	}
	return n
}

// A tally is what counters hold, for the model.
type tally struct {
	workers, bits      int
	inactive, sleeping int
	jobs, ticket       uint32
}

func (m tally) String() string {
	return fmt.Sprintf("inactive=%d sleeping=%d jobs=%d", m.inactive, m.sleeping, m.jobs)
}

// explains reports whether the steps that are not in done, one after another in
// some order, return the results and leave the counts in after.
func (m tally) explains(steps []transition, results []string, after tally, done int) bool {
	if done == 1<<len(steps)-1 {
		return m.String() == after.String()
	}
	for i, s := range steps {
		next := m
		if done>>i&1 == 0 && s.model(&next) == results[i] && next.explains(steps, results, after, done|1<<i) {
			return true
		}
	}
	return false
}

func (m *tally) turn(odd bool) {
	if (m.jobs&1 == 1) != odd {
		m.jobs = (m.jobs + 1) & uint32(uint64(1)<<m.bits-1)
	}
}

func (m *tally) post() string {
	m.turn(true)
	return fmt.Sprint(m.inactive, m.sleeping)
}

// A transition is a method of counters, and what it should do.
type transition struct {
	name  string
	real  func(c api.Counters, ticket uint32) string
	model func(m *tally) string
}

var transitions = []transition{
	{"AddInactive",
		func(c api.Counters, _ uint32) string { c.AddInactive(); return "" },
		func(m *tally) string { m.inactive++; return "" }},
	{"SubInactive",
		func(c api.Counters, _ uint32) string { return fmt.Sprint(c.SubInactive()) },
		func(m *tally) string {
			m.inactive--
			return fmt.Sprint(m.inactive, m.sleeping)
		}},
	{"Announce",
		func(c api.Counters, _ uint32) string { return fmt.Sprint(c.Announce()) },
		func(m *tally) string { m.turn(false); return fmt.Sprint(m.jobs) }},
	{"TrySleep",
		func(c api.Counters, ticket uint32) string { return fmt.Sprint(c.TrySleep(ticket)) },
		func(m *tally) string {
			ok := m.jobs == m.ticket
			if ok {
				m.sleeping++
			}
			return fmt.Sprint(ok)
		}},
	{"SubSleeping",
		func(c api.Counters, _ uint32) string { c.SubSleeping(1); return "" },
		func(m *tally) string { m.sleeping--; return "" }},
	{"Post",
		func(c api.Counters, _ uint32) string { return fmt.Sprint(c.Post()) },
		func(m *tally) string { return m.post() }},
	{"Lend",
		func(c api.Counters, _ uint32) string { c.Lend(); return "" },
		func(m *tally) string { m.inactive--; m.sleeping--; return "" }},
	{"Restore",
		func(c api.Counters, _ uint32) string { return fmt.Sprint(c.Restore()) },
		func(m *tally) string { m.inactive++; m.sleeping++; return fmt.Sprint(m.inactive == 1) }},
	{"Load",
		func(c api.Counters, _ uint32) string { return fmt.Sprint(c.Load()) },
		func(m *tally) string { return fmt.Sprint(m.inactive, m.sleeping, m.jobs) }},
}
