package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/scale/predict"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/columns"
)

// predictFlags are what the user of lab predict asks for.
type predictFlags struct {
	predict.Order
	asJSON bool
}

func predictCommand() *cobra.Command {
	var flags predictFlags
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Predict by simulation how the pool scales on machines that are not here",
		Long: `Predict runs the code that ships on virtual processors, and prints speed-ups,
and what limits them. It first validates the simulator by what was measured on a
real machine, and says nothing if that is off.

It builds a program with the build tag explore, which the simulator needs. The
whole report takes long, with --brief some minutes, with --quick much less. These
two validate the simulator by the workloads that they predict.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPredict(cmd.Context(), flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.Machine, "machine", "one-socket-64", "one of "+strings.Join(simulate.Machines(), ", "))
	f.StringVar(&flags.MachineFile, "machine-file", "", "the machine that this file describes, in place of --machine")
	cmd.MarkFlagsMutuallyExclusive("machine", "machine-file")
	f.IntSliceVar(&flags.Workers, "workers", nil, "these numbers of workers (default 1, 2, 4 and so on up to the processors of the machine)")
	f.StringSliceVar(&flags.Workloads, "workload", nil, "only these workloads (default all)")
	f.StringVar(&flags.Sleep, "sleep", "jec", "the sleep backend of the pools: jec or futex")
	f.BoolVar(&flags.Quick, "quick", false, "a first look: small sizes, speed-ups only")
	f.BoolVar(&flags.asJSON, "json", false, "everything in JSON")
	f.BoolVar(&flags.Brief, "brief", false, "speed-ups only")
	return cmd
}

// plan says what to predict, or what is wrong with the flags.
func (f *predictFlags) plan() (*predict.Plan, error) {
	workers, err := checkWorkers(f.Workers)
	if err != nil {
		return nil, err
	}
	f.Workers = workers
	return f.Plan()
}

func runPredict(ctx context.Context, flags predictFlags, stdout, stderr io.Writer) error {
	r, err := predicted(ctx, &flags, stderr)
	if err != nil {
		return err
	}
	if flags.asJSON {
		return r.Write(stdout)
	}
	_, err = io.WriteString(stdout, r.Text(columns.Width(stdout)))
	return err
}

// predicted makes a report, and shows on a terminal how far it is.
func predicted(ctx context.Context, flags *predictFlags, stderr io.Writer) (*predict.Report, error) {
	// What is wrong with the flags is known before anything is built.
	plan, err := flags.plan()
	if err != nil {
		return nil, err
	}
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	p := showProgress(stderr, "building", plan.Runs())
	defer p.stop()
	return predict.Child(ctx, ws.Dir, flags.Order, p.watch)
}
