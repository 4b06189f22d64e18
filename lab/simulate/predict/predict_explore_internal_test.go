//go:build explore

package predict

import (
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
)

// The pool shares the work of each row among 16 workers, and has 64 at work within 0.08 ms.
// What is asked for is a little less than what comes out: a change that fails here makes
// pools on many processors slower, or makes them start more slowly.
func TestScales(t *testing.T) {
	for name, want := range map[string]struct {
		share float64 // of bound, with 16 workers
		ramp  bool
	}{
		"fib": {0.48, true}, "tree": {0.6, true}, "flat": {0.9, true}, "scope": {0.9, true},
		"spawns": {0.8, true}, "loop": {0.8, false}, "submit": {0.24, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := Plan{Sleep: "futex"}, made(t, name)[0]
			perform := func(workers int) *cell {
				report, err := p.perform(t.Context(), r, workers, simulate.Base)
				if err != nil {
					t.Fatal(err)
				}
				if report.Work != r.cost.work {
					t.Errorf("%d workers do %d of work, the row counts %d", workers, report.Work, r.cost.work)
				}
				if least := r.cost.work / simulate.Time(max(workers, 8)); report.Elapsed < max(least, r.cost.span) {
					t.Errorf("%d workers are done after %d, faster than the work and the span allow", workers, report.Elapsed)
				}
				return &cell{row: r, workers: workers, Report: report}
			}
			many := perform(16)
			many.one = perform(1).Elapsed
			if got := many.ofBound(); got < want.share {
				t.Errorf("16 workers reach %.3f of the bound, want %.2f", got, want.share)
			}
			t.Logf("%.3f of the bound", many.ofBound())
			if !want.ramp || testing.Short() && name != "scope" {
				return
			}
			ramp := perform(64).ramp()
			if ramp > 80*µs {
				t.Errorf("64 workers are at work after %d µs, want 80", ramp/µs)
			}
			t.Logf("ramp %d µs", ramp/µs)
		})
	}
}
