package predict_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/predict"
)

func report() *predict.Report {
	return &predict.Report{
		Title: "predicted by simulation, not measured: by hand", Sleep: "jec",
		Checks: []predict.Check{
			{Name: "digest", What: "the same", OK: true},
			{Name: "many callers", What: "simulated 3.00, measured 2.00", Advisory: true},
			{Name: "few callers", What: "skipped: not measured", Skipped: true},
		},
		Cells: []predict.Cell{
			{Workload: "fib", About: "many calls", Workers: 1, Low: 0.5, Base: 0.6, High: 0.7, Bound: 1, Limit: predict.Fork, OfBound: 1.01, Ramp: 12},
			{
				Workload: "fib", About: "many calls", Workers: 64, Low: 10, Base: 20, High: 30, Bound: 63.5, Limit: predict.Ramp, OfBound: 0.525, Ramp: 123_456,
				Hottest: []predict.HotLine{{Name: "Worker.wanted", Share: 0.125}, {Name: "Pool.cold", Share: 0.001}},
			},
		},
	}
}

// The first line says that nothing was measured; what is off is said before the
// numbers; each number is beside its bound and the word for what limits it.
func TestText(t *testing.T) {
	got := report().Text(0)
	if !strings.HasPrefix(got, "predicted by simulation, not measured") {
		t.Errorf("the first line does not say so:\n%s", got)
	}
	for _, want := range []string{
		"1 of 2 checks of the simulator hold, 1 skipped\n  off: many callers: simulated 3.00, measured 2.00\n  few callers: skipped: not measured\n",
		"fib             1  0.50×  0.60×  0.70×   1.00×      1.01  12.0 ns   fork\n",
		"               64  10.0×  20.0×  30.0×   63.5×      0.53   123 µs   ramp\n",
		"fib       Worker.wanted 12%       64\n",
		"fib: many calls\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Pool.cold") {
		t.Errorf("a line that costs next to nothing is named:\n%s", got)
	}
}

// The numbers of workers are those up to the processors of the model.
func TestOrderDefaults(t *testing.T) {
	plan, err := (&predict.Order{Machine: "one-socket-64", Sleep: "jec"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(plan.Workers); n != 7 || plan.Workers[0] != 1 || plan.Workers[6] != 64 {
		t.Errorf("workers %v, want 1, 2, 4 and so on up to 64", plan.Workers)
	}
	if len(plan.Rows) != len(scale.Names()) {
		t.Errorf("%d rows", len(plan.Rows))
	}
}
