package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/predict"
)

// A mistake is found before anything is built, and gets what there is.
func TestPredictMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("# mine\n\ncoffee 1 2 3 ns none\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, says string }{
		{"--machine coffee", `unknown machine "coffee"; there are: `},
		{"--machine coffee", "one-socket-64"},
		{"--machine-file " + file, file + ":3: "},
		{"--machine-file gone", "gone"},
		{"--machine this-2 --machine-file " + file, "[machine machine-file] were all set"},
		{"--workload coffee", `unknown workload "coffee"; there are: ` + strings.Join(scale.Names(), ", ")},
		{"--workers 0", "--workers is 0, must be 1 to 256"},
		{"--workers 8,257", "--workers is 257, must be 1 to 256"},
		{"--workers many", `invalid argument "many"`},
		{"--sleep futex-goroutine", `unknown sleep backend "futex-goroutine"; there are: jec, futex`},
		{"here", "here"},
	} {
		got := do(t, append([]string{"predict"}, strings.Fields(test.args)...)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("lab predict %s: %+v, want a line with %q", test.args, got, test.says)
		}
	}
}

// Ctrl-C ends it, also while it builds.
func TestPredictInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := doContext(ctx, "predict", "--quick", "--machine", predict.Calibrated); got.status != statusInterrupted || got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

// The whole way: the command builds the simulation, validates, simulates, and
// prints a report whose first line says that nothing was measured.
func TestPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program, and validates the simulator")
	}
	got := do(t, "predict", "--quick", "--machine", "one-socket-64", "--workload", "tree", "--workers", "1,8")
	if got.status != statusOK {
		t.Fatalf("%+v", got)
	}
	if !strings.HasPrefix(got.stdout, "predicted by simulation, not measured: the code that ships, on the model one-socket-64 of 64 processors, calibrated on ") {
		t.Errorf("the first line does not say so:\n%s", got.stdout)
	}
	for _, want := range []string{"\ntree            1 ", "\n                8 ", "checks of the simulator hold"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}
