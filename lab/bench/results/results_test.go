package results_test

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
	"github.com/rouse-go/rouse/lab/internal/machine"
)

var abacus = machine.Machine{CPU: "Abacus", OS: "linux", Arch: "amd64", Go: "go1.25", Processors: 2, Commit: "c0ffee"}

// cells collects what was measured.
type cells []*bench.Cell

// of begins a workload, and returns what adds a row to it.
func (c *cells) of(name, unit string, judge bench.Judge) func(name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
	w := &bench.Workload{Name: name, About: "some", Unit: unit, Ops: 1, Judge: judge}
	return func(name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
		i := &bench.Implementation{Name: name, Kind: kind}
		cell := &bench.Cell{Workload: w, Implementation: i, Workers: workers, Nanos: ns, Runs: len(ns)}
		*c = append(*c, cell)
		return cell
	}
}

// measured is one of everything.
func measured() (c cells) {
	fib := c.of("fib", "fork", bench.Cost)
	fib("sequential", bench.Plain, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4)
	fib("goroutine", bench.Peer, 1, 400, 400, 400)
	fib("rouse", bench.Ours, 1, 8, 8, 8)
	fib("goroutine", bench.Peer, 2, 200, 200, 200, 200, 200, 200)
	fib("rayon", bench.Peer, 2, 10, 10, 10)
	fib("liar", bench.Peer, 2, 1).Err = errors.New("wrong answer:\nit is 4")
	fib("rouse", bench.Ours, 2, 5, 5, 5, 5, 5, 5)
	for _, workers := range []int{1, 2} {
		fib("gone", bench.Peer, workers).Err = errors.New("not installed")
	}
	coarse := c.of("coarse-1ms", "run", bench.Wait)
	coarse("sequential", bench.Plain, 1, 9, 9, 9)
	coarse("rouse", bench.Ours, 2, 5, 5, 5)
	coarse("gone", bench.Peer, 2).Err = errors.New("not installed")
	latency := c.of("latency-idle", "job", bench.Wait)
	latency("goroutine", bench.Peer, 2, 90000, 100000, 110000)
	latency("rouse", bench.Ours, 2, 9000, 10000, 11000)
	c.of("locks", "run", bench.Wait)("rayon", bench.Peer, 4, 2500, 2500).Hung = 3
	return c
}

// loops is of module par: one that the bandwidth bounds, and one that it does not bound.
func loops() (c cells) {
	loop := c.of("par-for", "element", bench.Cost)
	loop("sequential", bench.Plain, 1, 2)
	loop("rouse", bench.Ours, 1, 2.02)
	loop("rouse", bench.Ours, 2, 1.5)
	loop("goroutine-cutoff", bench.Peer, 2, 2.5)
	loop("rayon", bench.Peer, 2, 0.5)
	loop("rayon-novec", bench.Peer, 2, 1)
	triad := c.of("par-range", "element", bench.Cost)
	triad("sequential", bench.Plain, 1, 2)
	triad("rouse", bench.Ours, 1, 2.5)
	triad("rouse", bench.Ours, 2, 2)
	triad("onetbb", bench.Peer, 2, 2)
	failing := c.of("par-error", "run", bench.Cost)
	failing("rouse", bench.Ours, 1, 50_000)
	failing("rouse", bench.Ours, 2, 70_000)
	return c
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
		cells cells
		want  []string
	}{
		"rows": {measured(), []string{
			"Abacus, 2 processors, linux/amd64, go1.25, commit c0ffee|",
			"|fib: some|times for each fork, compared by the p10|",
			"|rouse 2 5 ns 5 ns 0% 5 ns 1.25× 0.5× 6|",
			"|goroutine 2 200 ns 200 ns 0% 200 ns 50× 20× 6|",
			"|rayon 2 10 ns 10 ns ? 10 ns 2.5× 1× 3|", // three runs have no confidence interval
			"|liar, 2 workers: wrong answer:; it is 4|",
			"|not measured, or wrong:|gone: not installed (fib, coarse-1ms)|liar: wrong answer:; it is 4 (fib)|",
			"|rayon 4 2.5 µs 2.5 µs ? 2.5 µs 1× 2|rayon, 4 workers: hangs in 3 of 5 runs|",
		}},
		"goals": {measured(), []string{
			"|goals: 3 of 6 kept|", "|missed fib, 1 worker: over the plain call ≤ 3 ns fib, sequential 4 ns|",
			"|missed fib: to goroutine ≤ 0.01× fib, 1 workers, goroutine 0.02×|fib, 2 workers, goroutine 0.025×|",
			"|kept fib: to rayon ≤ 0.5× fib, 2 workers, rayon 0.5×|", "|missed coarse-1ms: speed-up a processor ≥ 0.975× coarse-1ms, sequential 0.9×|",
			"|kept latency, median: to goroutine ≤ 1× latency-idle, goroutine 0.1×|",
		}},
		// What is as fast as the memory is no reason to miss a goal.
		"loops": {loops(), []string{
			"|missed par, 1 worker: to the plain loop ≤ 1.03× par-for, sequential 1.01×|par-range, sequential 1.25×|",
			"|missed par, 2 workers: times 1, or the bandwidth ≥ 1.9× par-for 1.35×|par-range 1.9×|",
			"|kept par: to the fastest other one in Go ≤ 1× par-for, goroutine-cutoff 0.6×|",
			"|missed par: to rayon and onetbb, not vectorized ≤ 1.05× par-for, rayon-novec 1.5×|",
			"|missed par-error: three quanta ≤ 60000 ns par-error, 1 workers 50 µs|par-error, 2 workers 70 µs|",
		}},
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
	var runs int
	for reader := benchfmt.NewReader(strings.NewReader(b.String()), "report"); reader.Scan(); runs++ {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok || strings.Contains(result.Name.String(), "liar") || result.GetConfig("cpu") != "Abacus" {
			t.Fatalf("%v in\n%s", reader.Result(), &b)
		}
		if x, _ := result.Value("sec/fork"); result.Name.String() == "Fib/impl=rouse/workers=2" && math.Abs(x-5e-9) > 1e-15 {
			t.Errorf("%v s a fork, want 5e-9", x)
		}
	}
	if want := 9 + 3 + 3 + 6 + 3 + 6 + 3 + 3 + 3 + 3 + 2; runs != want {
		t.Errorf("%d runs, want %d, in\n%s", runs, want, &b)
	}
}
