package predict_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/predict"
	"github.com/rouse-go/rouse/lab/simulate"
)

func report() *predict.Report {
	return &predict.Report{
		Title: "predicted by simulation, not measured: by hand", Machine: "abacus", Processors: 64, Sleep: "jec",
		Checks: []predict.Check{
			{Name: "digest", What: "the same", OK: true},
			{Name: "many callers", What: "simulated 3.00, measured 2.00", Advisory: true},
			{Name: "few callers", What: "skipped: not measured", Skipped: true},
		},
		Cells: []predict.Cell{
			{Workload: "fib", About: "many calls", Workers: 1, Low: 0.5, Base: 0.6, High: 0.7, Bound: 1, Limit: predict.Fork, OfBound: 1.01, Ramp: 12},
			{
				Workload: "fib", About: "many calls", Workers: 64, Low: 10, Base: 20, High: 30, Bound: 63.5, Limit: predict.Ramp, OfBound: 0.525, Ramp: 123_456,
				Hottest: []predict.HotLine{{Name: "Worker.wanted", Misses: 7, Share: 0.125}, {Name: "Pool.cold", Misses: 1, Share: 0.001}},
			},
		},
		Assumptions: []predict.Assumption{{Workload: "fib", Workers: 64, Constant: "near", Low: 15, Base: 20, High: 22}},
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
		"fib       near             64     20.0×  15.0×  22.0×\n",
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

func TestCell(t *testing.T) {
	r := report()
	if c := r.Cell("fib", 64); c != &r.Cells[1] {
		t.Errorf("got %+v", c)
	}
	if c := r.Cell("fib", 2); c != nil {
		t.Errorf("what was not predicted is found: %+v", c)
	}
}

// The machine of the simulator that fits is the one with the same number of
// processors, or else the nearest.
func TestFit(t *testing.T) {
	for processors, want := range map[int]struct {
		name  string
		exact bool
	}{
		1: {"this-2", false}, 2: {"this-2", true}, 8: {"this-2", false}, 16: {"one-socket-64", false},
		64: {"one-socket-64", true}, 100: {"one-socket-64", false}, 192: {"two-sockets-256", false}, 1000: {"two-sockets-256", false},
	} {
		m, exact, err := predict.Fit(processors)
		if err != nil || m.Name != want.name || exact != want.exact {
			t.Errorf("%d processors: %v, exact %t, error %v; want %s, %t", processors, m, exact, err, want.name, want.exact)
		}
	}
}

// A mistake in a machine's name gets the names there are; one in its file, the
// line.
func TestMachine(t *testing.T) {
	if _, err := predict.Machine("coffee", ""); err == nil || !strings.Contains(err.Error(), `unknown machine "coffee"; there are: `) ||
		!strings.Contains(err.Error(), "one-socket-64") {
		t.Errorf("error %v", err)
	}
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("# mine\ncoffee\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := predict.Machine("this-2", file); err == nil || !strings.Contains(err.Error(), "mine.txt:2: ") {
		t.Errorf("error %v", err)
	}
	if _, err := predict.Machine("", filepath.Join(t.TempDir(), "gone")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	for _, name := range simulate.Machines() {
		if m, err := predict.Machine(name, ""); err != nil || m.Name != name {
			t.Errorf("%s: %v, error %v", name, m, err)
		}
	}
}

func TestChildCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := predict.Child(ctx, t.TempDir(), predict.Order{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A directory without a workspace has no command to build. The error says what
// was tried.
func TestChildWithoutWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "off")
	if _, err := predict.Child(t.Context(), t.TempDir(), predict.Order{}, nil); err == nil || !strings.Contains(err.Error(), "go build -tags=explore") {
		t.Errorf("error %v", err)
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
	if len(plan.Rows) != len(scale.Names()) || plan.Brief {
		t.Errorf("%d rows, brief %t", len(plan.Rows), plan.Brief)
	}
}

// What the program that simulates cannot do is an error that its parent returns.
func TestAnswerMistakes(t *testing.T) {
	for order, says := range map[string]string{
		`{"Machine": "this-2", "Sleep": "jec", "Workloads": ["coffee"]}`: `unknown workload \"coffee\"`,
		`{"Machine": "coffee"}`: `unknown machine \"coffee\"`,
		`coffee`:                "what is to be predicted cannot be read",
		``:                      "what is to be predicted cannot be read",
	} {
		var b bytes.Buffer
		if err := predict.Answer(t.Context(), strings.NewReader(order), &b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.HasPrefix(got, `{"error":`) || !strings.Contains(got, says) {
			t.Errorf("%s: printed %s, want an error with %s", order, got, says)
		}
	}
}
