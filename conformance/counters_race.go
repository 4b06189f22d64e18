package conformance

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// linearizable records one or two workers and a poster.
func (s countersSuite) linearizable(r *run) {
	workers := 2
	histories(r, "C1", linear.Counters(s.bits), func() []client {
		workers = 3 - workers
		c := s.make(r, workers)
		step := func(do func(any, func() any), call linear.Call) (out linear.Return) {
			do(call, func() any { out = call.Of(c); return out })
			return out
		}
		worker := func(do func(any, func() any)) {
			step(do, linear.Call{Name: "AddInactive"})
			for range 2 {
				ticket := step(do, linear.Call{Name: "Announce"}).Jobs
				if step(do, linear.Call{Name: "TrySleep", Ticket: ticket}).OK {
					step(do, linear.Call{Name: "Lend"})
					step(do, linear.Call{Name: "Restore"})
					step(do, linear.Call{Name: "SubSleeping", Sleepers: 1})
				}
			}
			step(do, linear.Call{Name: "SubInactive"})
		}
		return append(slices.Repeat([]client{worker}, workers), func(do func(any, func() any)) {
			for range 6 {
				step(do, linear.Call{Name: "Post"})
				step(do, linear.Call{Name: "Load"})
			}
		})
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
