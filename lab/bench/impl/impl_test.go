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

// The test program, by another name, is a peer.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "rayon":
		peer()
	case "onetbb":
		fmt.Fprintln(os.Stderr, "a library\nis missing")
		os.Exit(7)
	default:
		os.Exit(m.Run())
	}
}

// peer is right about fib.
func peer() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text()) // run NAME WORKERS SIZE
		n, _ := strconv.Atoi(words[3])
		workers, _ := strconv.Atoi(words[2])
		switch words[1] {
		case "fib":
			fmt.Println(work.FibNumber(n), 1000+workers)
		case "beside":
			fmt.Println(0, 1000, 3000)
		case "tree":
			fmt.Println(2016, -5) // The answer is right, the time is not.
		case "sort":
			fmt.Println("unsorted", 5)
		case "integrate":
			time.Sleep(time.Hour)
		case "submit":
			fmt.Println("what?")
		default:
			fmt.Println("error: no workload", strings.Join(words[1:], " "))
		}
	}
}

// Every workload gives the right answer on everything that can run it, and there are two of those or
// more.
func TestAnswers(t *testing.T) {
	names := make(map[string]bool)
	for _, w := range bench.Workloads(bench.Tiny) {
		if names[w.Name] {
			t.Errorf("two workloads are %s", w.Name)
		}
		names[w.Name] = true
		t.Run(w.Name, func(t *testing.T) {
			w.Workers = []int{3}
			cells, err := (&bench.Plan{Implementations: impl.Local(), Asked: true, Pieces: 2, Time: 1}).Measure(t.Context(), w)
			if err != nil || len(cells) < 2 {
				t.Fatalf("only %d implementations can run it, error %v", len(cells), err)
			}
			for _, c := range cells {
				if c.Err != nil || c.Runs == 0 {
					t.Errorf("%s: %d runs, error %v", c.Implementation.Name, c.Runs, c.Err)
				}
			}
		})
	}
}

// Where a program needs the workers asleep, all of them are when it begins: a
// job that is submitted then takes the seat of one, and is not queued. A
// failure means that runs begin with workers that still look for work.
func TestAsleep(t *testing.T) {
	program := &work.Program{Asleep: true, Pool: func(p *pool.Pool) (uint64, error) {
		before := p.Stats()
		h, err := pool.Submit(p, func(*pool.Worker) uint64 { return 1 })
		if err != nil {
			return 0, err
		}
		if now := p.Stats(); now.Injected != before.Injected {
			return 0, errors.New("the job was queued, so somebody is awake")
		}
		return h.Wait(context.Background())
	}}
	w := &bench.Workload{Name: "asleep", Want: 1, Workers: []int{40}, Program: func() *work.Program { return program }}
	cells, err := (&bench.Plan{Implementations: impl.Local(), Asked: true, Pieces: 5, Time: 1}).Measure(t.Context(), w)
	if err != nil || len(cells) != 2 {
		t.Fatalf("%d implementations have a pool, error %v", len(cells), err)
	}
	for _, c := range cells {
		if c.Err != nil {
			t.Errorf("%s: %v", c.Implementation.Name, c.Err)
		}
	}
}

// peers makes a directory with the given programs, all of which are this one. A program that takes longer
// than patience hangs.
func peers(ctx context.Context, t *testing.T, patience time.Duration, names ...string) []*bench.Implementation {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	o := impl.NewOutside(ctx, dir, patience)
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o.Implementations()
}

// measure returns what comes of a workload on an implementation, with two workers.
func measure(t *testing.T, on []*bench.Implementation, workload, name string) *bench.Cell {
	t.Helper()
	plan := &bench.Plan{Implementations: on, Workers: []int{2}, Pieces: 2, Time: time.Millisecond}
	all := bench.Workloads(bench.Tiny)
	w := all[slices.IndexFunc(all, func(w *bench.Workload) bool { return w.Name == workload })]
	w.Workers = nil
	cells, err := plan.Measure(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if c.Implementation.Name == name {
			return c
		}
	}
	return nil
}

// A program that is right is measured by its own clock; one that is broken or
// not there is said to be, and what it says to standard error on its way out is why there is no
// answer. The next line starts it again.
func TestOutside(t *testing.T) {
	on := peers(context.Background(), t, time.Minute, bench.Rayon, bench.OneTBB) // ended by Close
	for _, test := range []struct{ workload, name, says string }{
		{"par-for", bench.OneTBB, "ended without an answer\nexit status 7\na library is missing"},
		{"queens", bench.Rayon, "no workload queens"},
		{"tree", bench.Rayon, `says "2016 -5", where "-5" is no time`},
		{"sort", bench.Rayon, "the result is no number"},
		{"submit", bench.Rayon, `says "what?", must be RESULT NS`},
	} {
		if c := measure(t, on, test.workload, test.name); c == nil || c.Err == nil || !strings.Contains(c.Err.Error(), test.says) {
			t.Errorf("%s on %s: %+v, want an error with %q", test.workload, test.name, c, test.says)
		}
	}
	if c := measure(t, on, "fib", bench.Rayon); c.Err != nil || c.Nanos[0] != 1002/float64(work.FibForks(10)) {
		t.Errorf("rayon: %+v", c)
	}
	if c := measure(t, on, "beside", bench.Rayon); c.Err != nil || c.Nanos[0] != 1000 || c.Nanos[1] != 3000 || len(c.Nanos) != 2*c.Runs {
		t.Errorf("requests: %+v", c)
	}
	if c := measure(t, on, "fib", bench.OneTBB); c != nil {
		t.Errorf("a workload that this program does not have: %+v", c)
	}
}

// A failure means that a program that hangs stops the command or is not started again, or that an
// interrupted command leaves its children behind.
func TestHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	on := peers(ctx, t, 50*time.Millisecond, bench.Rayon)
	if c := measure(t, on, "integrate", bench.Rayon); c.Err != nil || c.Hung != 2 || c.Runs != 0 {
		t.Errorf("what hangs in both pieces: %+v", c)
	}
	cancel()
	if c := measure(t, on, "integrate", bench.Rayon); c.Err == nil || !errors.Is(c.Err, context.Canceled) {
		t.Errorf("what was interrupted: %+v", c)
	}
}

// The published tree has the published size.
func TestPublishedTree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a second")
	}
	if n := work.UTS(10).Plain(); n != 4130071 {
		t.Errorf("T1 has %d nodes", n)
	}
}
