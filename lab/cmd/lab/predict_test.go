package main

import (
	"context"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale/predict"
)

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
