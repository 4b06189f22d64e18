//go:build race

package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A fork and the one that forked it write the same variable. Where the fork is joined
// next, it usually runs in Join: the race detector sees one goroutine.
func TestRandomScheduleShowsRaces(t *testing.T) {
	t.Setenv("GORACE", "halt_on_error=1")
	out := child(t, func() {
		p := newPool(t, pool.WithWorkers(8), pool.WithRandomSchedule(1))
		do(t, p, func(w *pool.Worker) {
			for range 100_000 { // until the race is seen
				shared := new(int)
				f := pool.Fork(w, func(_ *pool.Worker, to *int) int { *to++; return 0 }, shared)
				*shared++
				f.Join(w)
			}
		})
	})
	says(t, "P29: WithRandomSchedule: the race of a fork with its caller", out, "WARNING: DATA RACE")
}
