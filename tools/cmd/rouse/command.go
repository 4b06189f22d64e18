package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// prefix is what a user types before the name of a subcommand.
const prefix = "go run ./tools/cmd/rouse"

// A command is a subcommand.
type command struct {
	name  string
	about string // in a line
	more  string // in some lines
	// arg names the argument that the command may have; "" if it takes none.
	arg string
	// flags that have no usage are not shown.
	flags *flag.FlagSet
	do    func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// newCommand returns a command without flags.
func newCommand(name, about, more string) *command {
	c := &command{name: name, about: about, more: more, flags: flag.NewFlagSet(name, flag.ContinueOnError)}
	c.flags.SetOutput(io.Discard) // The error says all, in one line.
	return c
}

// run does what the arguments ask for.
func (c *command) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	args, err := c.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(stdout, c.help())
		return err
	case err != nil:
		return fmt.Errorf("%w; \"rouse help %s\" lists the flags", err, c.name)
	case c.arg == "" && len(args) > 0:
		return fmt.Errorf("%s takes no argument, and was given %q; \"rouse help %s\" says more", c.name, args[0], c.name)
	case len(args) > 1:
		return fmt.Errorf("%s takes at most one argument, %s, and was given %d; \"rouse help %s\" says more", c.name, c.arg, len(args), c.name)
	}
	return c.do(ctx, args, stdout, stderr)
}

// parse sets the flags and returns the arguments, which may stand before,
// between and after them. What follows "--" is an argument.
func (c *command) parse(args []string) (rest []string, err error) {
	for {
		if err := c.flags.Parse(args); err != nil {
			return nil, err
		}
		parsed, left := args[:len(args)-c.flags.NArg()], c.flags.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if n := len(parsed); n > 0 && parsed[n-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// given reports whether the command line has set the flag.
func (c *command) given(name string) (yes bool) {
	c.flags.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

// line returns the command that does the same again, with those of the given
// flags that are set.
func (c *command) line(flags ...string) string {
	line := prefix + " " + c.name
	for _, name := range flags {
		if f := c.flags.Lookup(name); f.Value.String() != f.DefValue {
			line += " --" + name + " " + f.Value.String()
		}
	}
	return line
}

// help describes the command and its flags.
func (c *command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s %s", c.more, prefix, c.name)
	if c.arg != "" {
		fmt.Fprintf(&b, " [%s]", c.arg)
	}
	b.WriteString(" [flags]\n\nFlags:\n")
	var names, usages []string
	width := 0
	c.flags.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return
		}
		value, usage := flag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		if d := f.DefValue; d != "" && d != "0" && d != "false" {
			usage += " (default " + d + ")"
		}
		names, usages = append(names, name), append(usages, usage)
		width = max(width, len(name))
	})
	for i, name := range names {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, name, usages[i])
	}
	return b.String()
}

// list returns the values of a flag that takes several, separated by commas: none if it was
// not given and has no default.
func (c *command) list(name string) []string {
	f := c.flags.Lookup(name)
	if !c.given(name) && f.DefValue == "" {
		return nil
	}
	return strings.Split(f.Value.String(), ",")
}
