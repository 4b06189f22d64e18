// Command lab checks and measures the repository that it is in. The README of this module describes its subcommands.
package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/tools/pick"
)

func main() { pick.Main(lab) }

// lab runs the command line and returns the exit status.
func lab(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:               "lab",
		Short:             "Check and measure the repository of Rouse",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	line := strings.Join(append([]string{"go -C lab run" + guided() + " ./cmd/lab"}, args...), " ")
	root.AddCommand(benchCommand(line), scaleCommand(line), predictCommand(), explorersCommand(), waitsCommand(line), restCommand(), conformCommand(), mutantsCommand(), releaseCommand(), docsCommand(), typesCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return pick.Status("lab", root.ExecuteContext(ctx), stderr)
}
