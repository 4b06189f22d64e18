package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// run runs a command in dir, and returns what it printed. The error includes that.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	// The go command passes an interrupt on to what it runs.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return text, err
}

// flags adds to the user's flags of the go command: with others all would be built anew.
func flags(more string) string { return "GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+more) }

// unreleased is the environment in which a module of the checkout knows nothing of its siblings
// but what its go.mod says.
var unreleased = []string{"GOWORK=off", flags("-buildvcs=false")}
