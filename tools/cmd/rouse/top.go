package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rouse-go/rouse/tools/cli"
)

// Top is a command of its own, since it needs net/http: all who type rouse run for the first time would
// wait until that is compiled.
const topCommand = "rouse-top"

// top runs the other command, which lies beside this one or in PATH, and returns its exit status.
func top(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	path, err := findTop()
	if err != nil {
		return cli.Status("rouse top", err, stderr)
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Stdout, c.Stderr = stdout, stderr
	c.Cancel = func() error { // a terminal has sent the signal to both; who else did, did not
		time.AfterFunc(time.Second, func() { _ = c.Process.Signal(os.Interrupt) })
		return os.ErrProcessDone
	}
	c.WaitDelay = 5 * time.Second
	err = c.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && ended.Exited() {
		return ended.ExitCode()
	}
	return cli.Status("rouse top", err, stderr)
}

func findTop() (path string, err error) {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), topCommand)); err == nil {
			return path, nil
		}
	}
	if path, err = exec.LookPath(topCommand); err != nil {
		return "", fmt.Errorf("there is no command %s: go install github.com/rouse-go/rouse/tools/cmd/%[1]s@latest, or in a checkout go run ./tools/cmd/%[1]s URL", topCommand)
	}
	return path, nil
}
