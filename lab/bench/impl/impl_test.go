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
		rightPeer()
	case "onetbb":
		brokenPeer()
	case "onetbb-novec":
		fmt.Fprintln(os.Stderr, "a library\nis missing")
		os.Exit(7)
	default:
		os.Exit(m.Run())
	}
}

// rightPeer knows one workload.
func rightPeer() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text()) // run fib WORKERS SIZE
		if words[1] == "tree" {
			fmt.Println(-5, 2016, 63) // The answer is right, the time is not.
			continue
		}
		if words[1] != "fib" {
			fmt.Println("error: no workload", strings.Join(words[1:], " "))
			continue
		}
		n, _ := strconv.Atoi(words[3])
		workers, _ := strconv.Atoi(words[2])
		fmt.Println(1000+workers, work.FibNumber(n), work.FibForks(n))
	}
}

// brokenPeer answers nonsense, then dies.
func brokenPeer() {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	fmt.Println("what?")
}

// Every workload gives the right answer on everything that can run it, and is measured on all
// that it names.
func TestAnswers(t *testing.T) {
	const workers = 3
	local := impl.Local()
	outside := peers(t).Implementations()
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
			program := w.Program()
			ran := 0
			for _, i := range local {
				instance, err := i.Open(w, program, workers)
				if errors.Is(err, bench.ErrUnfit) {
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", i.Name, err)
				}
				ran++
				t.Run(i.Name, func(t *testing.T) {
					for range 2 {
						if err := runOnce(w, instance); err != nil {
							t.Error(err)
						}
					}
				})
				if err := call(instance.Close); err != nil {
					t.Errorf("%s: %v", i.Name, err)
				}
			}
			if ran < 2 {
				t.Errorf("only %d implementations can run it", ran)
			}
		})
	}
	for _, w := range bench.Workloads(bench.Quick) {
		if !slices.ContainsFunc(bench.Workloads(bench.Full), func(v *bench.Workload) bool { return v.Name == w.Name }) {
			t.Errorf("%s is only there in small", w.Name)
		}
	}
}

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

func runOnce(w *bench.Workload, i *bench.Instance) error {
	if err := call(i.Resume); err != nil {
		return err
	}
	defer call(i.Pause)
	before := i.Usage()
	run, err := i.Run()
	if err != nil {
		return err
	}
	if run.Elapsed < 0 || i.Usage().CPU < before.CPU {
		return fmt.Errorf("a run took %v, and the usage went from %+v to %+v", run.Elapsed, before, i.Usage())
	}
	return w.Check(run.Answer)
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
	o := impl.NewOutside(context.Background(), dir) // ended by Close
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func measure(t *testing.T, o *impl.Outside, workload string) map[string]*bench.Cell {
	t.Helper()
	plan := &bench.Plan{Implementations: o.Implementations(), Workers: []int{2}, Repeat: 2, Time: time.Millisecond}
	for _, w := range bench.Workloads(bench.Tiny) {
		if w.Name == workload {
			plan.Workloads = append(plan.Workloads, w)
		}
	}
	cells, err := plan.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*bench.Cell)
	for _, c := range cells {
		all[c.Implementation.Name] = c
	}
	return all
}

// A program that is right is measured by its own clock; one that is broken or
// not there is said to be, and what it says to standard error on its way out is why there is no
// answer.
func TestOutside(t *testing.T) {
	o := peers(t, "rayon", "onetbb", "onetbb-novec")
	c := measure(t, o, "fib")["rayon"]
	if c.Err != nil || c.Nanos[0] != 1002/float64(work.FibForks(10)) {
		t.Errorf("rayon: %+v", c)
	}
	for _, test := range []struct{ workload, name, says string }{
		{"par-sum", "onetbb", `says "what?", must be NS RESULT`},
		{"par-for", "rayon-novec", "not installed"},
		{"par-for", "onetbb-novec", "ended without an answer\nexit status 7\na library is missing"},
		{"queens", "rayon", "no workload queens"},
		{"tree", "rayon", `says "-5 2016 63"`},
		{"tree", "sequential-rayon", `says "-5 2016 63"`},
		{"sweep-10-1ns-even", "rayon-grain-100", "no workload sweep-1ns-even 2 10 100"},
		{"sweep-10-1ns-even", "rayon", "no workload sweep-1ns-even 2 10"},
	} {
		if c := measure(t, o, test.workload)[test.name]; c == nil || c.Err == nil || !strings.Contains(c.Err.Error(), test.says) {
			t.Errorf("%s on %s: %+v, want an error with %q", test.workload, test.name, c, test.says)
		}
	}
	for _, workload := range []string{"unbalanced", "fib", "par-filter"} {
		if c := measure(t, o, workload)["onetbb"]; c != nil {
			t.Errorf("a workload that this program does not have: %+v", c)
		}
	}
}
