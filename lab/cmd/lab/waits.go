package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/bench/waits"
	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
)

func waitsCommand(line string) *cobra.Command {
	var programs, impls, workers []string
	var tries int
	var patience time.Duration
	var peers, as string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "waits",
		Short: "Say which pool hangs, and which is late, when jobs wait",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("as") {
				return waits.Serve(as, os.Stdin, cmd.OutOrStdout())
			}
			plan, err := waitsPlan(programs, impls, workers, peers)
			if err != nil {
				return err
			}
			if tries < 1 {
				return fmt.Errorf("--tries is %d, must be 1 or more", tries)
			}
			if patience <= 0 {
				return fmt.Errorf("--patience is %v, must be more than 0", patience)
			}
			plan.Tries, plan.Patience = tries, patience
			rows, err := waitsShown(cmd.Context(), plan, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			r := &waits.Report{Machine: machine.This(cmd.Context()), Patience: patience.Seconds(), Rows: rows, Command: line}
			out := cmd.OutOrStdout()
			if asJSON {
				err = pick.WriteJSON(out, r)
			} else {
				err = r.WriteTable(out, columns.Width(out))
			}
			if err == nil && !r.OK() {
				err = pick.ErrIncomplete
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&programs, "program", nil, "only these programs (default all)")
	f.StringSliceVar(&impls, "impl", nil, "only these implementations (default all)")
	f.StringSliceVar(&workers, "workers", []string{"1", "2", "4"}, "these numbers of workers")
	f.IntVar(&tries, "tries", 20, "how often each program runs")
	f.DurationVar(&patience, "patience", 10*time.Second, "a run that takes longer hangs")
	f.StringVar(&peers, "peers", "", "run the programs in this directory, too, built by lab/peers/build.sh")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.StringVar(&as, "as", "", "be the implementation of this name")
	_ = f.MarkHidden("as")
	return cmd
}

// waitsImplementations returns all there are. The peers need a directory.
func waitsImplementations(self, peers string) []waits.Implementation {
	var all []waits.Implementation
	for _, name := range waits.Local() {
		all = append(all, waits.Implementation{Name: name, Command: []string{self, "waits", "--as", name}})
	}
	for _, i := range []waits.Implementation{
		{Name: "rayon", Command: []string{"rayon"}},
		{Name: "onetbb", Command: []string{"onetbb"}},
		{Name: "onetbb-isolate", Command: []string{"onetbb", "--isolate"}},
	} {
		i.Command[0] = filepath.Join(peers, i.Command[0])
		all = append(all, i)
	}
	return all
}

// waitsPlan says what to run, or what is wrong with the flags.
func waitsPlan(programs, impls, workers []string, peers string) (p *waits.Plan, err error) {
	p = new(waits.Plan)
	for _, text := range workers {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("--workers has %q, which is no number", text)
		}
		p.Workers = append(p.Workers, n)
	}
	if p.Workers, err = pick.Workers(p.Workers, waits.MostWorkers); err != nil {
		return nil, err
	}
	if p.Programs, err = pick.Named("program", waits.Programs(), func(p *waits.Program) string { return p.Name }, programs); err != nil {
		return nil, err
	}
	if err := pick.Peers(peers); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p.Implementations, err = pick.Named("implementation", waitsImplementations(self, peers), func(i waits.Implementation) string { return i.Name }, impls)
	if err != nil || peers != "" {
		return p, err
	}
	isPeer := func(i waits.Implementation) bool { return i.Command[0] != self }
	if at := slices.IndexFunc(p.Implementations, isPeer); at >= 0 && len(impls) > 0 {
		return nil, fmt.Errorf("%s needs --peers DIR, with what lab/peers/build.sh DIR has built", p.Implementations[at].Name)
	}
	p.Implementations = slices.DeleteFunc(p.Implementations, isPeer)
	return p, nil
}

// waitsShown runs the plan, and shows on a terminal how far it is.
func waitsShown(ctx context.Context, plan *waits.Plan, stderr io.Writer) ([]*waits.Row, error) {
	p := progress.Show(stderr, "", plan.TriesInAll())
	defer p.Stop()
	plan.Watch = func(r *waits.Row, done int) {
		p.Watch(fmt.Sprintf("%s %s %d", r.Program, r.Implementation, r.Workers), done)
	}
	return plan.Run(ctx)
}
