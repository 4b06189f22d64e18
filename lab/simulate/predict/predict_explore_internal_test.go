//go:build explore

package predict

import (
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
)

// The pool shares the work of each row among 16 and 64 workers, and all are soon at work.
// What is asked for is a little less than what comes out: a change that fails here makes
// pools on many processors slower, or makes them start more slowly.
func TestScales(t *testing.T) {
	for name, want := range map[string]struct {
		few, many float64       // of bound, with 16 workers and with 64
		ramp      simulate.Time // of 64
	}{
		"fib": {0.48, 0.11, 75}, "flat": {0.9, 0.69, 75}, "scope": {0.9, 0.88, 75},
		"spawns": {0.8, 0.42, 75}, "loop": {0.8, 0.22, 90}, "submit": {0.12, 0.011, 700},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := Plan{Sleep: "futex"}, made(t, name)[0]
			var one simulate.Time
			perform := func(workers int, least float64) *cell {
				report, err := p.perform(t.Context(), r, workers, simulate.Base)
				if err != nil {
					t.Fatal(err)
				}
				if report.Work != r.cost.work {
					t.Errorf("%d workers do %d of work, the row counts %d", workers, report.Work, r.cost.work)
				}
				if report.Elapsed*simulate.Time(workers) < r.cost.work || report.Elapsed < r.cost.span {
					t.Errorf("%d workers are done after %d, which is impossible: the row is %+v", workers, report.Elapsed, r.cost)
				}
				if workers == 1 {
					one = report.Elapsed
				}
				c := &cell{row: r, workers: workers, Report: report, one: one}
				if got := c.ofBound(); got < least {
					t.Errorf("%d workers reach %.3f of the bound, want %.2f", workers, got, least)
				}
				return c
			}
			perform(1, 0.99)
			perform(16, want.few)
			if testing.Short() && r.answer > 5000 {
				return // it takes long
			}
			if ramp := perform(64, want.many).ramp() / µs; ramp > want.ramp {
				t.Errorf("64 workers are at work after %d µs, want %d", ramp, want.ramp)
			}
		})
	}
}
