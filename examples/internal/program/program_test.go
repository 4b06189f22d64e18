package program_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/examples/internal/program"
	"github.com/rouse-go/rouse/examples/internal/programtest"
)

// asProgram is the environment variable that makes the test a program.
const asProgram = "ROUSE_EXAMPLE_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "":
		os.Exit(m.Run())
	case "fails":
		program.Main("fails", func(context.Context, *program.Call) error { return errors.New("open \x1b[31mred\x1b]0;title\a\n") })
	case "hangs":
		program.Main("hangs", func(ctx context.Context, c *program.Call) error {
			fmt.Fprintln(c.Out, "running")
			<-ctx.Done()
			for { // the next interrupt may come before Main hears no more of them
				fmt.Fprintln(c.Out, "interrupted")
				time.Sleep(time.Millisecond)
			}
		})
	}
}

func as(t *testing.T, what string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), asProgram+"="+what)
	return cmd
}

// A failure means that the name of a file can change what a terminal shows.
func TestErrorIsPrintable(t *testing.T) {
	out, _ := as(t, "fails").CombinedOutput()
	if want := `fails: open \x1b[31mred\x1b]0;title\a\n` + "\n"; string(out) != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// An interrupt does not wait for what does not look at it.
func TestWithin(t *testing.T) {
	never := make(chan int)
	defer close(never)
	cause := errors.New("the cause")
	if n, err := program.Within(programtest.Canceled(cause), func() int { return <-never }); n != 0 || err != cause {
		t.Errorf("%d, error %v", n, err)
	}
	if n, err := program.Within(t.Context(), func() int { return 7 }); n != 7 || err != nil {
		t.Errorf("%d, error %v, want 7", n, err)
	}
}

// A second interrupt ends what does not hear the first.
func TestSecondInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("a process cannot send this signal here")
	}
	cmd := as(t, "hangs")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() { // before each interrupt
		_ = cmd.Process.Signal(os.Interrupt)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Errorf("%v, want an end by the signal", err)
	}
}

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
