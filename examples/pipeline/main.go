// Pipeline writes the checksums of all regular files beneath a directory to one file,
// as sha256sum prints them, in the order of their names:
//
//	pipeline -o sums.txt dir
//	(cd dir && sha256sum --check --quiet) <sums.txt
//
// The files are read on the pool while the directories are walked. At most -window files
// are between the walk and the output, however large the tree. The first error stops
// all, and so does an interrupt; the output is then as it was before. On a terminal, you
// see how far it is.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/pool"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "pipeline: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "pipeline:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes the sums to out if no file is
// named, and to log what it did.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("pipeline", flag.ContinueOnError)
	flags.SetOutput(log)
	name := flags.String("o", "", "the `file` to write; standard output if none is given")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "how many files are read at once")
	window := flags.Int("window", 0, "how many files are begun and not written, at most; eight times the workers if 0")
	plain := flags.Bool("plain", false, "use goroutines in place of the pool")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: pipeline [flags] dir\n\nIt writes the SHA-256 sums of all files beneath dir.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return flag.ErrHelp
	}
	if *window == 0 {
		*window = 8 * *workers
	}
	if *workers < 1 || *window < 1 {
		return errors.New("-workers and -window must be positive")
	}
	dir := flags.Arg(0)
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}

	start := time.Now()
	j := &job{files: os.DirFS(dir), workers: *workers, window: *window, bar: progress(log)}
	err := toFile(*name, out, func(out io.Writer) error {
		j.out = out
		return sumAll(ctx, j, *plain)
	})
	j.bar.Finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "%d files, %d bytes, %.2f s\n", j.sums, j.bytes, time.Since(start).Seconds())
	return nil
}

// progress returns a bar that is drawn if w is a terminal. It has no end, for nobody knows
// how many files there are before the walk is over.
func progress(w io.Writer) *progressbar.ProgressBar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progressbar.DefaultBytesSilent(-1)
	}
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("reading"),
		progressbar.OptionShowBytes(true), progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

// sumAll does the job with the pool, or without.
func sumAll(ctx context.Context, j *job, plain bool) error {
	if plain {
		return sumPlain(ctx, j)
	}
	p, err := pool.New(pool.WithWorkers(j.workers))
	if err != nil {
		return err
	}
	defer p.Close()
	return sumOnPool(ctx, p, j)
}

// toFile calls write with a new file, which gets its name only if all goes well.
func toFile(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "" {
		buffered := bufio.NewWriter(stdout)
		return errors.Join(write(buffered), buffered.Flush())
	}
	// A file of the same directory can be renamed in one step.
	f, err := os.CreateTemp(filepath.Dir(name), ".pipeline-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	buffered := bufio.NewWriter(f)
	if err := write(buffered); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(buffered.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// A job is one run of the pipeline.
type job struct {
	files           fs.FS
	out             io.Writer
	workers, window int

	sums  int // written so far
	bytes int64
	bar   *progressbar.ProgressBar // of the bytes; nil draws nothing
}
