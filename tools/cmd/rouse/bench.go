package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/bench"
	"github.com/rouse-go/rouse/tools/bench/impl"
	"github.com/rouse-go/rouse/tools/bench/results"
)

// errIncomplete is the error of a benchmark that could not measure everything.
var errIncomplete = errors.New("not everything could be measured, or an answer was wrong: see the report")

// benchFlags are what the user of rouse bench asks for.
type benchFlags struct {
	workloads, impls []string
	workers          []int
	repeat           int
	time             time.Duration
	quick, asJSON    bool
	format, html     string
	peers            string
}

func benchCommand() *cobra.Command {
	var flags benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure workloads on the pool and on its peers, all in one run",
		Long: `Bench runs each workload on each implementation, in short pieces by turns, checks
the answers, and prints what each took.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.quick {
				setUnless(cmd, "repeat", &flags.repeat, 3)
				setUnless(cmd, "time", &flags.time, 60*time.Millisecond)
			}
			if flags.asJSON {
				flags.format = "json"
			}
			return runBench(cmd.Context(), flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads (default all)")
	f.StringSliceVar(&flags.impls, "impl", nil, "only these implementations (default all; combinations of backends only where they differ)")
	f.IntSliceVar(&flags.workers, "workers", nil, "these numbers of workers (default 1 and GOMAXPROCS)")
	f.IntVar(&flags.repeat, "repeat", 8, "in how many pieces each is measured, by turns")
	f.DurationVar(&flags.time, "time", 400*time.Millisecond, "how long each is measured, all pieces together")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, few runs")
	f.BoolVar(&flags.asJSON, "json", false, "print JSON; the same as --format=json")
	f.StringVar(&flags.format, "format", "table", "one of "+strings.Join(results.Formats(), ", "))
	cmd.MarkFlagsMutuallyExclusive("json", "format")
	f.StringVar(&flags.peers, "peers", "", "measure the programs in this directory, too, built by tools/peers/build.sh")
	f.StringVar(&flags.html, "html", "", "write a page with plots to this file, too")
	return cmd
}

// setUnless changes what a flag is unless its user has set it.
func setUnless[T any](cmd *cobra.Command, name string, flag *T, to T) {
	if !cmd.Flags().Changed(name) {
		*flag = to
	}
}

// plan says what to measure, or what is wrong with the flags.
func (f *benchFlags) plan(outside *impl.Outside) (*bench.Plan, error) {
	if len(f.workers) == 0 {
		f.workers = slices.Compact([]int{1, runtime.GOMAXPROCS(0)})
	}
	for _, n := range f.workers {
		if n < 1 || n > maxBenchWorkers {
			return nil, fmt.Errorf("--workers is %d, must be 1 to %d", n, maxBenchWorkers)
		}
	}
	if f.repeat < 1 {
		return nil, fmt.Errorf("--repeat is %d, must be 1 or more", f.repeat)
	}
	if f.time <= 0 {
		return nil, fmt.Errorf("--time is %v, must be more than 0", f.time)
	}
	if !slices.Contains(results.Formats(), f.format) {
		return nil, fmt.Errorf("unknown format %q; there are: %s", f.format, strings.Join(results.Formats(), ", "))
	}
	sizes := bench.Full
	if f.quick {
		sizes = bench.Quick
	}
	all := bench.Workloads(sizes, slices.Max(f.workers))
	workloads, err := pickNamed("workload", all, func(w *bench.Workload) string { return w.Name }, f.workloads)
	if err != nil {
		return nil, err
	}
	impls, err := pickNamed("implementation", implementations(outside), bench.Implementation.Name, f.impls)
	if err != nil {
		return nil, err
	}
	if f.peers == "" && len(f.impls) == 0 {
		impls = slices.DeleteFunc(impls, outside.Has)
	}
	return &bench.Plan{
		Workloads: workloads, Implementations: impls, Asked: len(f.impls) > 0,
		Workers: f.workers, Repeat: f.repeat, Time: f.time,
	}, nil
}

// maxBenchWorkers is more than any machine has use for, and few enough that
// every implementation can have them.
const maxBenchWorkers = 1024

// implementations returns all there are.
func implementations(outside *impl.Outside) []bench.Implementation {
	return slices.Concat(
		[]bench.Implementation{impl.Sequential()},
		impl.Groups(),
		outside.Implementations(),
		impl.Rouse(backends.Deques(), impl.Sleepers()),
		impl.Backends(impl.Sleepers()),
	)
}

func pickNamed[T any](what string, all []T, name func(T) string, picked []string) ([]T, error) {
	if len(picked) == 0 {
		return all, nil
	}
	var known []string
	for _, x := range all {
		known = append(known, name(x))
	}
	for _, p := range picked {
		if !slices.Contains(known, p) {
			return nil, fmt.Errorf("unknown %s %q; there are: %s", what, p, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(picked, name(x)) }), nil
}

func runBench(ctx context.Context, flags benchFlags, stdout, stderr io.Writer) error {
	outside := impl.NewOutside(ctx, flags.peers)
	defer outside.Close()
	plan, err := flags.plan(outside)
	if err != nil {
		return err
	}
	// A page that cannot be written is noticed before the time is spent.
	var page *os.File
	if flags.html != "" {
		if page, err = os.Create(flags.html); err != nil {
			return err
		}
		defer page.Close()
	}
	cells, err := measureShown(ctx, plan, stderr)
	if err != nil {
		return err
	}
	r := results.New(results.ThisMachine(ctx), cells)
	if err := r.Write(stdout, flags.format); err != nil {
		return err
	}
	if page != nil {
		if err := errors.Join(r.WriteHTML(page), page.Close()); err != nil {
			return err
		}
	}
	if !r.OK {
		return errIncomplete
	}
	return nil
}

// measureShown measures, and shows on a terminal how far it is.
func measureShown(ctx context.Context, plan *bench.Plan, stderr io.Writer) ([]*bench.Cell, error) {
	p := showProgress(stderr, "", plan.Pieces())
	defer p.stop()
	plan.Watch = func(c *bench.Cell, done int) {
		p.doing.Store(fmt.Sprintf("%s %s %d", c.Workload.Name, c.Implementation, c.Workers))
		p.files.Store(int64(done))
	}
	return plan.Run(ctx)
}
