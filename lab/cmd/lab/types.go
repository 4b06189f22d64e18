package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/elsewhere"
)

func typesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "types PLATFORM...",
		Short: "Check the types of all packages for other platforms",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, platforms []string) error {
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			for _, platform := range platforms {
				start := time.Now()
				if err := elsewhere.Types(cmd.Context(), ws.Dir, platform, "work"); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "ok  %5.1fs  %s\n", time.Since(start).Seconds(), platform)
			}
			return nil
		},
	}
}
