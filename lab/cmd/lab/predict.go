package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/scale/predict"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
)

func predictCommand() *cobra.Command {
	var order predict.Order
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Predict by simulation how the pool scales on machines that are not here",
		Long: `Predict runs the code that ships on virtual processors, and prints speed-ups,
and what limits them. It first validates the simulator by what was measured on a
real machine of the workloads that it predicts, and says nothing if that is off.

The simulator needs a build with the tag explore. The whole report takes some
minutes, with --quick much less.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPredict(cmd.Context(), order, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&order.Machine, "machine", "one-socket-64", "one of "+strings.Join(simulate.Machines(), ", "))
	f.IntSliceVar(&order.Workers, "workers", nil, "these numbers of workers (default 1, 2, 4 and so on up to the processors of the machine)")
	f.StringSliceVar(&order.Workloads, "workload", nil, "only these workloads (default all)")
	f.StringVar(&order.Sleep, "sleep", "jec", "the sleep backend of the pools: jec or futex")
	f.BoolVar(&order.Quick, "quick", false, "a first look: small sizes")
	return cmd
}

// runPredict predicts, and shows on a terminal how far it is.
func runPredict(ctx context.Context, order predict.Order, stdout, stderr io.Writer) (err error) {
	if order.Workers, err = pick.Workers(order.Workers, mostWorkers); err != nil {
		return err
	}
	plan, err := order.Plan()
	if err != nil {
		return err
	}
	p := progress.Show(stderr, "", plan.Runs())
	plan.Watch = p.Watch
	r, err := plan.Run(ctx)
	p.Stop()
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, r.Text(columns.Width(stdout)))
	return err
}
