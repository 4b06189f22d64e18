package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, a test with the option sees no more than one without.
func TestRandomScheduleHasForksTaken(t *testing.T) {
	p := newPool(t, pool.WithWorkers(8), pool.WithRandomSchedule(1))
	const forks, tries = 200, 20
	// taken is how many of some jobs run elsewhere. Where other programs have the processors,
	// workers come late, and few are: so it tries again.
	taken := func(elsewhere func() bool) (n int) {
		for range tries {
			n = 0
			for range forks {
				if elsewhere() {
					n++
				}
			}
			if n >= forks/20 {
				break
			}
		}
		return n
	}
	during(t, "P29", "forks and jobs of scopes run, here or elsewhere", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			if n := taken(func() bool {
				// A fork that nobody takes runs in Join, as the one that forked it.
				return pool.Fork(w, func(by *pool.Worker, _ int) *pool.Worker { return by }, 0).Join(w) != w
			}); n < forks/20 {
				t.Errorf("P29: WithRandomSchedule: %d of %d forks that are joined at once ran on another goroutine, want about half", n, forks)
			}
			if n := taken(func() (elsewhere bool) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					s.Spawn(w, func(by *pool.Worker) { elsewhere = by != w })
				})
				return elsewhere
			}); n < forks/20 {
				t.Errorf("P29: WithRandomSchedule: %d of %d jobs of scopes of one job ran on another goroutine, want about half", n, forks)
			}
			return 0
		}, 0)
	})
}

// The usual programs still give the usual results.
func TestRandomScheduleKeepsResults(t *testing.T) {
	for seed := range uint64(20) {
		p := newPool(t, pool.WithWorkers(int(1+seed%5)), pool.WithRandomSchedule(seed))
		during(t, "P1", "a program ends with a random schedule", func() {
			if n := mustRun(t, p, fib, 15); n != 610 {
				t.Errorf("P1: with the random schedule %d fib(15) is %d, want 610", seed, n)
			}
		})
	}
}
