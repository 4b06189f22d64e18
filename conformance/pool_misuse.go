package conformance

import (
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/pool"
)

var poolMisuse = []poolCase{
	{"JoinedTwice", "P1", 2, joinedTwice},
	{"JoinedTwiceAlone", "P1", 1, joinedTwice},
	{"JoinedByAnother", "P1", 2, joinedByAnother},
	{"JoinedLate", "P1", 1, joinedLate},
}

// complains checks that f panics with a message that says something, and not
// because it has used what is not there.
func complains(r *run, rule, what string, f func()) {
	switch v := caught(f).(type) {
	case nil:
		r.Report(rule, "%s does not panic", what)
	case string:
		if v == "" {
			r.Report(rule, "%s panics without a message", what)
		}
	case runtime.Error:
		r.Report(rule, "%s is not noticed before it does harm: %v", what, v)
	case error:
	default:
		r.Report(rule, "%s panics with %v, want a message", what, v)
	}
}

// joinedTwice joins forks again. A thief that asks makes every join take the long
// way, and may do so from the first fork to the last; with one worker none asks.
func joinedTwice(r *run, p *pool.Pool) {
	one := func(*pool.Worker, int) int { return 1 }
	enter(r, p, func(w *pool.Worker) int {
		f := pool.Fork(w, one, 0)
		f.Join(w)
		complains(r, "P1", "a second Join of a fork", func() { f.Join(w) })
		f = pool.Fork(w, one, 0)
		f.Join(w)
		g := pool.Fork(w, one, 0)
		complains(r, "P1", "a second Join of a fork whose place another has", func() { f.Join(w) })
		if g.Join(w) != 1 {
			r.Report("P1", "a fork gives a wrong result after the misuse of another")
		}
		// Again and again, so that beside a thief the stale one has not always been
		// public.
		for round := 0; round < 100 && !r.Aborted(); round++ {
			f = pool.Fork(w, one, 0)
			f.Join(w)
			h := pool.Fork(w, func(_ *pool.Worker, s string) string { return s }, "live")
			v := caught(func() { f.Join(w) })
			said, _ := v.(string)
			r.Check(strings.Contains(said, "joined twice"), "P1", "a second Join of a fork whose place one of another type has panics with %v, want a message that says so", v)
			if h.Join(w) != "live" {
				r.Report("P1", "a fork gives a wrong result after the misuse of another, of another type")
			}
		}
		var kept pool.Forked[int, int]
		pool.Fork(w, func(w *pool.Worker, _ int) int {
			kept = pool.Fork(w, one, 0)
			return 0
		}, 0).Join(w)
		complains(r, "P1", "Join of a fork whose job has ended", func() { kept.Join(w) })
		return 0
	})
	fullWidth(r, p)
}

func joinedByAnother(r *run, p *pool.Pool) {
	enter(r, p, func(w *pool.Worker) int {
		// The handle goes to the other worker by the fork's own start.
		f := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
		apart(r, w, func(*pool.Worker) {}, func(v *pool.Worker) {
			complains(r, "P1", "Join of a fork by another worker", func() { f.Join(v) })
		})
		if f.Join(w) != 1 {
			r.Report("P1", "a fork gives a wrong result after another worker tried to join it")
		}
		return 0
	})
	fullWidth(r, p)
}

// joinedLate joins a fork again when the worker has been at rest since, and may have
// given back the memory of so deep a stack, and another fork is at that depth.
func joinedLate(r *run, p *pool.Pool) {
	const deep = 40
	one := func(*pool.Worker, int) int { return 1 }
	forks := func(w *pool.Worker) (all [deep + 1]pool.Forked[int, int]) {
		for i := range all {
			all[i] = pool.Fork(w, one, 0)
		}
		return all
	}
	join := func(w *pool.Worker, all [deep + 1]pool.Forked[int, int]) (sum int) {
		for _, f := range slices.Backward(all[:]) {
			sum += f.Join(w)
		}
		return sum
	}
	late := enter(r, p, func(w *pool.Worker) pool.Forked[int, int] {
		all := forks(w)
		join(w, all)
		return all[deep]
	})
	enter(r, p, func(w *pool.Worker) int {
		all := forks(w)
		complains(r, "P1", "a second Join of a fork from deep down, in a later job,", func() { late.Join(w) })
		if sum := join(w, all); sum != len(all) {
			r.Report("P1", "after the misuse of a fork from deep down, %d forks give %d", len(all), sum)
		}
		return 0
	})
	fullWidth(r, p)
}
