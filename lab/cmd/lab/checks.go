package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/docs"
	"github.com/rouse-go/rouse/lab/elsewhere"
	"github.com/rouse-go/rouse/lab/modules"
)

// checkCommand is a command that checks something of the workspace around the current directory,
// and prints what it finds.
func checkCommand(use, short string, args cobra.PositionalArgs, run func(ctx context.Context, ws *modules.Workspace, out io.Writer, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		ws, err := workspace(cmd.Context())
		if err != nil {
			return err
		}
		return run(cmd.Context(), ws, cmd.OutOrStdout(), args)
	}}
}

func docsCommand() *cobra.Command {
	return checkCommand("docs", "Check that what the documentation points at exists", cobra.NoArgs,
		func(_ context.Context, ws *modules.Workspace, out io.Writer, _ []string) error {
			findings, err := docs.Check(ws.Dir)
			if err != nil {
				return err
			}
			for _, f := range findings {
				fmt.Fprintln(out, f)
			}
			if len(findings) > 0 {
				return fmt.Errorf("%d findings", len(findings))
			}
			return nil
		})
}

func typesCommand() *cobra.Command {
	return checkCommand("types PLATFORM...", "Check the types of all packages for other platforms, such as darwin/arm64", cobra.MinimumNArgs(1),
		func(ctx context.Context, ws *modules.Workspace, out io.Writer, platforms []string) error {
			for _, platform := range platforms {
				start := time.Now()
				if err := elsewhere.Types(ctx, ws.Dir, platform, "work"); err != nil {
					return err
				}
				fmt.Fprintf(out, "ok  %5.1fs  %s\n", time.Since(start).Seconds(), platform)
			}
			return nil
		})
}

func modulesCommand() *cobra.Command {
	return checkCommand("modules", "Check that each module of the workspace can be used alone", cobra.NoArgs, checkModules)
}

func checkModules(ctx context.Context, ws *modules.Workspace, out io.Writer, _ []string) (err error) {
	dir, err := os.MkdirTemp("", "rouse-modules-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	checks, failed := ws.Checks(dir), 0
	for _, c := range checks {
		start := time.Now()
		err := c.Run(ctx)
		if errors.Is(err, context.Canceled) {
			return err
		}
		verdict, why := "ok  ", ""
		if err != nil {
			verdict, why = "FAIL", "\t"+strings.ReplaceAll(err.Error(), "\n", "\n\t")+"\n"
			failed++
		}
		fmt.Fprintf(out, "%s %6.1fs  %s\n%s", verdict, time.Since(start).Seconds(), c.Name, why)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(checks))
	}
	return nil
}

// workspace returns the one that is in force. It stays in force for the go commands that follow,
// in whatever folder: the workspace of the root does not have lab.
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
