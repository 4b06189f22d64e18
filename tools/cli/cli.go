// Package cli has what rouse and examples/cluster share as commands: how they read arguments, how they
// end, what they may print, and how they show progress.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
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

// Parse sets the flags and returns the arguments, which may stand before, between and after them. The
// argument that follows "--" is never a flag. It prints nothing.
func Parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	flags.SetOutput(io.Discard) // The error says all, in one line.
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// Status returns the exit status of a command that returned err, and prints err in one line.
func Status(name string, err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, name+": interrupted")
		return StatusInterrupted
	}
	fmt.Fprintf(stderr, "%s: %s\n", name, Printable(err.Error()))
	return StatusFailed
}

// unquoted undoes what is harmless of strconv.Quote.
var unquoted = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// Printable returns s with escapes, as in Go source, in place of all that a terminal may take for
// a command. A name of a file may have it.
func Printable(s string) string {
	q := strconv.Quote(s)
	return unquoted.Replace(q[1 : len(q)-1])
}
