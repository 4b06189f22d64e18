package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/conform"
	"github.com/rouse-go/rouse/lab/mutants"
)

func conformCommand() *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Explore every scenario, and try every mutant: some minutes",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ws, err := workspace()
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "exploring every scenario: some minutes")
			results, err := conform.Explore(cmd.Context(), ws.Dir, full)
			if err := conform.WriteTable(cmd.OutOrStdout(), results); err != nil {
				return err
			}
			if err == nil && !full {
				err = conform.Deep(results, mutants.Mutants())
			}
			if err != nil {
				return err
			}
			return judge(cmd, ws.Dir, mutants.Mutants(), mutants.Options{Search: full, Explored: conform.Sizes(results)})
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "explore as deep as is feasible")
	return cmd
}
