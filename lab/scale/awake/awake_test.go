package awake_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/lab/scale/awake"
)

const spinning = "ROUSE_TEST_SPIN"

// The test binary is also the process that spins.
func TestMain(m *testing.M) {
	if os.Getenv(spinning) != "" {
		if err := awake.Spin(os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// The processes begin, and end when they are told to.
func TestKeep(t *testing.T) {
	t.Setenv(spinning, "1")
	stop, err := awake.Keep(t.Context(), 2, os.Args[0])
	if runtime.GOOS != "linux" {
		if !errors.Is(err, awake.ErrUnsupported) {
			t.Fatalf("Keep on %s: %v, want %v", runtime.GOOS, err, awake.ErrUnsupported)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	stop()
}

// A command that does not spin is an error that says what it did.
func TestKeepOfAnotherCommand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it is an error anyway")
	}
	if stop, err := awake.Keep(t.Context(), 1, "true"); err == nil {
		stop()
		t.Error("Keep accepts a command that ends at once")
	}
	if stop, err := awake.Keep(t.Context(), 1, "no such command"); err == nil {
		stop()
		t.Error("Keep accepts a command that does not exist")
	}
}
