package pick

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit statuses.
const (
	StatusOK          = 0
	StatusFailed      = 1
	StatusInterrupted = 130 // as shells report a process that SIGINT ended
)

// Main runs a command with the arguments of the process, and exits with the status that it
// returns. The first signal ends the context, so that work ends in good order; a second one ends
// the process at once.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) (status int)) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Status returns the exit status of a command that has ended so, and prints the error in a line.
func Status(name string, err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, name+": interrupted")
		return StatusInterrupted
	}
	fmt.Fprintln(stderr, name+":", err)
	return StatusFailed
}
