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
	page   string
}

func predictCommand() *cobra.Command {
	var flags predictFlags
	cmd := &cobra.Command{
		Use:   "predict [--page FILE [REPORT.json]...]",
		Short: "Predict by simulation how the pool scales on machines that are not here",
		Long: `Predict runs the code that ships on virtual processors, and prints speed-ups,
what limits them, and rules of thumb. It first validates the simulator by what
was measured on a real machine, and says nothing if that is off.

With --page it writes a page with plots, too. Reports that it has printed before
with --json are shown beside each other: then it predicts nothing.

It builds a program with the build tag explore, which the simulator needs. The
whole report takes long, with --brief some minutes, with --quick much less. These
two validate the simulator by the workloads that they predict.`,
		RunE: func(cmd *cobra.Command, reports []string) error {
			if len(reports) > 0 {
				if err := onlyPage(cmd, reports); err != nil {
					return err
				}
				return showReports(flags.page, reports)
			}
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
	f.StringVar(&flags.page, "page", "", "write a page with plots to this file, too; of the reports if some are given")
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
	if flags.page != "" {
		// What is wrong with the flags leaves no file behind.
		if _, err := flags.plan(); err != nil {
			return err
		}
		if err := checkWritable(flags.page); err != nil {
			return err
		}
	}
	r, err := predicted(ctx, &flags, stderr)
	if err != nil {
		return err
	}
	// The page first: the reader of the rest may close the pipe before the end.
	if flags.page != "" {
		if err := writePredictions(flags.page, []predict.Labelled{{Label: r.Machine + ", " + r.Sleep, Report: r}}); err != nil {
			return err
		}
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
	return predict.Child(ctx, ws.Dir, flags.Order, func(doing string, done int) {
		p.doing.Store(doing)
		p.files.Store(int64(done))
	})
}
