package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/impl"
	"github.com/rouse-go/rouse/lab/bench/results"
	"github.com/rouse-go/rouse/lab/internal/machine"
)

// benchFlags are what the user of lab bench asks for.
type benchFlags struct {
	workloads, impls []string
	workers          []int
	repeat           int
	time             time.Duration
	quick            bool
	command          string // that measures the same again
	peers            string
	benchstat        string
	cpuprofile       string
}

func benchCommand(line string) *cobra.Command {
	flags := benchFlags{command: line}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure workloads on the pool and on its peers, all in one run",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.quick {
				setUnless(cmd, "repeat", &flags.repeat, 3)
				setUnless(cmd, "time", &flags.time, 60*time.Millisecond)
			}
			return runBench(cmd.Context(), flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&flags.workloads, "workload", nil, "only these workloads, or families such as fill (default all)")
	f.StringSliceVar(&flags.impls, "impl", nil, "only these implementations (default all)")
	f.IntSliceVar(&flags.workers, "workers", nil, "these numbers of workers (default 1 and GOMAXPROCS)")
	f.IntVar(&flags.repeat, "repeat", 8, "in how many pieces each is measured, by turns")
	f.DurationVar(&flags.time, "time", 400*time.Millisecond, "how long each is measured, all pieces together")
	f.BoolVar(&flags.quick, "quick", false, "a first look: small sizes, few runs")
	f.StringVar(&flags.peers, "peers", "", "measure the programs in this directory, too, built by lab/peers/build.sh")
	f.StringVar(&flags.benchstat, "benchstat", "", "write each time to this file, too, in the format of Go benchmarks")
	f.StringVar(&flags.cpuprofile, "cpuprofile", "", "write a CPU profile of all that is measured to this file; go run -pgo=FILE builds with it")
	return cmd
}

// setUnless changes what a flag is unless its user has set it.
func setUnless[T any](cmd *cobra.Command, name string, flag *T, to T) {
	if !cmd.Flags().Changed(name) {
		*flag = to
	}
}

// maxBenchWorkers is more than any machine has use for, and few enough that every program in
// another language can have them.
const maxBenchWorkers = 256

// plan says what to measure, or what is wrong with the flags.
func (f *benchFlags) plan(outside *impl.Outside) (*bench.Plan, error) {
	if len(f.workers) == 0 {
		f.workers = []int{1, runtime.GOMAXPROCS(0)}
	}
	for _, n := range f.workers {
		if n < 1 || n > maxBenchWorkers {
			return nil, fmt.Errorf("--workers is %d, must be 1 to %d", n, maxBenchWorkers)
		}
	}
	if f.repeat < 1 || f.time <= 0 {
		return nil, fmt.Errorf("--repeat is %d and --time %v, both must be more than 0", f.repeat, f.time)
	}
	sizes := bench.Full
	if f.quick {
		sizes = bench.Quick
	}
	workloads, err := named("workload", bench.Workloads(sizes), func(w *bench.Workload) string { return w.Name }, f.workloads)
	if err != nil {
		return nil, err
	}
	impls, err := named("implementation", append(impl.Local(), outside.Implementations()...), func(i *bench.Implementation) string { return i.Name }, f.impls)
	if err != nil {
		return nil, err
	}
	isOutside := func(i *bench.Implementation) bool { return i.Outside }
	if f.peers != "" {
		if info, err := os.Stat(f.peers); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--peers: there is no directory %s", f.peers)
		}
	} else if i := slices.IndexFunc(impls, isOutside); i >= 0 && len(f.impls) > 0 {
		return nil, fmt.Errorf("%s needs --peers DIR, with what lab/peers/build.sh DIR has built", impls[i].Name)
	} else {
		impls = slices.DeleteFunc(impls, isOutside)
	}
	return &bench.Plan{
		Workloads: workloads, Implementations: impls, Asked: len(f.impls) > 0,
		Workers: slices.Compact(slices.Sorted(slices.Values(f.workers))), Repeat: f.repeat, Time: f.time,
	}, nil
}

// named returns those of the given names, in their order, or all if no name is given. A name that
// is not among them stands for those that begin with it and a dash.
func named[T any](what string, all []T, name func(T) string, picked []string) ([]T, error) {
	wanted := make(map[string]bool)
	for _, p := range picked {
		var exact, family []string
		for _, x := range all {
			switch n := name(x); {
			case n == p:
				exact = []string{n}
			case strings.HasPrefix(n, p+"-"):
				family = append(family, n)
			}
		}
		if exact != nil {
			family = exact
		}
		if family == nil {
			var known []string
			for _, x := range all {
				known = append(known, name(x))
			}
			return nil, fmt.Errorf("unknown %s %q; there are: %s", what, p, strings.Join(known, ", "))
		}
		for _, n := range family {
			wanted[n] = true
		}
	}
	return slices.DeleteFunc(all, func(x T) bool { return len(picked) > 0 && !wanted[name(x)] }), nil
}

// patience is how long a program in another language may take for one run. None needs as much, so
// one that does hangs.
const patience = 10 * time.Second

func runBench(ctx context.Context, flags benchFlags, stdout, stderr io.Writer) error {
	outside := impl.NewOutside(ctx, flags.peers, patience)
	defer outside.Close()
	plan, err := flags.plan(outside)
	if err != nil {
		return err
	}
	// That the file cannot be written is noticed before the time is spent. What is in it stays until
	// there is something better.
	var runs *os.File
	if flags.benchstat != "" {
		if runs, err = os.OpenFile(flags.benchstat, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
			return err
		}
		defer runs.Close()
	}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		plan.Watch = func(c *bench.Cell, done int) {
			fmt.Fprintf(f, "\r%3d%% %-50s", 100*done/plan.Pieces(), fmt.Sprintf("%s, %s, %d", c.Workload.Name, c.Implementation.Name, c.Workers))
		}
		defer fmt.Fprintf(f, "\r%60s\r", "")
	}
	var cells []*bench.Cell
	err = profiled(flags.cpuprofile, func() (err error) {
		cells, err = plan.Run(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return errors.New("none of the implementations asked for can run any of the workloads")
	}
	r := results.New(machine.This(ctx), cells)
	r.Command, r.Quick = flags.command, flags.quick
	// The file first: a program that reads the rest may close the pipe before the end.
	if runs != nil {
		err = errors.Join(runs.Truncate(0), r.WriteBenchfmt(runs), runs.Close())
	}
	if err := errors.Join(err, r.WriteTable(stdout)); err != nil {
		return err
	}
	if !r.OK() {
		return errors.New("not everything could be measured, or an answer was wrong: see the report")
	}
	return nil
}

// profiled calls f and writes a CPU profile of it to a file, unless that has no
// name.
func profiled(name string, f func() error) error {
	if name == "" {
		return f()
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}

// guided returns the flag by which the build of this command was guided by a profile, if it was.
func guided() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	here, _ := os.Getwd()
	for _, s := range info.Settings {
		if s.Key == "-pgo" {
			return " -pgo=" + strings.TrimPrefix(s.Value, here+string(filepath.Separator))
		}
	}
	return ""
}
