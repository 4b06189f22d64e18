package modules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Check is one thing that must hold. Run returns an error that says what
// does not.
type Check struct {
	Name string
	Run  func(context.Context) error
}

// Checks returns every check of the workspace, the quick ones first. They write below the folder
// dir, which is theirs.
func (ws *Workspace) Checks(dir string) []Check {
	var all []Check
	for _, m := range ws.Modules {
		all = append(all, Check{"arrows " + m.Name, func(context.Context) error { return ws.checkArrows(m) }})
	}
	all = append(all, Check{"arrows outside the workspace", func(context.Context) error { return ws.checkOutside() }})
	for _, m := range ws.Modules {
		for _, c := range [][]string{
			{"mod", "tidy", "-diff"},
			{"build", "./..."},
			{"vet", "./..."},
		} {
			all = append(all, Check{strings.Join(c, " ") + " in " + m.Name, func(ctx context.Context) error {
				_, err := run(ctx, m.Dir, alone, c...)
				return err
			}})
		}
		// The other tests run in the workspace: the sources are the same.
		all = append(all, Check{"examples in " + m.Name, func(ctx context.Context) error {
			dirs, err := withExamples(m.Dir)
			if err != nil || len(dirs) == 0 {
				return err
			}
			_, err = run(ctx, m.Dir, alone, append([]string{"test", "-run=^Example"}, dirs...)...)
			return err
		}})
	}
	for _, m := range ws.Modules {
		if !arrows[m.Name].free {
			all = append(all, Check{"consumer of " + m.Name, func(ctx context.Context) error { return ws.checkConsumer(ctx, dir, m) }})
		}
	}
	return all
}

// withExamples returns the folders of the module in dir whose tests have examples.
func withExamples(dir string) (dirs []string, err error) {
	err = goFiles(dir, func(path string) error {
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if at := filepath.Dir(path); bytes.Contains(text, []byte("\nfunc Example")) && !slices.Contains(dirs, at) {
			dirs = append(dirs, at)
		}
		return err
	})
	return dirs, err
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
