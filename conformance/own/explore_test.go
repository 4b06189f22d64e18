package own_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// TestEverySchedule drives the pool through every schedule up to a bound on
// preemptions. It needs the build tag explore. A pool of your own can be explored
// if it synchronizes by package prim alone, as do the parts.
//
// The backends sleep at once, and their counters of one bit wrap all the time:
// then the fewest steps show the most.
func TestEverySchedule(t *testing.T) {
	for name, newSleep := range map[string]func(seats int) (api.Sleep, error){
		"sleep=jec": func(n int) (api.Sleep, error) { return jec.New(n, jec.WithJobsBits(1), jec.WithRounds(atOnce)) },
		"sleep=futex": func(n int) (api.Sleep, error) {
			return futex.New(n, futex.WithThreadPark(), futex.WithJobsBits(1), futex.WithRounds(atOnce))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var all []scenarios.Scenario
			for _, p := range programs {
				all = append(all, p.scenario(newSleep))
			}
			scenarios.Run(t, all)
		})
	}
}

// A program uses a pool whose seats sleep. When it has returned, the pool is closed.
type program struct {
	name, rule  string
	bound, deep int // preemptions, in every run of the tests and at full depth
	seats       int
	body        func(x *explore.Exec, p *Pool)
}

func (c program) scenario(newSleep func(seats int) (api.Sleep, error)) scenarios.Scenario {
	why := ""
	if c.bound != scenarios.Complete {
		why = scenarios.NoEnd(fmt.Sprintf("%d seats and their callers", c.seats))
	}
	return scenarios.Scenario{Name: c.name, Rule: c.rule, Bound: c.bound, Deep: c.deep, Why: why, Body: func(x *explore.Exec) {
		var p *Pool
		x.Settle(func() {
			var err error
			if p, err = New(c.seats, deques["chaselev_small"], newSleep); err != nil {
				x.Fatalf("no pool: %v", err)
			}
		})
		c.body(x, p)
		x.Wait()
		x.Settle(p.Close)
		if inactive, sleeping := p.sleep.Counts(); inactive != 0 || sleeping != 0 {
			x.Errorf("C4: after Close %d seats are counted as inactive and %d as sleeping", inactive, sleeping)
		}
	}}
}

var programs = []program{
	// A job begins only if the other one runs at the same time. If it hangs, a seat
	// sleeps beside a job: see Join2, hasWork and Submit.
	{name: "fork_taken", rule: "S1", bound: 2, deep: 3, seats: 2, body: func(x *explore.Exec, p *Pool) {
		await(x, p, func(w *Worker) {
			var g gate
			w.Join2(g.wait, g.open)
		})
	}},
	{name: "two_submitted", rule: "S1", bound: 2, deep: 3, seats: 2, body: func(x *explore.Exec, p *Pool) {
		var g gate
		submit(x, p, g.wait)
		await(x, p, g.open)
	}},
	// The last seat that is awake takes a job that blocks: see next.
	{name: "three_at_once", rule: "S2", bound: 1, deep: 2, seats: 3, body: func(x *explore.Exec, p *Pool) {
		await(x, p, func(w *Worker) {
			var first, second gate
			w.Join2(first.wait, func(w *Worker) {
				w.Join2(second.wait, func(w *Worker) { second.open(w); first.open(w) })
			})
		})
	}},
	// A joiner is set aside, or not, and has its seat back: see wait and end.
	{name: "forks_in_forks", rule: "P1", bound: 2, deep: 3, seats: 2, body: func(x *explore.Exec, p *Pool) {
		await(x, p, func(w *Worker) {
			if got := fib(w, 3); got != 2 {
				x.Errorf("P1: fib(3) is %d", got)
			}
		})
	}},
	// A joiner that has come back to another seat forks and joins there.
	{name: "forks_after_join", rule: "P1", bound: 1, deep: 2, seats: 2, body: func(x *explore.Exec, p *Pool) {
		await(x, p, func(w *Worker) {
			var g gate
			w.Join2(g.wait, g.open)
			var again gate
			w.Join2(again.wait, again.open)
		})
	}},
	// Two jobs hold a lock while they join. If it hangs, one of them has begun on
	// top of the other: see wait.
	{name: "lock_across_join", rule: "P5", bound: 2, deep: 3, seats: 2, body: func(x *explore.Exec, p *Pool) {
		var mu prim.Mutex
		locks := func(w *Worker) {
			mu.Lock()
			w.Join2(func(*Worker) {}, func(*Worker) {})
			mu.Unlock()
		}
		submit(x, p, locks)
		await(x, p, locks)
	}},
	// What is submitted while the pool closes is run or refused: see Submit and Close.
	{name: "close_races_submit", rule: "P7", bound: scenarios.Complete, seats: 1, body: func(x *explore.Exec, p *Pool) {
		var ran prim.Bool
		x.Go("submitter", func() {
			done, err := p.Submit(func(*Worker) { ran.Store(true) })
			if err == nil {
				err = done.Wait(context.Background())
			}
			if ran.Load() != (err == nil) || err != nil && !errors.Is(err, ErrClosed) {
				x.Errorf("P7: Submit returned %v, and the job was run: %t", err, ran.Load())
			}
		})
		p.Close()
	}},
}

// A gate is a job that waits, without a join, until another one opens it.
type gate struct {
	mu     prim.Mutex
	cond   *prim.Cond
	opened bool
}

func (g *gate) wait(*Worker) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cond == nil {
		g.cond = prim.NewCond(&g.mu)
	}
	for !g.opened {
		g.cond.Wait()
	}
}

func (g *gate) open(*Worker) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = true
	if g.cond != nil {
		g.cond.Broadcast()
	}
}

func submit(x *explore.Exec, p *Pool, fn func(w *Worker)) interface{ Wait(context.Context) error } {
	done, err := p.Submit(fn)
	if err != nil {
		x.Fatalf("P7: Submit returned %v", err)
	}
	return done
}

func await(x *explore.Exec, p *Pool, fn func(w *Worker)) {
	if err := submit(x, p, fn).Wait(context.Background()); err != nil {
		x.Errorf("P1: Wait returned %v", err)
	}
}
