package conformance

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
	"pgregory.net/rapid"
)

// TestCounters checks that what newCounters returns keeps the rules of
// [api.Counters]. Each subtest uses instances of its own. If the jobs event
// counter is narrower than 32 bits, say [WithJobsBits].
func TestCounters(t *testing.T, newCounters func(workers int) (api.Counters, error), opts ...Option) {
	cfg := newConfig(opts)
	s := countersSuite{newCounters, cfg.jobsBits}
	subtest(t, cfg, "TooManyWorkers", "C6", s.tooManyWorkers)
	subtest(t, cfg, "Model", "C1", s.model)
	subtest(t, cfg, "Parity", "C3", s.parity)
	subtest(t, cfg, "Ticket", "C5", s.ticket)
	subtest(t, cfg, "Limits", "C2", s.limits)
	subtest(t, cfg, "BelowZero", "C2", s.belowZero)
	subtest(t, cfg, "Linearizable", "C1", s.linearizable)
	subtest(t, cfg, "Duel", "C3", s.duel)
	subtest(t, cfg, "Stress", "C1", s.stress)
}

type countersSuite struct {
	new  func(workers int) (api.Counters, error)
	bits int
}

// maxWorkers is what a field of 16 bits can count.
const maxWorkers = 1<<16 - 1

func (s countersSuite) make(r *run, workers int) api.Counters {
	r.t.Helper()
	c, err := s.new(workers)
	r.check(err == nil, "C6", "counters for %d workers are refused: %v", workers, err)
	return c
}

func (s countersSuite) tooManyWorkers(r *run) {
	s.make(r, 1)
	for _, n := range []int{maxWorkers + 1, 1 << 20} {
		_, err := s.new(n)
		r.check(err != nil, "C6", "counters for %d workers are not refused", n)
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
	rapid.Check(tb{r.t, r}, func(t *rapid.T) {
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
				last := c.SubInactive()
				w.inactive--
				if want := w.inactive == w.sleeping && w.sleeping > 0; last != want {
					t.Fatalf("C1: SubInactive returned %t and leaves %v, so want %t", last, w, want)
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
				c.SubSleeping()
				w.sleeping--
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
				c.Restore()
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
	r.check(c.TrySleep(c.Announce()), "C5", "TrySleep right after Announce failed")
	for i := range 1000 {
		ticket := c.Announce()
		r.check(ticket%2 == 0, "C3", "Announce returned %d, which is odd", ticket)
		r.check(c.Announce() == ticket, "C3", "a second Announce in a row moves the JEC")
		inactive, sleeping := c.Post()
		r.check(inactive == 3 && sleeping == 1, "C2", "Post number %d found %d inactive and %d sleeping, want 3 and 1", i, inactive, sleeping)
		jobs := load(c).jobs
		r.check(jobs%2 == 1, "C3", "Post left the JEC at %d, which is even", jobs)
		c.Post()
		r.check(load(c).jobs == jobs, "C3", "a second Post in a row moves the JEC")
	}
}

// ticket checks that a post between Announce and TrySleep is noticed, always.
func (s countersSuite) ticket(r *run) {
	c := s.make(r, 2)
	c.AddInactive()
	for i := range 1000 {
		ticket := c.Announce()
		c.Post()
		r.check(!c.TrySleep(ticket), "C5", "TrySleep succeeded after a Post since its Announce")
		if s.bits >= 10 && i < 400 {
			// A second announcer makes the JEC even again, but not the same.
			c.Announce()
			r.check(!c.TrySleep(ticket), "C5", "TrySleep succeeded after a Post and another Announce since its own")
		}
	}
}

// limits fills every field and checks that none spills.
func (s countersSuite) limits(r *run) {
	c := s.make(r, maxWorkers)
	for range maxWorkers {
		c.AddInactive()
	}
	ticket := c.Announce()
	for range maxWorkers {
		r.check(c.TrySleep(ticket), "C5", "TrySleep failed without a Post since its Announce")
	}
	want := word{maxWorkers, maxWorkers, ticket}
	r.check(load(c) == want, "C2", "with all of %d workers asleep, the counters hold %v", maxWorkers, load(c))
	r.check(panics(c.AddInactive), "C2", "AddInactive panics not, with all of %d workers inactive", maxWorkers)

	c = s.make(r, maxWorkers)
	for range maxWorkers {
		c.AddInactive()
	}
	ticket = c.Announce()
	for range maxWorkers {
		c.TrySleep(ticket)
	}
	for range maxWorkers {
		c.Lend()
	}
	r.check(load(c) == word{0, 0, ticket}, "C2", "with all of %d seats lent, the counters hold %v", maxWorkers, load(c))
	for range maxWorkers {
		c.Restore()
	}
	r.check(load(c) == want, "C2", "with all of %d seats restored, the counters hold %v", maxWorkers, load(c))
	r.check(panics(c.Restore), "C2", "Restore panics not, with all of %d workers asleep", maxWorkers)
}

// belowZero takes away what is not there.
func (s countersSuite) belowZero(r *run) {
	r.check(panics(func() { s.make(r, 2).SubInactive() }), "C2", "SubInactive panics not, with nobody inactive")
	r.check(panics(func() { s.make(r, 2).SubSleeping() }), "C2", "SubSleeping panics not, with nobody asleep")
	r.check(panics(func() { s.make(r, 2).Lend() }), "C2", "Lend panics not, with nobody asleep")
	c := s.make(r, 2)
	c.AddInactive()
	r.check(panics(c.SubSleeping), "C2", "SubSleeping panics not, with one idle and nobody asleep")
	c = s.make(r, 2)
	c.AddInactive()
	c.TrySleep(c.Announce())
	r.check(load(c).sleeping == 1, "C5", "TrySleep right after Announce failed")
	c.SubSleeping()
	r.check(panics(c.SubSleeping), "C2", "a second SubSleeping for one sleeper panics not")
}

// The operations of counters, in histories.
type countersOp struct {
	name   string
	ticket uint32
}

// result is what an operation of the counters returned, as far as it did.
type result struct {
	word
	ok bool
}

// wordModel is the sequential meaning of [api.Counters].
func (s countersSuite) wordModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return word{} },
		Step: func(state, input, output any) (bool, any) {
			w, in, out := state.(word), input.(countersOp), output.(result)
			switch in.name {
			case "Load":
				return out.word == w, w
			case "AddInactive":
				w.inactive++
				return true, w
			case "SubInactive":
				w.inactive--
				return w.inactive >= w.sleeping && out.ok == (w.sleeping > 0 && w.inactive == w.sleeping), w
			case "Announce":
				w.jobs = s.toggled(w.jobs, false)
				return out.jobs == w.jobs, w
			case "TrySleep":
				if out.ok {
					w.sleeping++
				}
				return out.ok == (in.ticket == w.jobs), w
			case "SubSleeping":
				w.sleeping--
				return w.sleeping >= 0, w
			case "Lend":
				w.inactive--
				w.sleeping--
				return w.sleeping >= 0, w
			case "Restore":
				w.inactive++
				w.sleeping++
				return true, w
			case "Post":
				w.jobs = s.toggled(w.jobs, true)
				return out.inactive == w.inactive && out.sleeping == w.sleeping, w
			}
			return false, w
		},
		DescribeOperation: func(input, output any) string {
			return fmt.Sprintf("%v -> %v", input, output)
		},
	}
}

// linearizable records short histories of one or two workers and a poster.
// Each result must be the one of that very step, not of a later look.
func (s countersSuite) linearizable(r *run) {
	model := s.wordModel()
	for round := 0; r.more(round, 50); round++ {
		workers := 1 + round%2
		c := s.make(r, workers)
		h := newHistory(workers + 1)
		// Without pauses the steps meet at close quarters, with them in more
		// different ways.
		gap := pause
		if round%4 < 2 {
			gap = func(*rand.Rand) {}
		}
		fns := []func(){func() {
			rng := rngOf(round)
			for range 6 {
				h.do(workers, countersOp{name: "Post"}, func() any {
					i, n := c.Post()
					return result{word: word{inactive: i, sleeping: n}}
				})
				h.do(workers, countersOp{name: "Load"}, func() any { return result{word: load(c)} })
				gap(rng)
			}
		}}
		for client := range workers {
			fns = append(fns, func() { s.live(c, h, client, gap) })
		}
		r.together(fns...)
		h.check(r, "C1", model)
	}
}

// live is the part of a worker in a history.
func (s countersSuite) live(c api.Counters, h *history, client int, gap func(*rand.Rand)) {
	rng := rngOf(client)
	step := func(name string, f func()) {
		h.do(client, countersOp{name: name}, func() any { f(); return result{} })
		gap(rng)
	}
	step("AddInactive", c.AddInactive)
	for range 2 {
		var ticket uint32
		h.do(client, countersOp{name: "Announce"}, func() any {
			ticket = c.Announce()
			return result{word: word{jobs: ticket}}
		})
		gap(rng)
		slept := false
		h.do(client, countersOp{"TrySleep", ticket}, func() any {
			slept = c.TrySleep(ticket)
			return result{ok: slept}
		})
		if slept {
			step("Lend", c.Lend)
			step("Restore", c.Restore)
			step("SubSleeping", c.SubSleeping)
		}
	}
	h.do(client, countersOp{name: "SubInactive"}, func() any { return result{ok: c.SubInactive()} })
}

// duel lets one worker and one poster meet as closely as two processors allow.
func (s countersSuite) duel(r *run) {
	defer r.procs(max(2, r.procsNow()))()
	for round := 0; r.more(round, 2); round++ {
		c := s.make(r, 1)
		c.AddInactive()
		var over atomic.Bool
		r.together(func() {
			defer over.Store(true)
			for range 20_000 {
				ticket := c.Announce()
				if ticket%2 != 0 {
					r.report("C3", "Announce returned %d, which is odd", ticket)
					return
				}
				if c.TrySleep(ticket) {
					c.Lend()
					c.Restore()
					c.SubSleeping()
				}
			}
		}, func() {
			for !over.Load() {
				inactive, sleeping := c.Post()
				if w := (word{inactive: inactive, sleeping: sleeping}); inactive > 1 || sleeping > inactive {
					r.report("C1", "Post found %v, of one worker", w)
					return
				}
			}
		})
	}
}

// stress lets workers, a poster and an onlooker run free. Each worker that
// sleeps is claimed by CAS, by whoever comes first, and released only after it
// was counted, as the protocol has it.
func (s countersSuite) stress(r *run) {
	const workers = 4
	const awake, sleeping, claimed = 0, 1, 2
	for round := 0; r.more(round, 2); round++ {
		c := s.make(r, workers)
		var seats [workers]atomic.Int32
		var active atomic.Int32
		active.Store(workers)
		wake := func(i int) bool {
			if !seats[i].CompareAndSwap(sleeping, claimed) {
				return false
			}
			c.SubSleeping()
			seats[i].Store(awake)
			return true
		}
		wakeOne := func() {
			for i := range seats {
				if wake(i) {
					return
				}
			}
		}
		onlook := func() {
			for active.Load() > 0 && !r.aborted() {
				if w := load(c); w.sleeping > w.inactive || w.inactive > workers {
					r.report("C1", "the counters of %d workers hold %v", workers, w)
				}
				r.yield()
			}
		}
		fns := []func(){onlook, func() {
			for active.Load() > 0 && !r.aborted() {
				if _, n := c.Post(); n > 0 {
					wakeOne()
				}
				r.yield()
			}
		}}
		for i := range workers {
			fns = append(fns, func() {
				defer active.Add(-1)
				for range 500 {
					c.AddInactive()
					ticket := c.Announce()
					if ticket%2 != 0 {
						r.report("C3", "Announce returned %d, which is odd", ticket)
					}
					if c.TrySleep(ticket) {
						seats[i].Store(sleeping)
						for seats[i].Load() != awake && !r.aborted() {
							r.yield()
							if rand.IntN(100) == 0 {
								wake(i)
							}
						}
					}
					if c.SubInactive() {
						wakeOne()
					}
				}
			})
		}
		r.together(fns...)
		w := load(c)
		r.check(w.inactive == 0 && w.sleeping == 0, "C4", "after all workers have ended, the counters hold %v", w)
	}
}
