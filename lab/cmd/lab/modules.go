package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/modules"
)

func modulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "modules",
		Short: "Check that each module of the workspace can be used alone",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "rouse-modules-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			checks, failed := ws.Checks(dir), 0
			for _, c := range checks {
				start := time.Now()
				err := c.Run(cmd.Context())
				if errors.Is(err, context.Canceled) {
					return err
				}
				verdict := "ok  "
				if err != nil {
					verdict = "FAIL"
					failed++
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %6.1fs  %s\n", verdict, time.Since(start).Seconds(), c.Name)
				if err != nil {
					fmt.Fprintf(cmd.OutOrStdout(), "\t%s\n", strings.ReplaceAll(err.Error(), "\n", "\n\t"))
				}
			}
			if failed > 0 {
				return fmt.Errorf("%d of %d checks failed", failed, len(checks))
			}
			return nil
		},
	}
}

// workspace returns the one that is in force, and keeps it so for the go commands that follow,
// in whatever folder: the workspace of the root has no lab.
func workspace(ctx context.Context) (*modules.Workspace, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOWORK")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOWORK: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == "off" {
		return nil, errors.New("not in a workspace: no go.work file here or above")
	}
	if err := os.Setenv("GOWORK", file); err != nil {
		return nil, err
	}
	return modules.Load(file)
}
