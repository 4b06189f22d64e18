// Command rouse-top shows what the pools of a running program do, again and again: it asks a handler of
// package poolhttp. The command rouse calls it, as rouse top.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/rouse-go/rouse/tools/cli"
)

const usage = `Usage:
  rouse top [--every 2s] [--times N] [--jobs N] URL

Top asks a handler of package poolhttp what its pools do, and
shows it: jobs in the queue, workers, the age of the oldest job,
and which job waits for which. On a terminal each look takes the
place of the last one.

  --every 2s   how long it waits between two looks
  --times 0    how many looks it takes; 0 is until Ctrl-C
  --jobs 20    how many jobs of each pool it shows at most. To
               see them stops the program for as long as
               runtime.Stack does, at each look: 0 leaves it
               alone
`

func main() { cli.Main(top) }

// top runs the command line and returns the exit status.
func top(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Status("rouse top", watch(ctx, args, stdout), stderr)
}

// options are the command line.
type options struct {
	url         string
	every       time.Duration
	times, jobs int
}

// watch looks at the pools until it has looked often enough, or is interrupted: then it has done what
// it should.
func watch(ctx context.Context, args []string, out io.Writer) error {
	opts, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(out, usage)
		return err
	}
	if err != nil {
		return fmt.Errorf(`%w; "rouse top --help" says more`, err)
	}
	c, err := newClient(opts.url)
	if err != nil {
		return err
	}
	width, height := 0, 0
	tick := time.NewTicker(opts.every)
	defer tick.Stop()
	var last *look
	for n := 1; ; n++ {
		now, err := c.look(ctx, opts.jobs > 0)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && last == nil:
			return err
		case err != nil: // the program may come back
			now = &look{at: time.Now(), failed: err}
		}
		before := ""
		if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			before = "\x1b[H\x1b[2J" // to the first place, and clear
			width, height, _ = term.GetSize(int(f.Fd()))
		} else if n > 1 {
			before = "\n"
		}
		text := now.page(c.shown(), last, opts.jobs)
		if _, err := io.WriteString(out, before+fit(text, width, height)); err != nil {
			return err
		}
		if now.failed == nil {
			last = now
		}
		if n == opts.times {
			return now.failed
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func parse(args []string) (opts options, err error) {
	flags := flag.NewFlagSet("top", flag.ContinueOnError)
	flags.DurationVar(&opts.every, "every", 2*time.Second, "")
	flags.IntVar(&opts.times, "times", 0, "")
	flags.IntVar(&opts.jobs, "jobs", 20, "")
	rest, err := cli.Parse(flags, args)
	switch {
	case err != nil:
		return opts, err
	case len(rest) == 0:
		return opts, errors.New("which URL? that of a handler of package poolhttp, as http://localhost:6060/debug/pools")
	case len(rest) > 1:
		return opts, fmt.Errorf("top takes one URL, not %d", len(rest)) // which may have passwords
	case opts.every < 100*time.Millisecond:
		return opts, fmt.Errorf("--every %v: must be 100ms or longer", opts.every)
	case opts.times < 0:
		return opts, fmt.Errorf("--times %d: must not be below 0", opts.times)
	case opts.jobs < 0:
		return opts, fmt.Errorf("--jobs %d: must not be below 0", opts.jobs)
	}
	opts.url = rest[0]
	return opts, nil
}

// fit cuts a text to the size of a terminal, whose last line stays free. A size of 0 is no bound.
func fit(text string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if height > 1 && len(lines) >= height {
		lines = append(lines[:height-2], "…")
	}
	for i, l := range lines {
		if width > 0 {
			lines[i] = cli.Shorten(l, width)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
