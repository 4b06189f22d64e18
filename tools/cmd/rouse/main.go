// Command rouse shows the Rouse pool at work. The README of this module describes its subcommands.
package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/rouse-go/rouse/tools/pick"
)

func main() { pick.Main(rouse) }

// rouse runs the command line and returns the exit status.
func rouse(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return pick.Status("rouse", dispatch(ctx, args, stdout, stderr), stderr)
}

// dispatch runs the subcommand that the arguments begin with, or prints help.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	commands := []*command{runCommand()}
	first := ""
	if len(args) > 0 {
		first, args = args[0], args[1:]
	}
	text := help(commands)
	switch first {
	case "", "-h", "-help", "--help":
	case "help":
		if len(args) > 0 {
			c, err := find(commands, args[0])
			if err != nil {
				return err
			}
			text = c.help()
		}
	default:
		c, err := find(commands, first)
		if err != nil {
			return err
		}
		return c.run(ctx, args, stdout, stderr)
	}
	_, err := io.WriteString(stdout, text)
	return err
}

// find returns the command of that name.
func find(commands []*command, name string) (*command, error) {
	var known []string
	for _, c := range commands {
		if c.name == name {
			return c, nil
		}
		known = append(known, c.name)
	}
	return nil, fmt.Errorf("unknown command %q; there are: %s, help", name, strings.Join(known, ", "))
}

// help lists the commands.
func help(commands []*command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Rouse shows the Rouse pool at work.\n\nUsage:\n  %s COMMAND [flags]\n\nCommands:\n", prefix)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-5s  %s\n", c.name, c.about)
	}
	b.WriteString("\n\"rouse help COMMAND\" says more about one of them, and lists its flags.\n")
	return b.String()
}
