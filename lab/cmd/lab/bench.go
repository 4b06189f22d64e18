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

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/impl"
)

// benchFlags are what the user of lab bench asks for.
type benchFlags struct {
	workloads, impls []string
	workers          []int
	time             time.Duration
	quick            bool
	peers, benchstat string
}

func benchCommand(line string) *cobra.Command {
	var flags benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure workloads on the pool and on its peers, all in one run",
		Long:  "Measures workloads on the pool and on its peers, all in one run. The workloads:\n\n" + catalog(),
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.quick && !cmd.Flags().Changed("time") {
				flags.time = 60 * time.Millisecond
			}
			return runBench(cmd.Context(), line, flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads, or families such as fill (default all)")
	f.StringSliceVar(&flags.impls, "impl", nil, "only these implementations (default all)")
	f.IntSliceVar(&flags.workers, "workers", []int{1, runtime.GOMAXPROCS(0)}, "these numbers of workers, where a workload has none of its own")
	f.DurationVar(&flags.time, "time", 400*time.Millisecond, "how long each is measured, all pieces together")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, few runs, no goals")
	f.StringVar(&flags.peers, "peers", "", "measure the programs in this directory, too, built by lab/peers/build.sh")
	f.StringVar(&flags.benchstat, "benchstat", "", "append each time to this file, in the format of Go benchmarks")
	return cmd
}

// catalog lists the workloads, one a line.
func catalog() string {
	var b strings.Builder
	for _, w := range bench.Workloads(bench.Full) {
		fmt.Fprintf(&b, "  %-20s %s\n", w.Name, w.About)
	}
	return b.String()
}

// patience is how long a program in another language may take for one run. None needs as much, so
// one that does hangs. Each can have so many workers, and no machine has use for more.
const (
	patience        = 10 * time.Second
	maxBenchWorkers = 256
)

// plan says what to measure, or what is wrong with the flags.
func (f *benchFlags) plan(outside impl.Outside) (*bench.Plan, []*bench.Workload, error) {
	for _, n := range f.workers {
		if n < 1 || n > maxBenchWorkers {
			return nil, nil, fmt.Errorf("--workers is %d, must be 1 to %d", n, maxBenchWorkers)
		}
	}
	if f.time <= 0 {
		return nil, nil, fmt.Errorf("--time is %v, must be more than 0", f.time)
	}
	sizes, impls := bench.Full, impl.Local()
	if f.quick {
		sizes = bench.Quick
	}
	if f.peers != "" {
		if info, err := os.Stat(f.peers); err != nil || !info.IsDir() {
			return nil, nil, fmt.Errorf("--peers: there is no directory %s", f.peers)
		}
		impls = append(impls, outside.Implementations()...)
	}
	workloads, err := named("workload", bench.Workloads(sizes), func(w *bench.Workload) string { return w.Name }, f.workloads)
	if err != nil {
		return nil, nil, err
	}
	impls, err = named("implementation", impls, func(i *bench.Implementation) string { return i.Name }, f.impls)
	if err != nil && f.peers == "" {
		err = fmt.Errorf("%w; with --peers DIR also %s, %s", err, bench.Rayon, bench.OneTBB)
	}
	return &bench.Plan{
		Implementations: impls, Asked: len(f.impls) > 0,
		Workers: slices.Compact(slices.Sorted(slices.Values(f.workers))), Pieces: 8, Time: f.time,
	}, workloads, err
}

// named returns those of the given names, in their order, or all if no name is given. A name that
// is not among them stands for those that begin with it and a dash.
func named[T any](what string, all []T, name func(T) string, picked []string) (chosen []T, err error) {
	if len(picked) == 0 {
		return all, nil
	}
	var known []string
	for _, x := range all {
		known = append(known, name(x))
	}
	wanted := make(map[string]bool)
	for _, p := range picked {
		found := false
		for _, n := range known {
			if n == p || strings.HasPrefix(n, p+"-") && !slices.Contains(known, p) {
				wanted[n], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("unknown %s %q; there are: %s", what, p, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(x T) bool { return !wanted[name(x)] }), nil
}

func runBench(ctx context.Context, line string, flags benchFlags, stdout io.Writer) error {
	outside := impl.NewOutside(ctx, flags.peers, patience)
	defer outside.Close()
	plan, workloads, err := flags.plan(outside)
	if err != nil {
		return err
	}
	lines := io.Discard
	if flags.benchstat != "" {
		file, err := os.OpenFile(flags.benchstat, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		defer file.Close()
		lines = file
	}
	report, head := bench.Report{Processors: runtime.GOMAXPROCS(0)}, bench.Machine(ctx)+"\n"+line+"\n"
	for _, w := range workloads {
		cells, err := plan.Measure(ctx, w)
		if err != nil {
			return err
		}
		if len(cells) == 0 {
			continue
		}
		fmt.Fprint(stdout, head)
		head = ""
		// The file first: a program that reads the rest may close the pipe before the end.
		if err := errors.Join(bench.Lines(lines, cells), report.Table(stdout, cells)); err != nil {
			return err
		}
	}
	if head != "" {
		return errors.New("none of the implementations asked for can run any of the workloads")
	}
	return report.End(stdout)
}
