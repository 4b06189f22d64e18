package main

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/docs"
	"github.com/rouse-go/rouse/lab/elsewhere"
	"github.com/rouse-go/rouse/lab/modules"
)

// A workspaceCommand runs in the workspace around the current directory.
type workspaceCommand func(ctx context.Context, ws *modules.Workspace, out io.Writer, args []string) error

func (run workspaceCommand) command(use, short string, args cobra.PositionalArgs) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		ws, err := workspace()
		if err := errors.Join(err, cmd.Context().Err()); err != nil {
			return err
		}
		return run(cmd.Context(), ws, cmd.OutOrStdout(), args)
	}}
}

func docsCommand() *cobra.Command {
	return workspaceCommand(func(_ context.Context, ws *modules.Workspace, out io.Writer, _ []string) error {
		err := docs.Check(ws.Dir)
		if found, ok := err.(scanner.ErrorList); ok {
			scanner.PrintError(out, found)
			return fmt.Errorf("%d findings", len(found))
		}
		return err
	}).command("docs", "Check that what the documentation points at exists", cobra.NoArgs)
}

func typesCommand() *cobra.Command {
	return workspaceCommand(func(ctx context.Context, ws *modules.Workspace, out io.Writer, platforms []string) error {
		var all []modules.Check
		for _, p := range platforms {
			all = append(all, modules.Check{Name: p, Run: func(ctx context.Context) error { return elsewhere.Types(ctx, ws.Dir, nil, p, "work") }})
		}
		return pass(ctx, out, all)
	}).command("types PLATFORM...", "Check the types of all packages for other platforms, such as darwin/arm64", cobra.MinimumNArgs(1))
}

func releaseCommand() *cobra.Command {
	var o modules.Options
	cmd := workspaceCommand(func(ctx context.Context, ws *modules.Workspace, out io.Writer, args []string) (err error) {
		o.Version = strings.Join(args, "")
		dir, err := os.MkdirTemp("", "rouse-release-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		r, err := ws.NewRelease(ctx, dir, o)
		if err != nil {
			return err
		}
		for _, step := range r.Checks() {
			if err := pass(ctx, out, step); err != nil {
				return err
			}
		}
		if o.Tag {
			fmt.Fprintf(out, "The tags of %s are made, and none is pushed. To do so:\n\n\tgit push --atomic origin %s\n", r.Version, strings.Join(r.Tags, " "))
		}
		return nil
	}).command("release [VERSION]", "Make the modules of a version and check each alone; without VERSION, rehearse the next one", cobra.MaximumNArgs(1))
	cmd.Flags().BoolVar(&o.Tag, "tag", false, "make the tags, if all is well")
	return cmd
}

// pass runs all checks, and prints how each ended, after what time.
func pass(ctx context.Context, out io.Writer, checks []modules.Check) error {
	failed := 0
	for _, c := range checks {
		start := time.Now()
		err := c.Run(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
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

// workspace returns that of the checkout around the current directory. Its go.work file with all modules is
// in force for the go commands that follow, in whatever folder: that of the root does not have lab.
func workspace() (*modules.Workspace, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "lab", "go.work")
		if _, err := os.Stat(file); err == nil {
			if err := os.Setenv("GOWORK", file); err != nil {
				return nil, err
			}
			return modules.Load(dir)
		}
		if filepath.Dir(dir) == dir {
			return nil, errors.New("not in a checkout of Rouse: there is no lab/go.work here or above")
		}
	}
	return nil, err
}
