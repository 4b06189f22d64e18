// Package cluster runs a function over keys with several processes, on one or more machines. They share
// the work through NATS JetStream. The outcome is that of one process.
//
// A program gives a [Job] to [Main], which does the rest: flags, processes, the queue, the results. Two
// programs are there to copy: census and thumbnails.
//
// The README says when that is worth it, how it works, and what happens when something fails.
package cluster

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

// A Job is a function over keys. Plan runs in one process, the parent. Do runs in its workers: they are
// the same program, on this machine and others, and know nothing of a run but its keys.
type Job struct {
	Name     string // of the program, for messages: letters, digits, - and _
	Synopsis string // what it does: a sentence for --help
	Args     string // what its arguments are, for --help: "DIR"

	// Flags adds flags of the program's own, which Plan may read. It may be nil.
	Flags func(flags *flag.FlagSet)

	// Plan says what there is to do, given the arguments that are no flags.
	Plan func(ctx context.Context, args []string) (*Plan, error)

	// Do returns the result of a key. It runs at least once for each key, and one result of each key
	// counts, so all results of a key should be equally good. It should take tens of milliseconds or
	// more, beside about one for messages; a worker has one key at a time, and p for the work.
	//
	// If Do returns an error, or its process ends, another worker is given the key, five times in all.
	// After the fifth error the run ends with that error, unless Do returned a result, not nil, beside
	// it: then that counts. So a result beside an error says "another worker may do better".
	//
	// When ctx is done, nobody wants the result any more. A result and a key must each fit into a
	// message: 1 MB, unless the server says otherwise.
	Do func(ctx context.Context, p *pool.Pool, key []byte) ([]byte, error)

	// Label names a key for people. If it is nil, the key is quoted.
	Label func(key []byte) string

	// Pool has the options of the pools of workers.
	Pool []pool.Option
}

// A Plan is the work of a run.
type Plan struct {
	// Of says what the run is about, for people, such as a directory. A run that was not ended is only
	// continued by one with the same Of and the same Keys.
	Of string
	// Keys are the arguments of Do. Two may be equal.
	Keys [][]byte
	// Fold prints or stores the outcome. It runs once, at the end, with the result of each key, in the
	// order of Keys: so the outcome depends on the keys alone. All results are in memory then. If it
	// returns an error, the results are kept, as after every error.
	Fold func(results [][]byte, stdout io.Writer) error
}

// Main is the main function of a program that does the job. It does not return.
func Main(job Job) { cli.Main(job.command) }

const usage = `%[2]s

Usage:
  %[1]s [flags] %[3]s
        start workers, and give them the work
  %[1]s join --nats URL --run NAME [flags]
        be one more worker of a run, on this machine or another; wait for the run if it is not there

Flags:
`

// command runs the command line and returns the exit status.
func (job *Job) command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := job.dispatch(ctx, args, stdout, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return cli.StatusOK
	}
	return cli.Status(job.Name, err, stderr)
}

func (job *Job) dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch first {
	case childCommand:
		return child(ctx, job, os.Stdin, stderr)
	case "join":
		return join(ctx, job, args[1:], stdout, stderr)
	}
	r := &run{job: job, stdout: stdout, stderr: stderr}
	flags := flag.NewFlagSet(job.Name, flag.ContinueOnError)
	flags.IntVar(&r.workers, "workers", runtime.NumCPU(), "start `n` worker processes")
	flags.IntVar(&r.procs, "procs", 0, "let each worker use `n` processors (by default all, divided by --workers)")
	flags.IntVar(&r.restarts, "restarts", 10, "start a worker again that ends early, at most `n` times in a row without a result of it")
	flags.StringVar(&r.store, "store", "", "keep what the server in this process stores in `DIR`, so that the run can be continued")
	flags.StringVar(&r.name, "run", "", "call the run `NAME` (by default after the arguments)")
	flags.BoolVar(&r.fresh, "fresh", false, "forget the results of an earlier run of this name")
	flags.IntVar(&r.replicas, "replicas", 1, "keep what is queued, and results, on `n` servers of the cluster at --nats")
	flags.StringVar(&r.metrics, "metrics", "", "serve the counts of the run at http://`HOST:PORT`/metrics")
	flags.DurationVar(&ackWait, "ack-wait", ackWait, "give a key to another worker if the first one is silent for so long")
	r.site.flags(flags)
	if job.Flags != nil {
		job.Flags(flags)
	}
	rest, err := job.parse(flags, args, stdout)
	if err := cmp.Or(err, r.site.check()); err != nil {
		return err
	}
	switch {
	case r.workers < 0 || r.workers == 0 && r.site.URL == "":
		return fmt.Errorf("--workers is %d, must be 1 or more", r.workers)
	case r.procs < 0:
		return fmt.Errorf("--procs is %d, must be 1 or more", r.procs)
	case ackWait < 100*time.Millisecond:
		return fmt.Errorf("--ack-wait is %v, must be 100ms or more", ackWait)
	case r.site.URL != "" && r.store != "":
		return errors.New("--store is of the server in this process, and --nats names another one")
	case r.site.URL == "" && r.replicas != 1:
		return errors.New("--replicas needs --nats: there is one server in this process")
	}
	if r.plan, err = job.Plan(ctx, rest); err != nil {
		return err
	}
	r.procs = cmp.Or(r.procs, max(1, runtime.NumCPU()/max(1, r.workers)))
	r.name = cmp.Or(r.name, nameOf(job.Name, r.plan.Of))
	if err := checkName(r.name); err != nil {
		return err
	}
	return r.do(ctx)
}

// parse sets the flags and returns the arguments, which may stand before, between and after them.
func (job *Job) parse(flags *flag.FlagSet, args []string, stdout io.Writer) (rest []string, err error) {
	rest, err = cli.Parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, usage, job.Name, job.Synopsis, job.Args)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
	case err != nil:
		err = fmt.Errorf("%w; \"%s --help\" lists the flags", err, job.Name)
	}
	return rest, err
}

// label names a key for people.
func (job *Job) label(key []byte) string {
	if job.Label == nil {
		return fmt.Sprintf("%q", key)
	}
	return job.Label(key)
}

// checkName refuses names that would be more than one token of a subject, or none.
func checkName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(name) {
		return fmt.Errorf("--run is %q, must be of letters, digits, - and _", name)
	}
	return nil
}

// Dir returns the absolute path of the directory that name is, or an error if it is none. Keys that name
// files should have such paths: workers have other working directories.
func Dir(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	return dir, err
}
