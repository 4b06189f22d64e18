package results_test

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
	"github.com/rouse-go/rouse/lab/internal/machine"
)

var abacus = machine.Machine{CPU: "Abacus", OS: "linux", Arch: "amd64", Go: "go1.25", Processors: 2, Commit: "c0ffee"}

// cells collects what was measured.
type cells struct {
	all   []*bench.Cell
	usage bench.Usage
}

// of begins a workload, and returns what adds a row to it.
func (c *cells) of(name, unit string, ops int, judge bench.Judge) func(name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
	w := &bench.Workload{Name: name, About: "some", Unit: unit, Ops: ops, Judge: judge, Apart: strings.HasPrefix(name, bench.SweepPrefix)}
	return func(name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
		i := &bench.Implementation{Name: name, Kind: kind}
		cell := &bench.Cell{Workload: w, Implementation: i, Workers: workers, Nanos: ns, Usage: c.usage, Counted: 10, Took: 200 * time.Millisecond}
		c.all = append(c.all, cell)
		return cell
	}
}

// measured is one of everything but loops and families.
func measured() []*bench.Cell {
	c := cells{usage: bench.Usage{Allocs: 40, Bytes: 640, Steals: 20, CPU: 1000, Wakes: 10}}
	fib := c.of("fib", "fork", 100, bench.Cost)
	fib("sequential", bench.Plain, 1, 4, 4, 4, 4, 4, 4, 4, 4)
	fib("goroutine", bench.Peer, 1, 400, 400, 400, 400, 400, 400)
	fib("rouse", bench.Ours, 1, 8, 8, 8, 8, 8, 8)
	fib("goroutine", bench.Peer, 2, 200, 200, 200, 200, 200, 200)
	fib("rayon", bench.Peer, 2, 10, 10, 10)
	fib("liar", bench.Peer, 2, 1).Err = errors.New("wrong answer:\nit is 4")
	fib("rouse", bench.Ours, 2, 5, 5, 5, 5, 5, 5)
	for _, workers := range []int{1, 2} {
		fib("gone", bench.Peer, workers).Err = errors.New("not installed")
	}
	large := c.of("fib-large", "fork", 100, bench.Cost)
	large("sequential", bench.Plain, 1, 4, 4, 4)
	large("rouse", bench.Ours, 2, 5, 5, 5)
	large("gone", bench.Peer, 2).Err = errors.New("not installed")
	coarse := c.of("coarse-1ms", "run", 1, bench.Wait)
	coarse("sequential", bench.Plain, 1, 9, 9, 9)
	coarse("rouse", bench.Ours, 2, 5, 5, 5)
	latency := c.of("latency-idle", "job", 1, bench.Wait)
	latency("goroutine", bench.Peer, 2, 90000, 100000, 110000)
	latency("rouse", bench.Ours, 2, 9000, 10000, 11000)
	c.of("wake", "post", 1, bench.Wait)("sleep=futex", bench.Ours, 1, 2500, 2500)
	return c.all
}

// sweep is a loop without a grain, and with some.
func sweep() []*bench.Cell {
	var c cells
	sweep := c.of("sweep-1000-1ns-first", "run", 1, bench.Wait)
	sweep("sequential", bench.Plain, 1, 4000)
	sweep("par", bench.Ours, 2, 3000)
	for name, ns := range map[string]float64{
		"onetbb": 2500, "onetbb-grain-1": 9000, "onetbb-grain-100": 2000, "rayon-grain-10": 5000, "rayon-novec-grain-10": 6000,
	} {
		sweep(name, bench.Peer, 2, ns)
	}
	return c.all
}

// loops is of module par: a loop that the bandwidth bounds, one that it does not bound, and
// sorts.
func loops(first string) []*bench.Cell {
	var c cells
	loop := c.of(first, "element", 1, bench.Cost)
	loop("sequential", bench.Plain, 1, 2)
	loop("par", bench.Ours, 1, 2.02)
	loop("par", bench.Ours, 2, 1.5)
	for name, ns := range map[string]float64{"conc": 3, "pargo": 2.5, "rill": 300, "rayon": 0.5, "rayon-novec": 1} {
		loop(name, bench.Peer, 2, ns)
	}
	triad := c.of("par-range", "element", 1, bench.Cost)
	triad("sequential", bench.Plain, 1, 2)
	triad("par", bench.Ours, 1, 2.5)
	triad("par", bench.Ours, 2, 2)
	triad("onetbb", bench.Peer, 2, 2)
	small := c.of("par-small-1000", "element", 1, bench.Cost)
	small("par", bench.Ours, 2, 2)
	small("onetbb-novec", bench.Peer, 2, 10)
	ints := c.of("par-sort-int", "element", 1, bench.Cost)
	ints("par", bench.Ours, 2, 9)
	ints("rayon", bench.Peer, 2, 10)
	pairs := c.of("par-sort-pairs", "element", 1, bench.Cost)
	pairs("par", bench.Ours, 2, 12)
	pairs("rayon", bench.Peer, 2, 10)
	failing := c.of("par-error", "run", 1, bench.Cost)
	failing("par", bench.Ours, 1, 50_000)
	failing("par", bench.Ours, 2, 70_000)
	return c.all
}

// table is the whole report, with one space between the words of each line and a bar
// where one ends.
func table(t *testing.T, r *results.Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(` *\n *`).ReplaceAllString(regexp.MustCompile(` +`).ReplaceAllString(b.String(), " "), "|")
}

// Each line stands for a number that would be wrong, or in the wrong place, without it.
func TestTable(t *testing.T) {
	for name, test := range map[string]struct {
		cells []*bench.Cell
		want  []string
	}{
		"rows": {measured(), []string{
			"Abacus, 2 processors, linux/amd64, go1.25, commit c0ffee|",
			"|fib: some|times for each fork, compared by the p10; CPU and counts for each run; measured for 1.8s|",
			"|rouse 2 5.00 ns 5.00 ns 0% 1.25× 0.50× 5.00 ns 100 ns 4.00 2.00 1.00 6|",
			"|goroutine 2 200 ns 200 ns 0% 50.0× 20.0× 200 ns 100 ns 4.00 2.00 1.00 6|",
			"|rayon 2 10.0 ns 10.0 ns ? 2.50× 1.00× 10.0 ns 100 ns 4.00 2.00 1.00 3|", // three runs have no confidence interval
			"|liar, 2 workers: wrong answer:; it is 4|",
			"|not measured, or wrong:|gone in 2 workloads: not installed|liar in fib: wrong answer:; it is 4|",
			"|sleep=futex 1 2.50 µs 2.50 µs ? 2.50 µs 100 ns 4.00 2.00 1.00 2|",
		}},
		"goals": {measured(), []string{
			"|goals: 4 of 7 kept|", "|missed fib, 1 worker: over the plain call ≤ 3 ns fib, sequential 4.00 ns|",
			"|missed fib: to goroutine ≤ 0.01× fib, 1 worker, goroutine 0.02×|fib, 2 workers, goroutine 0.025×|",
			"|kept fib: to rayon ≤ 0.5× fib, 2 workers, rayon 0.50×|", "|kept fib-large, all workers: to sequential ≤ 1.3× fib-large, sequential 1.25×|",
			"|kept latency, median: to goroutine ≤ 1× latency-idle, goroutine 0.10×|", "|missed coarse-1ms: speed-up a processor ≥ 0.975× coarse-1ms, sequential 0.90×|",
		}},
		"sweep": {sweep(), []string{
			"|sweep-1000-1ns-first 3.00 µs 6.00 µs rayon-novec, 10 0.50× 2.00 µs onetbb, 100 1.50×|",
		}},
		// What is as fast as the memory is no reason to miss a goal.
		"loops": {loops("par-for"), []string{
			"|missed par, 1 worker: to the plain loop ≤ 1.03× par-for, sequential 1.01×|par-range, sequential 1.25×|",
			"|missed par, 2 workers: times 1, or the bandwidth ≥ 1.9× par-for 1.35×, 0.44 of the bandwidth|par-range 1.25×, 1.00 of the bandwidth|",
			"|kept par: to the fastest other one in Go ≤ 1× par-for, pargo 0.60×|",
			"|missed par: to rayon and onetbb, not vectorized ≤ 1.05× par-for, rayon-novec 1.50×|",
			"|kept par-small: to rayon and onetbb ≤ 0.33× par-small-1000, onetbb-novec 0.20×|", "|missed par-sort-int: to the fastest peer ≤ 0.8× par-sort-int, rayon 0.90×|",
			"|kept par, stable sorts: to rayon's par_sort ≤ 1.5× par-sort-pairs, rayon 1.20×|",
			"|missed par-error: three quanta ≤ 60000 ns par-error, 1 worker 50.0 µs|par-error, 2 workers 70.0 µs|",
		}},
		"at the bandwidth": {loops("par-else"), []string{"|kept par, 2 workers: times 1, or the bandwidth"}},
	} {
		got := table(t, results.New(abacus, test.cells))
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, strings.ReplaceAll(got, "|", "\n"))
			}
		}
	}
}

// Goals of a first look say nothing.
func TestFirstLook(t *testing.T) {
	r := results.New(abacus, measured())
	r.Quick = true
	if got := table(t, r); strings.Contains(got, "kept") || r.OK() {
		t.Errorf("goals of a first look, or all is well:\n%s", got)
	}
}

// What is for benchstat can be read by what benchstat reads with, and has a
// line for each run with a right answer.
func TestBenchstat(t *testing.T) {
	var b strings.Builder
	if err := results.New(abacus, measured()).WriteBenchfmt(&b); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	reader := benchfmt.NewReader(strings.NewReader(got), "report")
	var runs int
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v in\n%s", reader.Result(), got)
		}
		runs++
		if name := result.Name.String(); name == "Fib/impl=rouse/workers=2" {
			for unit, want := range map[string]float64{"sec/op": 500e-9, "sec/fork": 5e-9, "allocs/op": 4, "B/op": 64} {
				if x, _ := result.Value(unit); math.Abs(x-want) > want/1e6 {
					t.Errorf("%v %s, want %v", x, unit, want)
				}
			}
		}
		if result.GetConfig("cpu") != "Abacus" {
			t.Errorf("cpu is %q", result.GetConfig("cpu"))
		}
	}
	if err := reader.Err(); err != nil || runs != 8+6+6+6+3+6+3+3+3+3+3+3+2 {
		t.Errorf("%d runs, error %v, in\n%s", runs, err, got)
	}
	if strings.Contains(got, "liar") {
		t.Errorf("a wrong answer has a time:\n%s", got)
	}
}
