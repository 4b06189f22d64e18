package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/lab/scale/predict"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
)

// scaleFlags are what the user of lab scale asks for.
type scaleFlags struct {
	workloads []string
	workers   []int
	sleep     string
	repeat    int
	quick     bool
	asJSON    bool
	command   string // that measures the same again
}

func scaleCommand(line string) *cobra.Command {
	flags := scaleFlags{command: line}
	cmd := &cobra.Command{
		Use:   "scale",
		Short: "Measure how the pool scales on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.quick {
				setUnless(cmd, "repeat", &flags.repeat, 3)
			}
			return runScale(cmd.Context(), flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads (default all)")
	f.IntSliceVar(&flags.workers, "workers", nil, "these numbers of workers (default 1, 2, 4 and so on up to GOMAXPROCS)")
	f.StringVar(&flags.sleep, "sleep", "jec", "the sleep backend of the pools")
	f.IntVar(&flags.repeat, "repeat", 15, "how many runs each is measured for")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, few runs")
	f.BoolVar(&flags.asJSON, "json", false, "print a file that can be sent in")
	return cmd
}

// plan says what to measure, or what is wrong with the flags.
func (f *scaleFlags) plan() (*measure.Plan, error) {
	if len(f.workers) == 0 {
		f.workers = predict.Doubling(min(runtime.GOMAXPROCS(0), mostWorkers))
	}
	workers, err := pick.Workers(f.workers, mostWorkers)
	if err != nil {
		return nil, err
	}
	if f.repeat < 1 {
		return nil, fmt.Errorf("--repeat is %d, must be 1 or more", f.repeat)
	}
	sleeps, err := backends.PickSleeps([]string{f.sleep})
	if err != nil {
		return nil, err
	}
	names, err := pick.Named("workload", scale.Names(), itself, f.workloads)
	if err != nil {
		return nil, err
	}
	plan := &measure.Plan{
		Workers: workers, Sleep: sleeps[0], Repeat: f.repeat,
		Sleeping: measure.SleepingWorkers, Shapes: f.workloads,
	}
	size := scale.SizeFor(slices.Max(workers))
	if f.quick {
		size, plan.Sleeping = scale.Quick, measure.SleepingWorkers[:1]
	}
	plan.Rows = scale.Rows(size, names...)
	return plan, nil
}

func itself(s string) string { return s }

// mostWorkers is how many workers the two commands about scaling accept.
const mostWorkers = 256

func runScale(ctx context.Context, flags scaleFlags, stdout, stderr io.Writer) error {
	if simulate.Available {
		return errors.New("this build simulates work and cannot measure: build without -tags explore")
	}
	plan, err := flags.plan()
	if err != nil {
		return err
	}
	p := progress.Show(stderr, "", plan.Runs())
	plan.Watch = p.Watch
	f, err := plan.Run(ctx)
	p.Stop()
	if err != nil {
		return err
	}
	f.Machine, f.Command = measure.ThisMachine(machine.This(ctx)), flags.command
	if flags.asJSON {
		return f.Write(stdout)
	}
	_, err = fmt.Fprintf(stdout, "%s\n%s\n\n%s", f.Machine, f.Command, f.Table(columns.Width(stdout)))
	return err
}

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
