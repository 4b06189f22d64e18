package sleeps_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/lab/bench/sleeps"
)

func TestCondvar(t *testing.T) {
	conformance.TestSleep(t, sleeps.NewCondvar, conformance.WithSynctest())
}

// A backend that spins keeps every rule but the one that sleepers use no
// processor time. The suite may say so, and nothing else.
func TestSpin(t *testing.T) {
	if os.Getenv("SPIN_SUITE") != "" {
		conformance.TestSleep(t, sleeps.NewSpin)
		return
	}
	suite := func(args ...string) (out string, ok bool) {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append(args, "-test.v=false")...)
		cmd.Env = append(os.Environ(), "SPIN_SUITE=1")
		b, err := cmd.CombinedOutput()
		return string(b), err == nil
	}
	short := "-test.short=" + map[bool]string{true: "true", false: "false"}[testing.Short()]
	if out, ok := suite(short, "-test.run=^TestSpin$", "-test.skip=^TestSpin$/^Rest$"); !ok {
		t.Errorf("without the test of rest:\n%s", out)
	}
	// On a busy machine sleepers get too little of the processors to be noticed.
	if out, ok := suite("-test.run=^TestSpin$/^Rest$"); !ok && (!strings.Contains(out, "S8") || strings.Contains(out, "S7")) {
		t.Errorf("the test of rest fails by more than S8:\n%s", out)
	}
}
