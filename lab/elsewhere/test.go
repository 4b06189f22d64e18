package elsewhere

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/modules"
)

// Test runs the tests of the workspace on the machine. What go test prints goes
// to out. Without full it leaves out what is long, what other tests show as well,
// and the tests of the suite itself.
//
// It returns an error if a test fails, if the machine does not start, or if
// something that it needs is missing.
func (m Machine) Test(ctx context.Context, ws *modules.Workspace, full bool, out io.Writer) (err error) {
	if missing := Missing([]Machine{m}); len(missing) > 0 {
		return fmt.Errorf("%s needs %s; --install installs Debian packages", m.Name, missing)
	}
	dir, err := os.MkdirTemp("", "rouse-"+m.Name+"-")
	if err != nil {
		return err
	}
	defer func() {
		if e := os.RemoveAll(dir); err == nil {
			err = e
		}
	}()
	s, err := m.start(ctx, dir)
	if s.stop != nil {
		defer s.stop()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}

	cmd := exec.CommandContext(ctx, "go", m.arguments(ws, s, full)...)
	cmd.Dir = ws.Dir
	cmd.Env = append(append(append(os.Environ(), "CGO_ENABLED=0"), m.env...), s.env...)
	cmd.Stdout, cmd.Stderr = out, out
	// The go command passes an interrupt on to what it runs.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: go test: %w", m.Name, err)
	}
	return nil
}

// arguments returns those of the go command.
func (m Machine) arguments(ws *modules.Workspace, s session, full bool) []string {
	// The test cache does not know in what the emulator differs today. What vet finds it
	// finds on this platform.
	args := []string{"test", "-vet=off", "-count=1", "-timeout=30m", "-exec=" + s.exec}
	var skip []string
	if m.skip != "" {
		skip = append(skip, m.skip)
	}
	if !full {
		args = append(args, "-short", "-tags=nohttp")
		skip = append(skip, twice()...)
	}
	if skip != nil {
		args = append(args, "-skip="+strings.Join(skip, "|"))
	}
	for _, module := range ws.Modules {
		switch pattern := module.Path + "/..."; {
		case module.Name == "lab" || module.Name == "examples" || module.Name == "tools" || strings.HasPrefix(module.Name, "tools/"):
			// Those work on the repository, or start the go command and other programs, on
			// the host.
		case !full && slices.Contains(m.without, module.Name):
		case module.Name == "conformance" && !full:
			// The suite, and what runs its subtests.
			args = append(args, module.Path, module.Path+"/internal/harness")
		default:
			args = append(args, pattern)
		}
	}
	return args
}
