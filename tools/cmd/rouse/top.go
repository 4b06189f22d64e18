package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/rouse-go/rouse/tools/cli"
)

// Top is a command of its own, since it needs net/http: all who type rouse run for the first time would
// wait until that is compiled.
const topCommand = "rouse-top"

// top runs the other command, and returns its exit status. A terminal sends its signals to both.
func top(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := exec.CommandContext(ctx, topCommand, args...)
	c.Stdout, c.Stderr = stdout, stderr
	c.Cancel, c.WaitDelay = func() error { return os.ErrProcessDone }, time.Second
	err := c.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && ended.Exited() {
		return ended.ExitCode()
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("there is no command %s: go install github.com/rouse-go/rouse/tools/cmd/%[1]s@latest, or in a checkout go run ./tools/cmd/%[1]s URL", topCommand)
	}
	return cli.Status("rouse top", err, stderr)
}
