package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measured"
	"github.com/rouse-go/rouse/lab/scale/predict"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/pick"
)

// predictFlags are what the user of lab predict asks for.
type predictFlags struct {
	machine, machineFile string
	workers              []int
	workloads            []string
	sleep                string
	quick, brief         bool
	asJSON, child        bool
	page                 string
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

It builds itself anew with the build tag explore, which the simulator needs. The
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
	f.StringVar(&flags.machine, "machine", "one-socket-64", "one of "+strings.Join(simulate.Machines(), ", "))
	f.StringVar(&flags.machineFile, "machine-file", "", "the machine that this file describes, in place of --machine")
	cmd.MarkFlagsMutuallyExclusive("machine", "machine-file")
	f.IntSliceVar(&flags.workers, "workers", nil, "these numbers of workers (default 1, 2, 4 and so on up to the processors of the machine)")
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads (default all)")
	f.StringVar(&flags.sleep, "sleep", "jec", "the sleep backend of the pools: jec or futex")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, speed-ups only")
	f.BoolVar(&flags.asJSON, "json", false, "everything in JSON")
	f.BoolVar(&flags.child, "child", false, "print a report, or why there is none, for the command that built this one")
	f.BoolVar(&flags.brief, "brief", false, "speed-ups only")
	f.StringVar(&flags.page, "page", "", "write a page with plots to this file, too; of the reports if some are given")
	_ = f.MarkHidden("child")
	return cmd
}

// plan says what to predict, or what is wrong with the flags.
func (f *predictFlags) plan() (*predict.Plan, error) {
	m, err := predict.Machine(f.machine, f.machineFile)
	if err != nil {
		return nil, err
	}
	if len(f.workers) == 0 {
		f.workers = doubling(m.Processors)
	}
	workers, err := checkWorkers(f.workers)
	if err != nil {
		return nil, err
	}
	sleep, err := simulated(f.sleep)
	if err != nil {
		return nil, err
	}
	names, err := pick.Named("workload", scale.Names(), itself, f.workloads)
	if err != nil {
		return nil, err
	}
	size := scale.SizeFor(slices.Max(workers))
	if f.quick {
		size = scale.Quick
	}
	recorded, err := measured.Load(measured.Calibration)
	if err != nil {
		return nil, err
	}
	of, err := simulate.Load(predict.Calibrated)
	if err != nil {
		return nil, err
	}
	ofSleep, err := simulated(recorded.Sleep)
	if err != nil {
		return nil, err
	}
	return &predict.Plan{
		Machine: m, Rows: scale.Rows(size, names...), Workers: workers, Sleep: sleep, Brief: f.quick || f.brief,
		Recorded: recorded, Of: of, OfSleep: ofSleep,
	}, nil
}

// simulated returns the sleep backend of that name, if it can be simulated.
func simulated(name string) (backends.Sleep, error) {
	var all []backends.Sleep
	for _, s := range backends.Sleeps() {
		if s.Name == "jec" || s.Name == "futex" {
			all = append(all, s)
		}
	}
	found, err := pick.Named("sleep backend", all, func(s backends.Sleep) string { return s.Name }, []string{name})
	if err != nil {
		return backends.Sleep{}, err
	}
	return found[0], nil
}

// args are the flags for the command that simulates.
func (f *predictFlags) args() []string {
	args := []string{"predict", "--child", "--sleep", f.sleep}
	if f.machineFile != "" {
		args = append(args, "--machine-file", f.machineFile)
	} else {
		args = append(args, "--machine", f.machine)
	}
	for _, n := range f.workers {
		args = append(args, "--workers", strconv.Itoa(n))
	}
	if len(f.workloads) > 0 {
		args = append(args, "--workload", strings.Join(f.workloads, ","))
	}
	if f.quick {
		args = append(args, "--quick")
	}
	if f.brief {
		args = append(args, "--brief")
	}
	return args
}

func runPredict(ctx context.Context, flags predictFlags, stdout, stderr io.Writer) error {
	if flags.child {
		r, err := predictHere(ctx, &flags, stderr)
		return predict.Print(stdout, r, err)
	}
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

// predicted makes a report, here if this build can simulate.
func predicted(ctx context.Context, flags *predictFlags, stderr io.Writer) (*predict.Report, error) {
	if predict.Available {
		return predictHere(ctx, flags, stderr)
	}
	// What is wrong with the flags is known before anything is built.
	if _, err := flags.plan(); err != nil {
		return nil, err
	}
	root, err := workspaceRoot(ctx)
	if err != nil {
		return nil, err
	}
	r, err := predict.Child(ctx, root, flags.args(), stderr)
	if err == nil && r == nil {
		err = errors.New("the simulation made no report")
	}
	return r, err
}

// predictHere simulates, and shows on a terminal how far it is.
func predictHere(ctx context.Context, flags *predictFlags, stderr io.Writer) (*predict.Report, error) {
	plan, err := flags.plan()
	if err != nil {
		return nil, err
	}
	p := showProgress(stderr, "", plan.Runs())
	defer p.stop()
	plan.Watch = func(doing string, done int) {
		p.doing.Store(doing)
		p.files.Store(int64(done))
	}
	return plan.Run(ctx)
}
