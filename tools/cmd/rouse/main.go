// Command rouse shows the Rouse pool at work. The README of this module describes its subcommands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the work in good order, a second one at once.
	context.AfterFunc(ctx, stop)
	os.Exit(rouse(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusInterrupted = 130 // as shells report a process that SIGINT ended
)

// rouse runs the command line and returns the exit status.
func rouse(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:               "rouse",
		Short:             "Show the Rouse pool at work",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.AddCommand(runCommand(), restCommand(), waitsCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)

	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "rouse: interrupted")
		return statusInterrupted
	}
	fmt.Fprintln(stderr, "rouse:", err)
	return statusFailed
}
