// Cluster takes the census of a directory tree with several processes, on one or more machines. They
// share the work through NATS JetStream. The result is that of one process.
//
// The README says when that is worth it, how it works, and what happens when something fails.
package main

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

	"github.com/rouse-go/rouse/tools/cli"
)

func main() { cli.Main(cluster) }

const usage = `Cluster takes the census of a directory tree with several processes.

Usage:
  cluster [flags] DIR                 start workers, and print what they find
  cluster join --nats URL --run NAME  be one more worker of a run, on this machine or another

Flags:
`

// cluster runs the command line and returns the exit status.
func cluster(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := dispatch(ctx, args, stdout, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return cli.StatusOK
	}
	return cli.Status("cluster", err, stderr)
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch first {
	case childCommand:
		return child(ctx, os.Stdin, stderr)
	case "join":
		return join(ctx, args[1:], stdout, stderr)
	}
	r := &run{stdout: stdout, stderr: stderr}
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	flags.IntVar(&r.workers, "workers", runtime.NumCPU(), "start `n` worker processes")
	flags.IntVar(&r.procs, "procs", 0, "let each worker use `n` processors (by default all, divided by --workers)")
	flags.StringVar(&r.url, "nats", "", "use the NATS server at `URL`; by default one runs in this process")
	flags.StringVar(&r.store, "store", "", "keep what the server in this process stores in `DIR`, so that the run can be taken up again")
	flags.StringVar(&r.name, "run", "", "call the run `NAME` (by default after the directory)")
	flags.BoolVar(&r.fresh, "fresh", false, "forget what an earlier run of this name has found")
	rest, err := parse(flags, args, stdout)
	if err != nil {
		return err
	}
	switch {
	case len(rest) != 1:
		return fmt.Errorf("name one directory; \"cluster --help\" says more")
	case r.workers < 1:
		return fmt.Errorf("--workers is %d, must be 1 or more", r.workers)
	case r.procs < 0:
		return fmt.Errorf("--procs is %d, must be 1 or more", r.procs)
	case r.url != "" && r.store != "":
		return errors.New("--store is of the server in this process, and --nats names another one")
	}
	if r.dir, err = filepath.Abs(rest[0]); err != nil {
		return err
	}
	r.procs = cmp.Or(r.procs, max(1, runtime.NumCPU()/r.workers))
	r.name = cmp.Or(r.name, nameOf(r.dir))
	if err := checkName(r.name); err != nil {
		return err
	}
	return r.do(ctx)
}

// parse sets the flags and returns the arguments, which may stand before, between and after them.
func parse(flags *flag.FlagSet, args []string, stdout io.Writer) (rest []string, err error) {
	flags.SetOutput(io.Discard) // The error says all, in one line.
	for {
		switch err := flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprint(stdout, usage)
			flags.SetOutput(stdout)
			flags.PrintDefaults()
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w; \"cluster --help\" lists the flags", err)
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// checkName refuses names that would be more than one token of a subject, or none.
func checkName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(name) {
		return fmt.Errorf("--run is %q, must be of letters, digits, - and _", name)
	}
	return nil
}
