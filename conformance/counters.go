package conformance

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"pgregory.net/rapid"
)

// TestCounters checks that what newCounters returns keeps the rules of
// [api.Counters]. Each subtest uses instances of its own. If the jobs event
// counter is narrower than 32 bits, say [WithJobsBits].
func TestCounters(t *testing.T, newCounters func(workers int) (api.Counters, error), opts ...Option) {
	cfg := newConfig(opts)
	s := countersSuite{newCounters, cfg.jobsBits}
	cfg.Subtest(t, "TooManyWorkers", "C6", s.tooManyWorkers)
	cfg.Subtest(t, "Model", "C1", s.model)
	cfg.Subtest(t, "Parity", "C3", s.parity)
	cfg.Subtest(t, "Ticket", "C5", s.ticket)
	cfg.Subtest(t, "Limits", "C2", s.limits)
	cfg.Subtest(t, "BelowZero", "C2", s.belowZero)
	cfg.Subtest(t, "TakenTwice", "C2", s.takenTwice)
	cfg.Subtest(t, "Linearizable", "C1", s.linearizable)
	cfg.Subtest(t, "Duel", "C3", s.duel)
	cfg.Subtest(t, "Stress", "C1", s.stress)
}

type countersSuite struct {
	new  func(workers int) (api.Counters, error)
	bits int
}

// maxWorkers is what a field of 16 bits can count.
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

// A word is what counters hold, for the models.
type word struct {
	inactive, sleeping int
	jobs               uint32
}

func (w word) String() string {
	return fmt.Sprintf("inactive=%d sleeping=%d jobs=%d", w.inactive, w.sleeping, w.jobs)
}

// toggled returns the JEC after a step that makes it odd (Post) or even
// (Announce).
func (s countersSuite) toggled(jobs uint32, odd bool) uint32 {
	if (jobs&1 == 1) == odd {
		return jobs
	}
	return (jobs + 1) & uint32(uint64(1)<<s.bits-1)
}

func load(c api.Counters) word {
	i, s, j := c.Load()
	return word{i, s, j}
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
		if w.inactive != 0 || w.sleeping != 0 {
			t.Fatalf("C1: new counters hold %v", w)
		}
		ticket, lent := w.jobs, 0
		have := func(ok bool) {
			if !ok {
				t.Skip()
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"AddInactive": func(t *rapid.T) {
				have(w.inactive+lent < workers)
				c.AddInactive()
				w.inactive++
			},
			"SubInactive": func(t *rapid.T) {
				have(w.inactive > w.sleeping)
				inactive, sleeping := c.SubInactive()
				w.inactive--
				if inactive != w.inactive || sleeping != w.sleeping {
					t.Fatalf("C1: SubInactive returned inactive %d and sleeping %d, and leaves %v", inactive, sleeping, w)
				}
			},
			"Announce": func(t *rapid.T) {
				have(w.inactive > w.sleeping)
				ticket = c.Announce()
				w.jobs = s.toggled(w.jobs, false)
				if ticket != w.jobs {
					t.Fatalf("C3: Announce returned %d, want %d", ticket, w.jobs)
				}
			},
			"TrySleep": func(t *rapid.T) {
				have(w.inactive > w.sleeping)
				ok := c.TrySleep(ticket)
				if want := ticket == w.jobs; ok != want {
					t.Fatalf("C5: TrySleep with the ticket %d and the JEC %d returned %t", ticket, w.jobs, ok)
				}
				if ok {
					w.sleeping++
				}
			},
			"SubSleeping": func(t *rapid.T) {
				have(w.sleeping > 0)
				n := rapid.IntRange(1, w.sleeping).Draw(t, "sleepers")
				c.SubSleeping(n)
				w.sleeping -= n
			},
			"Post": func(t *rapid.T) {
				w.jobs = s.toggled(w.jobs, true)
				if i, n := c.Post(); i != w.inactive || n != w.sleeping {
					t.Fatalf("C1: Post returned %d inactive, %d sleeping, want %v", i, n, w)
				}
			},
			"Lend": func(t *rapid.T) {
				have(w.sleeping > 0)
				c.Lend()
				w.sleeping--
				w.inactive--
				lent++
			},
			"Restore": func(t *rapid.T) {
				have(lent > 0)
				if first := c.Restore(); first != (w.inactive == 0) {
					t.Fatalf("C1: Restore returned %t, from %v", first, w)
				}
				w.sleeping++
				w.inactive++
				lent--
			},
			"": func(t *rapid.T) {
				if got := load(c); got != w {
					t.Fatalf("C1: the counters hold %v, want %v", got, w)
				}
			},
		})
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
		jobs := load(c).jobs
		r.Check(jobs%2 == 1, "C3", "Post left the JEC at %d, which is even", jobs)
		c.Post()
		r.Check(load(c).jobs == jobs, "C3", "a second Post in a row moves the JEC")
	}
}

// ticket checks that a post between Announce and TrySleep is noticed, always.
func (s countersSuite) ticket(r *run) {
	c := s.make(r, 2)
	c.AddInactive()
	for i := range 1000 {
		ticket := c.Announce()
		c.Post()
		r.Check(!c.TrySleep(ticket), "C5", "TrySleep succeeded after a Post since its Announce")
		if s.bits >= 10 && i < 400 {
			// A second announcer makes the JEC even again, but not the same.
			c.Announce()
			r.Check(!c.TrySleep(ticket), "C5", "TrySleep succeeded after a Post and another Announce since its own")
		}
	}
}

// limits fills every field and checks that none spills, and that a step that would
// make one spill panics. Each such step has counters of its own, which are void
// afterwards.
func (s countersSuite) limits(r *run) {
	c, ticket := s.full(r, maxWorkers)
	want := word{maxWorkers, maxWorkers, ticket}
	r.Check(load(c) == want, "C2", "with all of %d workers asleep, the counters hold %v", maxWorkers, load(c))
	for range maxWorkers {
		c.Lend()
	}
	r.Check(load(c) == word{0, 0, ticket}, "C2", "with all of %d seats lent, the counters hold %v", maxWorkers, load(c))
	for range maxWorkers {
		c.Restore()
	}
	r.Check(load(c) == want, "C2", "with all of %d seats restored, the counters hold %v", maxWorkers, load(c))

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
// them asleep, and the ticket of those.
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

// belowZero takes away what is not there. The counters are void afterwards.
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
	r.Check(load(c).sleeping == 1, "C5", "TrySleep right after Announce failed")
	r.Check(harness.Panics(func() { c.SubSleeping(0) }), "C2", "SubSleeping of no sleeper does not panic")
	r.Check(harness.Panics(func() { c.SubSleeping(-1) }), "C2", "SubSleeping of -1 sleepers does not panic")
	c.SubSleeping(1)
	r.Check(harness.Panics(func() { c.SubSleeping(1) }), "C2", "a second SubSleeping for one sleeper does not panic")
	c, _ = s.full(r, 1)
	r.Check(harness.Panics(func() { c.SubSleeping(2) }), "C2", "SubSleeping of two does not panic, with one asleep")
}
