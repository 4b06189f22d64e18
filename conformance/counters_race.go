package conformance

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

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
				return w.inactive >= w.sleeping && out.inactive == w.inactive && out.sleeping == w.sleeping, w
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
				return out.ok == (w.inactive == 1), w
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
	for round := 0; r.More(round, 50); round++ {
		workers := 1 + round%2
		c := s.make(r, workers)
		h := newHistory(workers + 1)
		// Without pauses the steps meet at close quarters, with them in more
		// different ways.
		gap := harness.Pause
		if round%4 < 2 {
			gap = func(*rand.Rand) {}
		}
		fns := []func(){func() {
			rng := harness.NewRNG()
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
		r.Together(fns...)
		h.check(r, "C1", model)
	}
}

// live is the part of a worker in a history.
func (s countersSuite) live(c api.Counters, h *history, client int, gap func(*rand.Rand)) {
	rng := harness.NewRNG()
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
			h.do(client, countersOp{name: "Restore"}, func() any { return result{ok: c.Restore()} })
			step("SubSleeping", func() { c.SubSleeping(1) })
		}
	}
	h.do(client, countersOp{name: "SubInactive"}, func() any {
		inactive, sleeping := c.SubInactive()
		return result{word: word{inactive: inactive, sleeping: sleeping}}
	})
}

// duel lets one worker and one poster meet as closely as two processors allow.
func (s countersSuite) duel(r *run) {
	defer r.TwoProcs()()
	for round := 0; r.More(round, 2); round++ {
		c := s.make(r, 1)
		c.AddInactive()
		var over atomic.Bool
		r.Together(func() {
			defer over.Store(true)
			for range 20_000 {
				ticket := c.Announce()
				if ticket%2 != 0 {
					r.Report("C3", "Announce returned %d, which is odd", ticket)
					return
				}
				if c.TrySleep(ticket) {
					c.Lend()
					c.Restore()
					c.SubSleeping(1)
				}
			}
		}, func() {
			for !over.Load() {
				inactive, sleeping := c.Post()
				if w := (word{inactive: inactive, sleeping: sleeping}); inactive > 1 || sleeping > inactive {
					r.Report("C1", "Post found %v, of one worker", w)
					return
				}
				r.Yield()
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
	for round := 0; r.More(round, 2); round++ {
		c := s.make(r, workers)
		var seats [workers]atomic.Int32
		var active atomic.Int32
		active.Store(workers)
		wake := func(i int) bool {
			if !seats[i].CompareAndSwap(sleeping, claimed) {
				return false
			}
			c.SubSleeping(1)
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
			for active.Load() > 0 && !r.Aborted() {
				if w := load(c); w.sleeping > w.inactive || w.inactive > workers {
					r.Report("C1", "the counters of %d workers hold %v", workers, w)
				}
				r.Yield()
			}
		}
		fns := []func(){onlook, func() {
			for active.Load() > 0 && !r.Aborted() {
				if _, n := c.Post(); n > 0 {
					wakeOne()
				}
				r.Yield()
			}
		}}
		for i := range workers {
			fns = append(fns, func() {
				defer active.Add(-1)
				for range 500 {
					c.AddInactive()
					ticket := c.Announce()
					if ticket%2 != 0 {
						r.Report("C3", "Announce returned %d, which is odd", ticket)
					}
					if c.TrySleep(ticket) {
						seats[i].Store(sleeping)
						for seats[i].Load() != awake && !r.Aborted() {
							r.Yield()
							if rand.IntN(100) == 0 {
								wake(i)
							}
						}
					}
					if inactive, sleeping := c.SubInactive(); sleeping > 0 && inactive == sleeping {
						wakeOne()
					}
				}
			})
		}
		r.Together(fns...)
		w := load(c)
		r.Check(w.inactive == 0 && w.sleeping == 0, "C4", "after all workers have ended, the counters hold %v", w)
	}
}
