package scenarios

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/linear"
	"github.com/rouse-go/rouse/explore"
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
		s := countersScenario{newCounters, jobsBits, start.posted}
		all = append(all,
			Scenario{Name: "two_steps_at_once/last=" + start.name, Rule: "C1", Bound: Complete, Body: s.atOnce(2)},
			Scenario{Name: "three_steps_at_once/last=" + start.name, Rule: "C1", Bound: Complete, Body: s.atOnce(3)},
		)
	}
	s := countersScenario{new: newCounters}
	return append(all, Scenario{Name: "taken_away_twice", Rule: "C2", Bound: Complete, Body: s.takenTwice})
}

type countersScenario struct {
	new    func(workers int) (api.Counters, error)
	bits   int
	posted bool
}

// atOnce has a number of threads perform a step each, of every combination.
// Their results must be those of the same steps one after another, in some
// order: each step is atomic.
func (s countersScenario) atOnce(threads int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := s.make(x, 12)
		// Enough are idle, asleep and active that no step is out of turn.
		for range 2 * threads {
			c.AddInactive()
		}
		ticket := c.Announce()
		for range threads {
			c.TrySleep(ticket)
		}
		before := linear.Word{Inactive: 2 * threads, Sleeping: threads, Jobs: ticket}
		if s.posted {
			c.Post()
			before, _ = before.Step(linear.Call{Name: "Post"}, s.bits)
		}

		calls := make([]linear.Call, threads)
		results := make([]linear.Return, threads)
		first := 0 // the order of the threads does not matter
		for i := range calls {
			first += x.Choose(len(methods) - first)
			calls[i] = linear.Call{Name: methods[first], Ticket: ticket, Sleepers: 1}
		}
		for i, call := range calls {
			x.Go(call.Name, func() { results[i] = call.Of(c) })
		}
		x.Wait()
		after := linear.Call{Name: "Load"}.Of(c).Word
		if !s.explains(before, calls, results, after, 0) {
			x.Errorf("C1: from %v, the calls %v return %v and leave %v, which no order of them does", before, calls, results, after)
		}
	}
}

func (s countersScenario) make(x *explore.Exec, workers int) api.Counters {
	c, err := s.new(workers)
	if err != nil {
		x.Fatalf("C6: counters for %d workers are refused: %v", workers, err)
	}
	return c
}

// takenTwice has two threads take away one thing: an idle worker, or a sleeper. Both
// break the protocol, or one; at least one must be told so.
func (s countersScenario) takenTwice(x *explore.Exec) {
	c := s.make(x, 2)
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

// explains reports whether the calls that are not in done, one after another in some order,
// return the results and leave the word after.
func (s countersScenario) explains(w linear.Word, calls []linear.Call, results []linear.Return, after linear.Word, done int) bool {
	if done == 1<<len(calls)-1 {
		return w == after
	}
	for i, call := range calls {
		if done>>i&1 == 0 {
			next, want := w.Step(call, s.bits)
			if want == results[i] && s.explains(next, calls, results, after, done|1<<i) {
				return true
			}
		}
	}
	return false
}

// methods are those that take a step.
var methods = []string{"AddInactive", "SubInactive", "Announce", "TrySleep", "SubSleeping", "Post", "Lend", "Restore", "Load"}
