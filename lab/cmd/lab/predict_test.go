package main

import (
	"strings"
	"testing"
)

// Without the simulator there is no prediction, and the error says what is missing.
func TestPredictUnavailable(t *testing.T) {
	if got := do(t, "predict", "--quick"); got.status != statusFailed || got.stdout != "" || !strings.Contains(got.stderr, "build with -tags explore") {
		t.Errorf("%+v", got)
	}
}
