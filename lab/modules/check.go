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

// A Check is one thing that must hold. Run returns an error that says what
// does not.
type Check struct {
	Name string
	Run  func(context.Context) error
}

// Checks returns every check of the workspace, the quick ones first.
func (ws *Workspace) Checks() []Check {
	var all []Check
	for _, m := range ws.Modules {
		all = append(all, Check{"arrows " + m.Name, func(context.Context) error { return ws.checkArrows(m) }})
	}
	for _, m := range ws.Modules {
		for _, c := range [][]string{
			{"mod", "tidy", "-diff"},
			{"build", "./..."},
			{"vet", "./..."},
			// Alone the sources are the same: what other tests say, they say in the workspace.
			{"test", "-run=^Example", "./..."},
		} {
			all = append(all, Check{strings.Join(c, " ") + " in " + m.Name, func(ctx context.Context) error {
				_, err := run(ctx, m.Dir, alone, c...)
				return err
			}})
		}
	}
	for _, m := range ws.Modules {
		if !arrows[m.Name].free {
			all = append(all, Check{"consumer of " + m.Name, func(ctx context.Context) error { return ws.checkConsumer(ctx, m) }})
		}
	}
	return all
}

// alone is the environment in which a module knows nothing of its siblings
// but what its go.mod says.
var alone = []string{"GOWORK=off", flags("-buildvcs=false")}

// flags adds to the user's flags of the go command: with others all would be built anew.
func flags(more string) string { return "GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+more) }

// run runs the go command in dir, and returns what it printed. The error
// includes that.
func run(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
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
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return text, err
}
