package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/elsewhere"
	"github.com/rouse-go/rouse/lab/modules"
)

func elsewhereCommand() *cobra.Command {
	var full, install bool
	cmd := &cobra.Command{
		Use:   "elsewhere [MACHINE]...",
		Short: "Run the tests for other platforms, under emulation",
		Long:  elsewhereHelp(),
		RunE: func(cmd *cobra.Command, names []string) error {
			machines, err := elsewhere.Select(names)
			if err != nil {
				return err
			}
			root, err := workspaceRoot(cmd.Context())
			if err != nil {
				return err
			}
			ws, err := modules.Load(root)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				machines = elsewhere.ByDefault(full)
			}
			if missing := elsewhere.Missing(machines); install && len(missing) > 0 {
				if err := elsewhere.Install(cmd.Context(), missing); err != nil {
					return err
				}
			}
			for _, m := range machines {
				start := time.Now()
				fmt.Fprintf(cmd.OutOrStdout(), "%s, under %s\n", m.Name, m.Under)
				if err := m.Test(cmd.Context(), ws, full, cmd.OutOrStdout()); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %.0f s\n", m.Name, time.Since(start).Seconds())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "all tests at their full length, and all machines if none is named")
	cmd.Flags().BoolVar(&install, "install", false, "first install what is missing from Debian's packages")
	return cmd
}

func elsewhereHelp() string {
	help := `Elsewhere runs the tests of the workspace around the current directory for
platforms that this one is not. It runs the short ones on the machines with a
star unless told otherwise, and ends with the first machine that fails.

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
