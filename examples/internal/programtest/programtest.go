// Package programtest is what the tests of the examples share.
package programtest

import (
	"context"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/internal/program"
)

// A run is the main function of a program.
type run = func(context.Context, *program.Call) error

// Try calls a program with an empty input, and returns what it writes.
func Try(ctx context.Context, run run, args ...string) (out, log string, err error) {
	var o, l strings.Builder
	err = run(ctx, program.New("program", args, strings.NewReader(""), &o, &l))
	return o.String(), l.String(), err
}

// Refuses checks that the program refuses each line of arguments, with an error that has the
// text beside it.
func Refuses(t *testing.T, run run, lines map[string]string) {
	t.Helper()
	for line, want := range lines {
		if _, _, err := Try(t.Context(), run, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("arguments %q: error %v, want one with %q", line, err, want)
		}
	}
}

// Each runs a test with each version of what the program does.
func Each[F any](t *testing.T, rouse, plain F, f func(t *testing.T, version F)) {
	t.Run("rouse", func(t *testing.T) { f(t, rouse) })
	t.Run("plain", func(t *testing.T) { f(t, plain) })
}

// Canceled is a context that has ended.
func Canceled(cause error) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	return ctx
}
