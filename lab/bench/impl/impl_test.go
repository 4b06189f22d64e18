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
)

// The test program, by another name, is a peer.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "rayon":
		peer()
	case "onetbb-novec":
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

// Every workload gives the right answer on everything that can run it, and is measured on all
// that it names.
func TestAnswers(t *testing.T) {
	local, outside := impl.Local(), peers(t).Implementations()
	known := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(local, outside), func(i *bench.Implementation) bool { return i.Name == name })
	}
	names := make(map[string]bool)
	for _, w := range bench.Workloads(bench.Tiny) {
		if names[w.Name] {
			t.Errorf("two workloads are %s", w.Name)
		}
		names[w.Name] = true
		for _, name := range slices.Concat(w.Beside, w.More, w.In) {
			if !known(name) {
				t.Errorf("%s is measured on %s, which there is not", w.Name, name)
			}
		}
		t.Run(w.Name, func(t *testing.T) {
			w.Workers = []int{3}
			plan := &bench.Plan{Workloads: []*bench.Workload{w}, Implementations: local, Asked: true, Workers: w.Workers, Repeat: 2, Time: 1}
			cells, err := plan.Run(t.Context())
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
	for _, w := range bench.Workloads(bench.Quick) {
		if !slices.ContainsFunc(bench.Workloads(bench.Full), func(v *bench.Workload) bool { return v.Name == w.Name }) {
			t.Errorf("%s is only there in small", w.Name)
		}
	}
}

// peers makes a directory with the given programs, all of which are this one.
func peers(t *testing.T, names ...string) *impl.Outside {
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
	o := impl.NewOutside(context.Background(), dir, time.Minute) // ended by Close
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// measure returns what comes of a workload on an implementation, with two workers.
func measure(t *testing.T, o *impl.Outside, workload, name string) *bench.Cell {
	t.Helper()
	plan := &bench.Plan{Implementations: o.Implementations(), Asked: true, Workers: []int{2}, Repeat: 2, Time: time.Millisecond}
	for _, w := range bench.Workloads(bench.Tiny) {
		if w.Name == workload {
			w.Workers = nil
			plan.Workloads = append(plan.Workloads, w)
		}
	}
	cells, err := plan.Run(t.Context())
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
	o := peers(t, "rayon", "onetbb-novec")
	for _, test := range []struct{ workload, name, says string }{
		{"par-for", "onetbb", "not installed"},
		{"par-for", "onetbb-novec", "ended without an answer\nexit status 7\na library is missing"},
		{"queens", "rayon", "no workload queens"},
		{"tree", "rayon", `says "2016 -5", where "-5" is no time`},
		{"tree", "sequential-rayon", `says "2016 -5"`},
		{"sort", "rayon", "the result is no number"},
		{"submit-1", "rayon", `says "what?", must be RESULT NS`},
	} {
		if c := measure(t, o, test.workload, test.name); c == nil || c.Err == nil || !strings.Contains(c.Err.Error(), test.says) {
			t.Errorf("%s on %s: %+v, want an error with %q", test.workload, test.name, c, test.says)
		}
	}
	if c := measure(t, o, "fib", "rayon"); c.Err != nil || c.Nanos[0] != 1002/float64(work.FibForks(10)) {
		t.Errorf("rayon: %+v", c)
	}
	if c := measure(t, o, "beside", "rayon"); c.Err != nil || c.Nanos[0] != 1000 || c.Nanos[1] != 3000 || len(c.Nanos) != 2*c.Runs {
		t.Errorf("requests: %+v", c)
	}
	for _, name := range []string{"onetbb", "rayon-novec"} {
		if c := measure(t, o, "fib", name); c != nil {
			t.Errorf("a workload that this program does not have: %+v", c)
		}
	}
}

// A failure means that a program that hangs stops the command or is not started again, or that an
// interrupted command leaves its children behind.
func TestHangs(t *testing.T) {
	o := peers(t, "rayon")
	ctx, cancel := context.WithCancel(t.Context())
	quick := impl.NewOutside(ctx, o.Dir(), 50*time.Millisecond)
	if c := measure(t, quick, "integrate", "rayon"); c.Err != nil || c.Hung != 2 || c.Runs != 0 {
		t.Errorf("what hangs in both pieces: %+v", c)
	}
	cancel()
	if c := measure(t, quick, "integrate", "rayon"); c.Err == nil || !errors.Is(c.Err, context.Canceled) {
		t.Errorf("what was interrupted: %+v", c)
	}
}

// The published trees have the published sizes.
func TestPublishedTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for tree, nodes := range map[work.UTSTree]uint64{work.T1: 4130071, work.T3: 4112897} {
		if n := work.UTS(tree).Sequential(); n != nodes {
			t.Errorf("%+v has %d nodes, want %d", tree, n, nodes)
		}
	}
}
