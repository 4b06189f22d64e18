// Command rouse shows what Rouse costs, and where it pays. The README of this module says more.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/rouse-go/rouse/tools/cli"
)

const usage = `Usage:
  rouse run [--picture FILE] [DIR]
  rouse top [--every 2s] [--times N] [--jobs N] URL
  rouse version

Run does four pieces of work in plain Go, then with goroutines,
with package par, and on pools of every deque and sleep backend.
It prints how long each way took, and fails if two ways disagree.
The last piece reads the files of DIR: by default cmd, the part
of Go's own source that has its commands.

  --picture FILE  count the files of DIR once more, and write an
                  HTML page that shows what each worker did

Top shows what the pools of a running program do, again and
again: URL is that of a handler of package poolhttp. It is the
command rouse-top; "rouse top --help" says more.

GOMAXPROCS sets the number of processors, as in any Go program.
`

func main() { cli.Main(rouse) }

// rouse runs the command line and returns the exit status.
func rouse(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "top" {
		return top(ctx, args[1:], stdout, stderr)
	}
	return cli.Status("rouse", dispatch(ctx, args, stdout, stderr), stderr)
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	command := "help"
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch command {
	case "run":
		opts, err := parse(args)
		switch {
		case err == nil:
			return run(ctx, opts, stdout, stderr)
		case !errors.Is(err, flag.ErrHelp):
			return fmt.Errorf(`%w; "rouse help" says more`, err)
		}
		return dispatch(ctx, nil, stdout, stderr)
	case "version":
		_, err := fmt.Fprintln(stdout, "rouse "+version())
		return err
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(stdout, usage)
		return err
	}
	return fmt.Errorf("unknown command %q; there are: run, top, version, help", command)
}

// options are what follows "run".
type options struct {
	dir     string // "" if none is named
	picture string // "" if none is wanted
}

func parse(args []string) (opts options, err error) {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.StringVar(&opts.picture, "picture", "", "")
	rest, err := cli.Parse(flags, args)
	switch {
	case err != nil:
		return opts, err
	case len(rest) > 1:
		return opts, fmt.Errorf("run takes one directory, not both %s and %s", rest[0], rest[1])
	case len(rest) == 1 && rest[0] == "":
		return opts, errors.New("the name of the directory is empty")
	case len(rest) == 1:
		opts.dir = rest[0]
	}
	return opts, nil
}

// version returns the version of the module, "(devel)" in a checkout, and that of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of an unknown version"
	}
	return info.Main.Version + ", " + info.GoVersion
}
