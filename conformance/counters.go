package conformance

import (
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/conformance/internal/linear"
	"pgregory.net/rapid"
)

// TestCounters checks that the counters of newCounters keep the rules of
// [api.Counters]. Each subtest uses instances of its own. If the jobs event
// counter is narrower than 32 bits, say [WithJobsBits].
func TestCounters(t *testing.T, newCounters func(workers int) (api.Counters, error), opts ...Option) {
	cfg := newConfig(opts)
	s := countersSuite{newCounters, cfg.jobsBits}
	cfg.Subtest(t, "TooManyWorkers", "C6", s.tooManyWorkers)
	cfg.Subtest(t, "Model", "C1", s.model)
	cfg.Subtest(t, "Parity", "C3", s.parity)
	cfg.Subtest(t, "Limits", "C2", s.limits)
	cfg.Subtest(t, "BelowZero", "C2", s.belowZero)
	cfg.Subtest(t, "TakenTwice", "C2", s.takenTwice)
	cfg.Subtest(t, "Linearizable", "C1", s.linearizable)
}

type countersSuite struct {
	new  func(workers int) (api.Counters, error)
	bits int
}

// maxWorkers is the most that a field of 16 bits can count.
const maxWorkers = 1<<16 - 1

func (s countersSuite) make(r *run, workers int) api.Counters {
	r.T.Helper()
	c, err := s.new(workers)
	r.Check(err == nil, "C6", "counters for %d workers are refused: %v", workers, err)
	return c
}

func (s countersSuite) tooManyWorkers(r *run) {
	s.make(r, 1)
	for _, n := range []int{maxWorkers + 1, 1 << 20} {
		_, err := s.new(n)
		r.Check(err != nil, "C6", "counters for %d workers are not refused", n)
	}
}

// A word is the content of counters.
type word = linear.Word

func load(c api.Counters) word {
	i, s, j := c.Load()
	return word{Inactive: i, Sleeping: s, Jobs: j}
}

// model takes random steps that the protocol allows and compares each with
// what it should have done to the three fields.
func (s countersSuite) model(r *run) {
	rapid.Check(r.TB(), func(t *rapid.T) {
		const workers = 5
		c, err := s.new(workers)
		if err != nil {
			t.Fatalf("C6: %v", err)
		}
		w := load(c)
		if w.Inactive != 0 || w.Sleeping != 0 {
			t.Fatalf("C1: new counters hold %v", w)
		}
		// From the beginning on, some look for work and some sleep: by chance few would.
		ticket, lent := w.Jobs, 0
		if w.Inactive = rapid.IntRange(0, workers).Draw(t, "inactive"); w.Inactive > 0 {
			for range w.Inactive {
				c.AddInactive()
			}
			ticket = c.Announce()
			w.Jobs, w.Sleeping = ticket, rapid.IntRange(0, w.Inactive).Draw(t, "sleeping")
			for range w.Sleeping {
				c.TrySleep(ticket)
			}
		}
		idle := func() bool { return w.Inactive > w.Sleeping }
		sleeps := func() bool { return w.Sleeping > 0 }
		actions := map[string]func(*rapid.T){"": func(t *rapid.T) {
			if got := load(c); got != w {
				t.Fatalf("C1: the counters hold %v, want %v", got, w)
			}
		}}
		for name, m := range map[string]struct {
			rule    string
			allowed func() bool
		}{
			"AddInactive": {"C1", func() bool { return w.Inactive+lent < workers }},
			"SubInactive": {"C1", idle},
			"Announce":    {"C3", idle},
			"TrySleep":    {"C5", idle},
			"SubSleeping": {"C1", sleeps},
			"Post":        {"C1", func() bool { return true }},
			"Lend":        {"C1", sleeps},
			"Restore":     {"C1", func() bool { return lent > 0 }},
		} {
			actions[name] = func(t *rapid.T) {
				if !m.allowed() {
					t.Skip()
				}
				call := linear.Call{Name: name, Ticket: ticket}
				switch name {
				case "SubSleeping":
					call.Sleepers = rapid.IntRange(1, w.Sleeping).Draw(t, "sleepers")
				case "Lend":
					lent++
				case "Restore":
					lent--
				}
				next, want := w.Step(call, s.bits)
				got := call.Of(c)
				if got != want {
					t.Fatalf("%s: %s returned %v, from %v, want %v", m.rule, name, got, w, want)
				}
				if w = next; name == "Announce" {
					ticket = got.Jobs
				}
			}
		}
		t.Repeat(actions)
	})
}

// parity announces and posts until the JEC has gone round, if it is short
// enough for that, and checks that nothing else is touched.
func (s countersSuite) parity(r *run) {
	c := s.make(r, 3)
	for range 3 {
		c.AddInactive()
	}
	r.Check(c.TrySleep(c.Announce()), "C5", "TrySleep right after Announce failed")
	for i := range 1000 {
		ticket := c.Announce()
		r.Check(ticket%2 == 0, "C3", "Announce returned %d, which is odd", ticket)
		r.Check(c.Announce() == ticket, "C3", "a second Announce in a row moves the JEC")
		inactive, sleeping := c.Post()
		r.Check(inactive == 3 && sleeping == 1, "C2", "Post number %d found %d inactive and %d sleeping, want 3 and 1", i, inactive, sleeping)
		jobs := load(c).Jobs
		r.Check(jobs%2 == 1, "C3", "Post left the JEC at %d, which is even", jobs)
		c.Post()
		r.Check(load(c).Jobs == jobs, "C3", "a second Post in a row moves the JEC")
	}
}

// limits fills every field and checks that none spills, and that a step that would
// make one spill panics. Each such step has counters of its own, which are void
// afterwards.
func (s countersSuite) limits(r *run) {
	c, ticket := s.full(r, maxWorkers)
	want := word{Inactive: maxWorkers, Sleeping: maxWorkers, Jobs: ticket}
	r.Check(load(c) == want, "C2", "with all of %d workers asleep, the counters hold %v", maxWorkers, load(c))
	for range maxWorkers {
		c.Lend()
	}
	r.Check(load(c) == word{Jobs: ticket}, "C2", "with all of %d seats lent, the counters hold %v", maxWorkers, load(c))
	for range maxWorkers {
		c.Restore()
	}
	r.Check(load(c) == want, "C2", "with all of %d seats restored, the counters hold %v", maxWorkers, load(c))
	inactive, sleeping := c.Post()
	r.Check(inactive == maxWorkers && sleeping == maxWorkers, "C1",
		"Post returned %d and %d, with all of %d workers asleep", inactive, sleeping, maxWorkers)
	c.SubSleeping(1)
	inactive, sleeping = c.SubInactive()
	r.Check(inactive == maxWorkers-1 && sleeping == maxWorkers-1, "C1",
		"SubInactive returned %d and %d, with the others of %d workers asleep", inactive, sleeping, maxWorkers)

	for _, asleep := range []int{0, maxWorkers} {
		for _, posted := range []bool{false, true} {
			broken := func(step string, f func(c api.Counters)) {
				c, _ := s.full(r, asleep)
				if posted {
					c.Post()
				}
				before := load(c)
				r.Check(harness.Panics(func() { f(c) }), "C2", "%s does not panic, from %v of %d workers", step, before, maxWorkers)
			}
			broken("AddInactive", api.Counters.AddInactive)
			broken("Restore", func(c api.Counters) { c.Restore() })
		}
	}
	c, ticket = s.full(r, maxWorkers)
	r.Check(harness.Panics(func() { c.TrySleep(ticket) }), "C2", "TrySleep does not panic, with all of %d workers asleep", maxWorkers)
}

// full returns counters of the most workers that there can be, all inactive, some of
// them asleep, and the ticket of the sleepers.
func (s countersSuite) full(r *run, asleep int) (c api.Counters, ticket uint32) {
	c = s.make(r, maxWorkers)
	for range maxWorkers {
		c.AddInactive()
	}
	ticket = c.Announce()
	for range asleep {
		r.Check(c.TrySleep(ticket), "C5", "TrySleep failed without a Post since its Announce")
	}
	return c, ticket
}

// takenTwice has two goroutines take away one idle worker, or one sleeper, at once.
// If neither is told so, a broken protocol goes unnoticed.
func (s countersSuite) takenTwice(r *run) {
	defer r.TwoProcs()()
	for round := 0; r.More(round, 1000); round++ {
		c := s.make(r, 2)
		c.AddInactive()
		steps := []struct {
			name string
			take func()
		}{
			{"SubSleeping", func() { c.SubSleeping(1) }},
			{"Lend", c.Lend},
			{"SubInactive", func() { c.SubInactive() }},
		}
		step := steps[round%len(steps)]
		if step.name != "SubInactive" {
			r.Check(c.TrySleep(c.Announce()), "C5", "TrySleep right after Announce failed")
		}
		var told atomic.Int32
		take := func() {
			if harness.Panics(step.take) {
				told.Add(1)
			}
		}
		r.Together(take, take)
		r.Check(told.Load() > 0, "C2", "%s twice takes away what is there once, and does not panic", step.name)
	}
}

// belowZero takes away more than there is. The counters are void afterwards.
func (s countersSuite) belowZero(r *run) {
	r.Check(harness.Panics(func() { s.make(r, 2).SubInactive() }), "C2", "SubInactive does not panic, with nobody inactive")
	r.Check(harness.Panics(func() { s.make(r, 2).SubSleeping(1) }), "C2", "SubSleeping does not panic, with nobody asleep")
	r.Check(harness.Panics(func() { s.make(r, 2).Lend() }), "C2", "Lend does not panic, with nobody asleep")
	c := s.make(r, 2)
	c.AddInactive()
	r.Check(harness.Panics(func() { c.SubSleeping(1) }), "C2", "SubSleeping does not panic, with one idle and nobody asleep")
	c = s.make(r, 2)
	c.AddInactive()
	c.TrySleep(c.Announce())
	r.Check(load(c).Sleeping == 1, "C5", "TrySleep right after Announce failed")
	r.Check(harness.Panics(func() { c.SubSleeping(0) }), "C2", "SubSleeping of no sleeper does not panic")
	r.Check(harness.Panics(func() { c.SubSleeping(-1) }), "C2", "SubSleeping of -1 sleepers does not panic")
	c.SubSleeping(1)
	r.Check(harness.Panics(func() { c.SubSleeping(1) }), "C2", "a second SubSleeping for one sleeper does not panic")
	c, _ = s.full(r, 1)
	r.Check(harness.Panics(func() { c.SubSleeping(2) }), "C2", "SubSleeping of two does not panic, with one asleep")
}
