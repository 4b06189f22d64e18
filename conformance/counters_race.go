package conformance

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// linearizable records short histories of one or two workers and a poster.
// Each result must be the one of that very step, not of a later look.
func (s countersSuite) linearizable(r *run) {
	model := linear.Counters(s.bits)
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
				for _, name := range []string{"Post", "Load"} {
					call := linear.Call{Name: name}
					h.do(workers, call, func() any { return call.Of(c) })
				}
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
	step := func(call linear.Call) (out linear.Return) {
		h.do(client, call, func() any { out = call.Of(c); return out })
		gap(rng)
		return out
	}
	step(linear.Call{Name: "AddInactive"})
	for range 2 {
		ticket := step(linear.Call{Name: "Announce"}).Jobs
		if step(linear.Call{Name: "TrySleep", Ticket: ticket}).OK {
			step(linear.Call{Name: "Lend"})
			step(linear.Call{Name: "Restore"})
			step(linear.Call{Name: "SubSleeping", Sleepers: 1})
		}
	}
	step(linear.Call{Name: "SubInactive"})
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
				if w := (word{Inactive: inactive, Sleeping: sleeping}); inactive > 1 || sleeping > inactive {
					r.Report("C1", "Post found %v, of one worker", w)
					return
				}
				r.Yield()
			}
		})
	}
}

// stress lets workers, a poster and an onlooker run free. Each worker that
// sleeps is claimed by CAS, by the first that comes, and released only after
// it was counted, as the protocol has it.
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
				if w := load(c); w.Sleeping > w.Inactive || w.Inactive > workers {
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
		r.Check(w.Inactive == 0 && w.Sleeping == 0, "C4", "after all workers have ended, the counters hold %v", w)
	}
}
