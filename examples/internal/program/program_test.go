package program_test

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/internal/program"
	"github.com/rouse-go/rouse/examples/internal/programtest"
)

func echo(_ context.Context, c *program.Call) error {
	n := c.Flags.Int("n", 1, "how often")
	if err := c.Parse(1, "word"); err != nil {
		return err
	}
	fmt.Fprint(c.Out, strings.Repeat(c.Flags.Arg(0), *n), program.Either(c, "", " plain"))
	c.Done("%d words", *n)
	return nil
}

func TestCall(t *testing.T) {
	for line, want := range map[string]string{"x": "x", "-n 3 x": "xxx", "-plain -n 2 x": "xx plain"} {
		out, log, err := programtest.Try(t.Context(), echo, strings.Fields(line)...)
		if err != nil || out != want || !regexp.MustCompile(`^\d words, 0.\d\d s\n$`).MatchString(log) {
			t.Errorf("arguments %q: %v, %q, log %q", line, err, out, log)
		}
	}
	for _, line := range []string{"", "x y", "-n many x", "-unknown"} {
		if _, log, err := programtest.Try(t.Context(), echo, strings.Fields(line)...); err != flag.ErrHelp || !strings.Contains(log, "usage: program [flags] word\n") {
			t.Errorf("arguments %q: %v, log %q, want the usage", line, err, log)
		}
	}
}
