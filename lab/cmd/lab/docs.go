package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/docs"
)

func docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "docs",
		Short: "Check that what the documentation points at exists",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			findings, err := docs.Check(ws.Dir)
			if err != nil {
				return err
			}
			for _, f := range findings {
				fmt.Fprintln(cmd.OutOrStdout(), f)
			}
			if len(findings) > 0 {
				return fmt.Errorf("%d findings", len(findings))
			}
			return nil
		},
	}
}
