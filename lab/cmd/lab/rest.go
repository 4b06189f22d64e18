package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/internal/child"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/columns"
)

// control is the name of the program at rest that has no pool.
const control = "no pool"

func restCommand() *cobra.Command {
	var seconds float64
	var workers int
	var as string
	cmd := &cobra.Command{
		Use:   "rest",
		Short: "Count what pools at rest cost, beside a program without a pool",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("as") {
				return beAtRest(as, workers, os.Stdin, cmd.OutOrStdout())
			}
			if seconds <= 0 {
				return fmt.Errorf("--seconds is %v, must be more than 0", seconds)
			}
			if runtime.GOOS != "linux" {
				return errors.New("rest reads the counts of the Linux kernel, which is not here")
			}
			return rest(cmd.Context(), time.Duration(seconds*float64(time.Second)), workers, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.Float64Var(&seconds, "seconds", 10, "leave the programs alone so long")
	f.IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "make pools of so many workers")
	f.StringVar(&as, "as", "", "be the program at rest of this name")
	_ = f.MarkHidden("as")
	return cmd
}

// beAtRest has a pool with the given sleep backend work, or is the control. When it is asked,
// it says so. Then it does nothing until its input ends.
func beAtRest(name string, workers int, in io.Reader, out io.Writer) error {
	if name != control {
		sleeps, err := backends.PickSleeps([]string{name})
		if err != nil {
			return err
		}
		p, err := pool.New(pool.WithWorkers(workers), pool.WithSleep(sleeps[0].New))
		if err != nil {
			return err
		}
		defer p.Close()
		if _, err := pool.Run(context.Background(), p, busy, 25); err != nil {
			return err
		}
	}
	asked := bufio.NewScanner(in)
	for asked.Scan() {
		fmt.Fprintln(out, "at rest")
	}
	return asked.Err()
}

// busy forks at every call.
func busy(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, busy, n-2)
	return busy(w, n-1) + f.Join(w)
}

// spent is what the kernel has counted for a program, all threads together.
type spent struct {
	cpu       time.Duration
	scheduled int64 // times put on a processor
	gaveUp    int64 // times that it gave up a processor without being made to
}

func (s spent) minus(t spent) spent {
	return spent{s.cpu - t.cpu, s.scheduled - t.scheduled, s.gaveUp - t.gaveUp}
}

// rest lets the programs rest side by side, and prints their counts.
func rest(ctx context.Context, d time.Duration, workers int, out io.Writer) error {
	names := []string{control}
	for _, s := range backends.Sleeps() {
		names = append(names, s.Name)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var resting []*child.Program
	for _, name := range names {
		p := child.New(ctx, time.Minute, self, "rest", "--as", name, "--workers", strconv.Itoa(workers))
		if err := p.Start(); err != nil {
			return err
		}
		defer p.Close()
		if _, err := p.Ask("rest"); err != nil {
			return fmt.Errorf("the program with %q did not come to rest: %w", name, cmp.Or(ctx.Err(), err))
		}
		resting = append(resting, p)
	}
	before := make([]spent, len(resting))
	for i, p := range resting {
		if before[i], err = settle(ctx, p.Pid()); err != nil {
			return err
		}
	}
	if err := pause(ctx, d); err != nil {
		return err
	}
	t := columns.New(1, "sleep backend", "CPU µs", "put on a CPU", "gave it up")
	for i, p := range resting {
		after, err := spentBy(p.Pid())
		if err != nil {
			return err
		}
		s := after.minus(before[i])
		t.Row(names[i], s.cpu.Microseconds(), s.scheduled, s.gaveUp)
	}
	_, err = fmt.Fprintf(out, "%d workers at rest for %v\n\n%s\n", workers, d, t)
	return err
}

// settle waits until the counts stand still, or for a while if they never do,
// and returns them.
func settle(ctx context.Context, pid int) (spent, error) {
	last, err := spentBy(pid)
	for range 20 {
		if err != nil {
			break
		}
		if err = pause(ctx, 200*time.Millisecond); err != nil {
			break
		}
		var now spent
		if now, err = spentBy(pid); now == last {
			break
		}
		last = now
	}
	return last, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// spentBy reads the kernel's counts of each thread.
func spentBy(pid int) (spent, error) {
	var sum spent
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil || len(threads) == 0 {
		return sum, errors.Join(err, errors.New("no /proc to read the kernel's counts from"))
	}
	for _, thread := range threads {
		stat, err := os.ReadFile(filepath.Join(thread, "schedstat"))
		if err != nil {
			return sum, err
		}
		var cpu, waited, scheduled int64
		if _, err := fmt.Sscan(string(stat), &cpu, &waited, &scheduled); err != nil {
			return sum, fmt.Errorf("%s/schedstat: %w", thread, err)
		}
		status, err := os.ReadFile(filepath.Join(thread, "status"))
		if err != nil {
			return sum, err
		}
		_, rest, _ := strings.Cut(string(status), "\nvoluntary_ctxt_switches:")
		field, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		gaveUp, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return sum, fmt.Errorf("%s/status: %w", thread, err)
		}
		sum.cpu += time.Duration(cpu)
		sum.scheduled += scheduled
		sum.gaveUp += gaveUp
	}
	return sum, nil
}
