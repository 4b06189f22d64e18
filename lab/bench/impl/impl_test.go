package impl_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/impl"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/tools/backends"
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

func local() []bench.Implementation {
	all := []bench.Implementation{impl.Sequential()}
	all = append(all, impl.Groups()...)
	all = append(all, impl.Loops()...)
	all = append(all, impl.Rouse(backends.Deques(), backends.Sleeps())...)
	return append(all, impl.Backends(backends.Sleeps())...)
}

// Every workload gives the right answer on everything that can run it, and
// something that does can.
func TestAnswers(t *testing.T) {
	const workers = 3
	for _, w := range bench.Workloads(bench.Tiny, workers) {
		t.Run(w.Name, func(t *testing.T) {
			program := w.Program()
			ran := 0
			for _, i := range local() {
				instance, err := i.Open(w, program, workers)
				if _, unfit := err.(bench.Unfit); unfit {
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", i.Name(), err)
				}
				ran++
				t.Run(i.Name(), func(t *testing.T) {
					for range 2 {
						if err := runOnce(w, instance); err != nil {
							t.Error(err)
						}
					}
				})
				if err := instance.Close(); err != nil {
					t.Errorf("%s: %v", i.Name(), err)
				}
			}
			least := 5
			if strings.HasPrefix(w.Name, bench.ParPrefix) {
				least = 2 // Few libraries have more than loops.
			} else if program.Sleeps != nil {
				least = len(backends.Sleeps())
			}
			if ran < least {
				t.Errorf("only %d implementations can run it, want %d or more", ran, least)
			}
		})
	}
}

func runOnce(w *bench.Workload, i bench.Instance) error {
	if err := i.Resume(); err != nil {
		return err
	}
	defer i.Pause()
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
	for _, w := range bench.Workloads(bench.Full, 2) {
		if !strings.HasPrefix(w.Name, "uts") {
			continue
		}
		program := w.Program()
		for _, i := range local() {
			if i.Name() != "sequential" && i.Name() != "rouse" {
				continue
			}
			instance, err := i.Open(w, program, 2)
			if err != nil {
				t.Fatal(err)
			}
			if err := runOnce(w, instance); err != nil {
				t.Errorf("%s on %s: %v", w.Name, i.Name(), err)
			}
			instance.Close()
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
	for _, w := range bench.Workloads(bench.Tiny, 2) {
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
		all[c.Implementation] = c
	}
	return all
}

// A program that is right is measured by its own clock; one that is broken or
// not there is said to be.
func TestOutside(t *testing.T) {
	o := peers(t, "rayon", "onetbb")
	cells := measure(t, o, "fib")
	forks := work.FibForks(10)
	if c := cells["rayon"]; c.Err != nil || c.Nanos[0] != 1002/float64(forks) || c.Usage.Forks != int64(c.Counted*forks) {
		t.Errorf("rayon: %+v", c)
	}
	if c := cells["sequential-rayon"]; c.Err != nil || c.Nanos[0] != 1000/float64(forks) || c.Workers != 1 {
		t.Errorf("sequential-rayon: %+v", c)
	}
	if c := cells["onetbb"]; c.Err == nil || !strings.Contains(c.Err.Error(), `says "what?"`) {
		t.Errorf("onetbb: %+v", c)
	}
	if c := measure(t, o, "par-for")["rayon-novec"]; c.Err == nil || !strings.Contains(c.Err.Error(), "not installed") {
		t.Errorf("rayon-novec: %+v", c)
	}
	if c := measure(t, o, "queens")["rayon"]; c.Err == nil || !strings.Contains(c.Err.Error(), "no workload queens") {
		t.Errorf("a workload that it does not know: %+v", c)
	}
	sweep := measure(t, o, "sweep-10-1ns-even")
	if c := sweep["rayon-grain-100"]; c.Err == nil || !strings.Contains(c.Err.Error(), "no workload sweep-1ns-even 2 10 100") {
		t.Errorf("a workload with a grain: %+v", c)
	}
	if c := sweep["rayon"]; c.Err == nil || strings.Contains(c.Err.Error(), "2 10 100") {
		t.Errorf("the same without one: %+v", c)
	}
	if c := sweep["gnu"]; c != nil {
		t.Errorf("a workload that this program does not have: %+v", c)
	}
	if c := measure(t, o, "unbalanced")["rayon"]; c != nil {
		t.Errorf("a workload that programs outside do not have: %+v", c)
	}
}

// What a program says to standard error on its way out is why there is no
// answer, and no program runs backwards in time.
func TestOutsideComplaints(t *testing.T) {
	o := peers(t, "rayon", "onetbb-novec")
	if c := measure(t, o, "par-for")["onetbb-novec"]; c.Err == nil || c.Err.Error() != "ended without an answer\nexit status 7\na library is missing" {
		t.Errorf("onetbb-novec: %v", c.Err)
	}
	if c := measure(t, o, "tree")["rayon"]; c.Err == nil || !strings.Contains(c.Err.Error(), `says "-5 2016 63", must be NS RESULT FORKS`) {
		t.Errorf("rayon: %v", c.Err)
	}
}
