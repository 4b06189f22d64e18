package impl_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/impl"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

// The test program, by the name of a peer, is that: it is right about fib.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != bench.Rayon {
		os.Exit(m.Run())
	}
	workers, _ := strconv.Atoi(os.Args[2])
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch os.Args[1] {
		case "fib":
			fmt.Printf("[%d, %d]\n", work.FibNumber(10), 1000+workers)
		case "beside":
			fmt.Println("[0, 1000, 3000]")
		case "tree":
			fmt.Println("[2016]")
		case "submit":
			fmt.Println("what?")
		case "uts":
			time.Sleep(time.Hour)
		default:
			fmt.Fprintln(os.Stderr, "a library is missing")
			os.Exit(7)
		}
	}
}

// Every workload gives the right answer on everything that can run it, and there are two of those or
// more.
func TestAnswers(t *testing.T) {
	for _, w := range bench.Workloads(bench.Tiny) {
		t.Run(w.Name, func(t *testing.T) {
			w.Workers = []int{3}
			answers(t, w)
		})
	}
}

func answers(t *testing.T, w *bench.Workload) {
	cells, err := (&bench.Plan{Implementations: impl.Local(), Pieces: 2, Time: 1}).Measure(t.Context(), w)
	if err != nil || len(cells) < 2 {
		t.Fatalf("only %d implementations can run it, error %v", len(cells), err)
	}
	for _, c := range cells {
		if c.Err != nil || c.Runs == 0 {
			t.Errorf("%s: %d runs, error %v", c.Implementation.Name, c.Runs, c.Err)
		}
	}
}

// Where a program needs the workers asleep, all of them are when it begins: a
// job that is submitted then takes the seat of one, and is not queued. A
// failure means that runs begin with workers that still look for work.
func TestAsleep(t *testing.T) {
	program := &work.Program{Asleep: true, Pool: func(p *pool.Pool) (uint64, error) {
		before := p.Stats().Injected
		h, err := pool.Submit(p, func(*pool.Worker) uint64 { return p.Stats().Injected - before })
		if err != nil {
			return 0, err
		}
		return h.Wait(context.Background())
	}}
	answers(t, &bench.Workload{Workers: []int{40}, Program: func() *work.Program { return program }})
}

// A program that is right is measured by its own clock. One that is broken, not there or late is said to be, and
// what it says to standard error on its way out is why there is no answer. What hangs does not stop the command,
// and is started again. An interrupted command leaves no children behind.
func TestOutside(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, bench.Rayon)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	// measure returns what comes of a workload on a program, with two workers.
	measure := func(ctx context.Context, patience time.Duration, workload, name string) *bench.Cell {
		all := bench.Workloads(bench.Tiny)
		w := all[slices.IndexFunc(all, func(w *bench.Workload) bool { return w.Name == workload })]
		w.Workers = nil
		plan := &bench.Plan{Implementations: impl.Outside(ctx, dir, patience), Workers: []int{2}, Pieces: 2, Time: 1}
		cells, err := plan.Measure(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		return cells[slices.IndexFunc(cells, func(c *bench.Cell) bool { return c.Implementation.Name == name })]
	}
	for _, test := range []struct{ workload, name, says string }{
		{"par-for", bench.OneTBB, "no such file"}, {"sort", bench.Rayon, "no answer: EOF\nexit status 7: a library is missing"},
		{"tree", bench.Rayon, "no answer: it is [2016]"}, {"submit", bench.Rayon, "no answer: invalid character"},
	} {
		if c := measure(t.Context(), time.Minute, test.workload, test.name); c.Err == nil || !strings.Contains(c.Err.Error(), test.says) {
			t.Errorf("%s on %s: %+v, want an error with %q", test.workload, test.name, c, test.says)
		}
	}
	if c := measure(t.Context(), time.Minute, "fib", bench.Rayon); c.Err != nil || c.Nanos[0] != 1002/float64(work.FibForks(10)) {
		t.Errorf("rayon: %+v", c)
	}
	if c := measure(t.Context(), time.Minute, "beside", bench.Rayon); c.Err != nil || c.Nanos[0] != 1000 || c.Nanos[1] != 3000 || len(c.Nanos) != 2*c.Runs {
		t.Errorf("requests: %+v", c)
	}
	if c := measure(t.Context(), 50*time.Millisecond, "uts", bench.Rayon); c.Err != nil || c.Hung != 2 || c.Runs != 0 {
		t.Errorf("what hangs in both pieces: %+v", c)
	}
	interrupted, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if c := measure(interrupted, time.Minute, "uts", bench.Rayon); !errors.Is(c.Err, context.DeadlineExceeded) {
		t.Errorf("what was interrupted: %+v", c)
	}
}
