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

	"github.com/rouse-go/rouse/tools/columns"
	"github.com/rouse-go/rouse/tools/machine"
	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/progress"
	"github.com/rouse-go/rouse/tools/waits"
)

func waitsCommand() *command {
	c := newCommand("waits", "Say which pool hangs, and which is late, when jobs wait",
		`Waits runs programs whose jobs hold a lock while they join, and a caller's short
runs beside the long jobs and recursions of others, on the pool and on its peers.
Every one of these programs ends when each fork is a thread. It prints which of
them hangs, how often, how long the others take, and what a recursion loses.`)
	c.flags.String("program", "", "run only these programs, by `names` with commas between (all if not given)")
	c.flags.String("impl", "", "run only these implementations, by `names` with commas between (all if not given)")
	c.flags.String("workers", "1,2,4", "run on these `numbers` of workers, 1 to 256, with commas between")
	tries := c.flags.Int("tries", 20, "run each program `n` times")
	patience := c.flags.Duration("patience", 10*time.Second, "count a run that takes longer than `d` as one that hangs")
	peers := c.flags.String("peers", "", "run the programs in `DIR`, too, built by lab/peers/build.sh")
	asJSON := c.flags.Bool("json", false, "print JSON")
	as := c.flags.String("as", "", "") // be the implementation of this name
	c.do = func(ctx context.Context, _ []string, stdout, stderr io.Writer) error {
		if c.given("as") {
			return waits.Serve(*as, os.Stdin, stdout)
		}
		plan, err := waitsPlan(c.list("program"), c.list("impl"), c.list("workers"), *peers)
		if err != nil {
			return err
		}
		if *tries < 1 {
			return fmt.Errorf("--tries is %d, must be 1 or more", *tries)
		}
		if *patience <= 0 {
			return fmt.Errorf("--patience is %v, must be more than 0", *patience)
		}
		plan.Tries, plan.Patience = *tries, *patience
		rows, err := waitsShown(ctx, plan, stderr)
		if err != nil {
			return err
		}
		r := &waits.Report{
			Machine: machine.This(ctx), Patience: patience.Seconds(), Rows: rows,
			Command: c.line("program", "impl", "workers", "tries", "patience", "peers"),
		}
		if *asJSON {
			err = pick.WriteJSON(stdout, r)
		} else {
			err = r.WriteTable(stdout, columns.Width(stdout))
		}
		if err == nil && !r.OK() {
			err = pick.ErrIncomplete
		}
		return err
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
