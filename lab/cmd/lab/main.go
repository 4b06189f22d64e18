// Command lab checks and measures the repository that it is in. The README of this module describes its subcommands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusInterrupted = 130 // as shells report a process that SIGINT ended
)

// The first signal ends the context, so that work ends in good order; a second one ends the process
// at once.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(lab(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// lab runs the command line and returns the exit status. An error is a line on stderr.
func lab(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:               "lab",
		Short:             "Check and measure the repository of Rouse",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	line := strings.Join(append([]string{"go -C lab run ./cmd/lab"}, args...), " ")
	root.AddCommand(benchCommand(line), predictCommand(), conformCommand(), mutantsCommand(), releaseCommand(), docsCommand(), typesCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return statusOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "lab: interrupted")
		return statusInterrupted
	default:
		fmt.Fprintln(stderr, "lab:", err)
		return statusFailed
	}
}
