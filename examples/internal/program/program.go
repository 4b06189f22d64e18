// Package program has what all examples share: flags, exit codes, interrupts, and timing.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"reflect"
	"syscall"
	"time"
)

// A Call is one run of a program. Main creates it.
type Call struct {
	In       io.Reader
	Out, Log io.Writer     // the results, and what was done
	Flags    *flag.FlagSet // add yours, then call Parse
	Plain    bool          // flag -plain: the version without Rouse

	args  []string
	began time.Time
}

// Main runs a program with the arguments of the process, and exits if it fails. An interrupt
// cancels its context, and a second one ends the process at once.
func Main(name string, run func(context.Context, *Call) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := run(ctx, New(name, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2) // Parse has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, name+": interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, Printable(err.Error()))
		os.Exit(1)
	}
}

// New returns a call with the given arguments, for Main and for tests.
func New(name string, args []string, in io.Reader, out, log io.Writer) *Call {
	c := &Call{In: in, Out: out, Log: log, Flags: flag.NewFlagSet(name, flag.ContinueOnError), args: args}
	c.Flags.SetOutput(log)
	c.Flags.BoolVar(&c.Plain, "plain", false, "use plain Go instead of Rouse")
	return c
}

// Any is a number of arguments for [Call.Parse].
const Any = -1

// Parse reads the flags. If they are wrong, or the number of arguments is not the given one, it
// prints the usage and returns [flag.ErrHelp]. It returns another error if one of the named flags
// is not positive.
func (c *Call) Parse(arguments int, usage string, positive ...string) error {
	c.began = time.Now()
	c.Flags.Usage = func() {
		fmt.Fprintf(c.Log, "usage: %s [flags] %s\n", c.Flags.Name(), usage)
		c.Flags.PrintDefaults()
	}
	if c.Flags.Parse(c.args) != nil {
		return flag.ErrHelp
	}
	if arguments != Any && c.Flags.NArg() != arguments {
		c.Flags.Usage()
		return flag.ErrHelp
	}
	for _, name := range positive {
		v := reflect.ValueOf(c.Flags.Lookup(name).Value.(flag.Getter).Get())
		if v.CanInt() && v.Int() <= 0 || v.CanFloat() && !(v.Float() > 0) {
			return fmt.Errorf("-%s must be positive", name)
		}
	}
	return nil
}

// Done logs what was done, and how long it took.
func (c *Call) Done(format string, args ...any) {
	fmt.Fprintf(c.Log, format+", %.2f s\n", append(args, time.Since(c.began).Seconds())...)
}

// Dir returns the directory that the first argument names.
func (c *Call) Dir() (fs.FS, error) {
	_, err := os.ReadDir(c.Flags.Arg(0)) // its error has the name
	return os.DirFS(c.Flags.Arg(0)), err
}

// Walk calls f with the name of each regular file, in lexical order. It skips other files, such
// as symbolic links.
func Walk(files fs.FS, f func(name string) error) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return f(name)
	})
}

// Either returns the version that flag -plain asks for.
func Either[F any](c *Call, rouse, plain F) F {
	if c.Plain {
		return plain
	}
	return rouse
}
