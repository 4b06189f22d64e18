package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/lab/elsewhere"
	"github.com/rouse-go/rouse/lab/modules"
)

func elsewhereCommand() *cobra.Command {
	var full, install, prepare bool
	cmd := &cobra.Command{
		Use:   "elsewhere [MACHINE]...",
		Short: "Run the tests for other platforms, under emulation",
		Long:  elsewhereHelp(),
		RunE: func(cmd *cobra.Command, names []string) error {
			machines, err := elsewhere.Select(names)
			if err != nil {
				return err
			}
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			if len(names) == 0 {
				machines = elsewhere.ByDefault(full)
			}
			if missing := elsewhere.Missing(machines); (install || prepare) && len(missing) > 0 {
				if err := elsewhere.Install(cmd.Context(), missing); err != nil {
					return err
				}
			}
			if prepare {
				return nil
			}
			return testAll(cmd.Context(), machines, ws, full, cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "all tests at their full length, and all machines if none is named")
	cmd.Flags().BoolVar(&install, "install", false, "first install what is missing from Debian's packages")
	cmd.Flags().BoolVar(&prepare, "prepare", false, "install that, and run nothing")
	return cmd
}

// testAll runs the tests on each machine, and prints what that does when it has ended. Two
// run at a time: the processors of a machine are one, or wait for each other.
func testAll(ctx context.Context, machines []elsewhere.Machine, ws *modules.Workspace, full bool, out io.Writer) error {
	var printing sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, m := range machines {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			start := time.Now()
			var said bytes.Buffer
			err := m.Test(ctx, ws, full, &said)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			printing.Lock()
			defer printing.Unlock()
			fmt.Fprintf(out, "%s, under %s: %.0f s\n%s", m.Name, m.Under, time.Since(start).Seconds(), said.String())
			return err
		})
	}
	return g.Wait()
}

func elsewhereHelp() string {
	help := `Elsewhere runs the tests of the workspace around the current directory for
platforms that this one is not. It runs the short ones on the machines with a
star unless told otherwise, two machines at a time, and ends with the first one
that fails.

Machines:
`
	for _, m := range elsewhere.Machines {
		star := ' '
		if m.Always {
			star = '*'
		}
		help += fmt.Sprintf("  %c %-8s under %s\n", star, m.Name, m.Under)
	}
	return help
}
