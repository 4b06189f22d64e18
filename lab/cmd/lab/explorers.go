package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/lab/scale/measure"
)

func explorersCommand() *cobra.Command {
	var peers string
	var seconds, rounds int
	cmd := &cobra.Command{
		Use:   "explorers",
		Short: "Measure module explore beside loom",
		Long: `Explorers runs the benchmark BenchmarkPrograms of module explore, and the same
programs by loom, and prints how many executions each needs, how long they take
and how many there are in a second. Loom has at most five threads, so the larger
programs are explore's alone. Without --peers, loom is left out.

With --rounds it measures instead how much two processes gain: it explores two
larger programs with one process and with two, in turns.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			if rounds > 0 {
				return sharing(cmd.Context(), ws.Dir, rounds, cmd.OutOrStdout())
			}
			return explorers(cmd.Context(), ws.Dir, peers, seconds, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&peers, "peers", "", "the `directory` of the program loom, see peers/README.md")
	cmd.Flags().IntVar(&seconds, "seconds", 10, "how long loom may take for each program")
	cmd.Flags().IntVar(&rounds, "rounds", 0, "measure one process and two, so often each")
	return cmd
}

func explorers(ctx context.Context, root, peers string, seconds int, out io.Writer) error {
	bench := exec.CommandContext(ctx, "go", "test", "-tags", "explore", "-run", "-", "-bench", "Programs", "-benchtime", "1x", ".")
	bench.Dir, bench.Stderr = filepath.Join(root, "explore"), os.Stderr
	text, err := bench.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	fmt.Fprintln(out, "| program | explorer | executions | orders | time | executions/s |\n|---|---|---|---|---|---|")
	for line := range strings.Lines(string(text)) {
		program, size, ours, err := ofBenchmark(line)
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if program == "" {
			continue
		}
		fmt.Fprintf(out, "| %s(%s) | explore | %s\n", program, size, ours)
		if peers != "" {
			theirs, err := ofLoom(ctx, filepath.Join(peers, "loom"), program, size, seconds)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "| | loom | %s\n", theirs)
		}
	}
	return nil
}

// sharing prints how long explorations take that one process or two share. What two processes
// can gain at most is seen from two explorations side by side, by one process each.
func sharing(ctx context.Context, root string, rounds int, out io.Writer) error {
	temp, err := os.MkdirTemp("", "explorers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "explore.test.exe")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-tags", "explore", "-o", program, ".")
	build.Dir = filepath.Join(root, "explore")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	fmt.Fprintln(out, machine.This(ctx))
	fmt.Fprintln(out, "\n| program | 1 process | 2 processes | times as fast | two by 1 process each, side by side | times as fast |\n|---|---|---|---|---|---|")
	for _, name := range []string{"lastzero", "store_buffer"} {
		var one, two, beside measure.Times
		for range rounds {
			for _, m := range []struct {
				times             *measure.Times
				copies, processes int
			}{{&one, 1, 1}, {&two, 1, 2}, {&beside, 2, 1}} {
				seconds, err := sharedBy(ctx, program, name, m.copies, m.processes)
				if err != nil {
					return err
				}
				*m.times = append(*m.times, seconds)
			}
		}
		fmt.Fprintf(out, "| %s | %.2f s | %.2f s | %.2f | %.2f s | %.2f |\n", name, one.Median(), two.Median(),
			one.Median()/two.Median(), beside.Median(), 2*one.Median()/beside.Median())
	}
	return nil
}

// sharedBy returns how long copies of an exploration take side by side, of so many processes each.
func sharedBy(ctx context.Context, program, name string, copies, processes int) (seconds float64, err error) {
	start := time.Now()
	ended := make(chan error)
	for range copies {
		cmd := exec.CommandContext(ctx, program, "-test.v", "-test.run", "^TestSharedProgram$/^"+name+"$")
		cmd.Env = append(os.Environ(), "EXPLORE_TEST_SHARED=1", fmt.Sprint("EXPLORE_PROCESSES=", processes))
		go func() {
			text, err := cmd.CombinedOutput()
			if err == nil && bytes.Contains(text, []byte(" 2 processes")) != (processes == 2) {
				err = errors.New("the number of processes is another one")
			}
			if err != nil {
				err = fmt.Errorf("%s, %d processes: %w\n%s", name, processes, err, text)
			}
			ended <- err
		}()
	}
	for range copies {
		err = errors.Join(err, <-ended)
	}
	return time.Since(start).Seconds(), err
}

// ofBenchmark returns the columns that a line of a benchmark has, if it is of a program.
func ofBenchmark(line string) (program, size, columns string, err error) {
	f := strings.Fields(line)
	if len(f) == 0 || !strings.HasPrefix(f[0], "BenchmarkPrograms/program=") {
		return "", "", "", nil
	}
	program, size, _ = strings.Cut(strings.TrimPrefix(f[0], "BenchmarkPrograms/program="), "/size=")
	size, _, _ = strings.Cut(size, "-")
	values := make(map[string]float64)
	for i := 2; i+1 < len(f); i += 2 {
		if values[f[i+1]], err = strconv.ParseFloat(f[i], 64); err != nil {
			return "", "", "", err
		}
	}
	passed := time.Duration(values["ns/op"])
	columns = fmt.Sprintf("%.0f | %.0f | %v | %.0f |", values["schedules"], values["orders"], rounded(passed), values["schedules/s"])
	return program, size, columns, nil
}

// ofLoom runs loom.
func ofLoom(ctx context.Context, loom, program, size string, seconds int) (columns string, err error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, loom, program, size, strconv.Itoa(seconds))
	cmd.Stderr = &said
	text, err := cmd.Output()
	if strings.Contains(said.String(), "self.threads.len() < self.max()") {
		return "too many threads | | | |", nil
	}
	var executions, ns int64
	var all bool
	if err == nil {
		_, err = fmt.Sscan(string(text), &executions, &ns, &all)
	}
	if err != nil {
		return "", fmt.Errorf("%s %s(%s): %w\n%s", loom, program, size, err, &said)
	}
	passed := time.Duration(ns)
	more := ""
	if !all {
		more = "more than "
	}
	return fmt.Sprintf("%s%d | | %s%v | %.0f |", more, executions, more, rounded(passed), float64(executions)/passed.Seconds()), nil
}

func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Millisecond)
}
