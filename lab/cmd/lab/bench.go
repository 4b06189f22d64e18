package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
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
	var all strings.Builder
	for _, w := range bench.Workloads(bench.Full) {
		fmt.Fprintf(&all, "\n  %-16s %s", w.Name, w.About)
	}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure workloads on the pool and on its peers, all in one run",
		Long:  "The workloads:\n" + all.String(),
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.quick && !cmd.Flags().Changed("time") {
				flags.time = 60 * time.Millisecond
			}
			return runBench(cmd.Context(), line, flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads; fill-* are all that begin so (default all)")
	f.StringSliceVar(&flags.impls, "impl", nil, "only these implementations (default all but rouse-futex)")
	f.IntSliceVar(&flags.workers, "workers", []int{1, runtime.GOMAXPROCS(0)}, "these numbers of workers, where a workload has none of its own")
	f.DurationVar(&flags.time, "time", 400*time.Millisecond, "how long each is measured, all pieces together")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, few runs, no goals")
	f.StringVar(&flags.peers, "peers", "", "measure the programs in this directory, too, built by lab/peers/build.sh")
	f.StringVar(&flags.benchstat, "benchstat", "", "append each time to this file, in the format of Go benchmarks")
	return cmd
}

// plan says what to measure, or what is wrong with the flags.
func (f *benchFlags) plan(ctx context.Context) (*bench.Plan, []*bench.Workload, error) {
	for _, n := range f.workers {
		if n < 1 || n > 256 { // that many the peers have
			return nil, nil, fmt.Errorf("--workers is %d, must be 1 to 256", n)
		}
	}
	sizes, impls := map[bool]bench.Sizes{false: bench.Full, true: bench.Quick}[f.quick], impl.Local()
	if f.peers != "" {
		// No run needs ten seconds: one that does hangs.
		impls = append(impls, impl.Outside(ctx, f.peers, 10*time.Second)...)
	}
	workloads, err := named("workload", bench.Workloads(sizes), func(w *bench.Workload) string { return w.Name }, f.workloads)
	if err != nil {
		return nil, nil, err
	}
	impls, err = named("implementation", impls, func(i *bench.Implementation) string { return i.Name }, f.impls)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; with --peers DIR also %s, %s", err, bench.Rayon, bench.OneTBB)
	}
	if len(f.impls) == 0 {
		impls = slices.DeleteFunc(impls, func(i *bench.Implementation) bool { return i.Name == bench.OursFutex })
	}
	workers := slices.Compact(slices.Sorted(slices.Values(f.workers)))
	return &bench.Plan{Implementations: impls, Workers: workers, Pieces: 8, Time: f.time}, workloads, nil
}

// named returns those whose names match a pattern, in their order, or all if there are no patterns.
func named[T any](what string, all []T, name func(T) string, patterns []string) ([]T, error) {
	matches := func(pattern, name string) bool { ok, _ := path.Match(pattern, name); return ok }
	for _, p := range patterns {
		if !slices.ContainsFunc(all, func(x T) bool { return matches(p, name(x)) }) {
			var known []string
			for _, x := range all {
				known = append(known, name(x))
			}
			return nil, fmt.Errorf("unknown %s %q; there are: %s", what, p, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(x T) bool {
		return len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name(x)) })
	}), nil
}

func runBench(ctx context.Context, line string, flags benchFlags, stdout io.Writer) error {
	plan, workloads, err := flags.plan(ctx)
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
	var report bench.Report
	head := bench.Machine(ctx) + "\n" + line + "\n"
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
