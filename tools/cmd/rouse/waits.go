package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/machine"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
	"github.com/rouse-go/rouse/tools/waits"
)

// waitsFlags are what the user of rouse waits asks for.
type waitsFlags struct {
	programs, impls []string
	workers         []int
	tries           int
	patience        time.Duration
	peers           string
	asJSON          bool
	command         string // as they were given
}

func waitsCommand() *command {
	c := newCommand("waits", "Say which pool hangs, and which is late, when jobs wait",
		`Waits runs programs whose jobs hold a lock while they join, and a caller's short
runs beside the long jobs and recursions of others, on the pool and on its peers.
Every one of these programs ends when each fork is a thread. It prints which of
them hangs, how often, how long the others take, and what a recursion loses.`)
	programs := c.names("program", "run only these programs, by `names` (all if not given)")
	impls := c.names("impl", "run only these implementations, by `names` (all if not given)")
	workers := &values[int]{items: []int{1, 2, 4}, parse: strconv.Atoi}
	c.flags.Var(workers, "workers", "run on these `numbers` of workers")
	tries := c.flags.Int("tries", 20, "run each program `n` times")
	patience := c.flags.Duration("patience", 10*time.Second, "count a run that takes longer than `d` as one that hangs")
	peers := c.flags.String("peers", "", "run the programs in `DIR`, too, built by lab/peers/build.sh")
	asJSON := c.flags.Bool("json", false, "print JSON")
	as := c.flags.String("as", "", "") // be the implementation of this name
	c.do = func(ctx context.Context, _ []string, stdout, stderr io.Writer) error {
		if c.given("as") {
			return waits.Serve(*as, os.Stdin, stdout)
		}
		return runWaits(ctx, waitsFlags{
			programs: programs.items, impls: impls.items, workers: workers.items,
			tries: *tries, patience: *patience, peers: *peers, asJSON: *asJSON,
			command: c.line("program", "impl", "workers", "tries", "patience", "peers"),
		}, stdout, stderr)
	}
	return c
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

// plan says what to run, or what is wrong with the flags.
func (f *waitsFlags) plan() (*waits.Plan, error) {
	workers, err := checkWorkers(f.workers)
	if err != nil {
		return nil, err
	}
	if f.tries < 1 {
		return nil, fmt.Errorf("--tries is %d, must be 1 or more", f.tries)
	}
	if f.patience <= 0 {
		return nil, fmt.Errorf("--patience is %v, must be more than 0", f.patience)
	}
	programs, err := pick.Named("program", waits.Programs(), func(p *waits.Program) string { return p.Name }, f.programs)
	if err != nil {
		return nil, err
	}
	impls, err := f.implementations()
	if err != nil {
		return nil, err
	}
	return &waits.Plan{
		Programs: programs, Implementations: impls,
		Workers: workers, Tries: f.tries, Patience: f.patience,
	}, nil
}

func (f *waitsFlags) implementations() ([]waits.Implementation, error) {
	if err := checkPeers(f.peers); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	impls, err := pick.Named("implementation", waitsImplementations(self, f.peers), func(i waits.Implementation) string { return i.Name }, f.impls)
	if err != nil || f.peers != "" {
		return impls, err
	}
	var local []waits.Implementation
	for _, i := range impls {
		if i.Command[0] == self {
			local = append(local, i)
		} else if len(f.impls) > 0 {
			return nil, fmt.Errorf("%s needs --peers DIR, with what lab/peers/build.sh DIR has built", i.Name)
		}
	}
	return local, nil
}

func runWaits(ctx context.Context, flags waitsFlags, stdout, stderr io.Writer) error {
	plan, err := flags.plan()
	if err != nil {
		return err
	}
	rows, err := waitsShown(ctx, plan, stderr)
	if err != nil {
		return err
	}
	r := &waits.Report{
		Machine: machine.This(ctx), Command: flags.command, Patience: flags.patience.Seconds(), Rows: rows,
	}
	if flags.asJSON {
		err = r.WriteJSON(stdout)
	} else {
		err = r.WriteTable(stdout, columns.Width(stdout))
	}
	if err == nil && !r.OK() {
		err = errIncomplete
	}
	return err
}

// waitsShown runs the plan, and shows on a terminal how far it is.
func waitsShown(ctx context.Context, plan *waits.Plan, stderr io.Writer) ([]*waits.Row, error) {
	p := progress.Show(stderr, "", plan.TriesInAll())
	defer p.Stop()
	plan.Watch = func(r *waits.Row, done int) {
		p.Say(fmt.Sprintf("%s %s %d", r.Program, r.Implementation, r.Workers))
		p.Done.Store(int64(done))
	}
	return plan.Run(ctx)
}
