package bench_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/rouse-go/rouse/lab/bench"
)

// cells are one of everything.
func cells() (all []*bench.Cell) {
	w := &bench.Workload{Name: "my-fib", About: "some", Unit: "fork", Cost: true, Goals: []bench.Goal{
		{Most: 0.019, Of: "goroutine"}, {Most: 0.4, Of: bench.Others, Workers: 2}, {Most: 0.5, Of: "rayon", Tail: true}, {Most: 7}, {Most: 9, Of: "liar"},
	}}
	row := func(name string, workers int, ns ...float64) *bench.Cell {
		i := &bench.Implementation{Name: name, Fixed: name == bench.Sequential}
		all = append(all, &bench.Cell{Workload: w, Implementation: i, Workers: workers, Nanos: ns, Runs: len(ns)})
		return all[len(all)-1]
	}
	row(bench.Sequential, 1, 4, 4, 4)
	row("goroutine", 1, 400)
	row(bench.Ours, 1, 8)
	row("goroutine", 2, 250)
	row("rayon", 2, 10)
	row("liar", 2, 1).Err = errors.New("wrong answer:\nit is 4")
	row("late", 2, 2500, 2500).Hung = 3
	row(bench.Ours, 2, append([]float64{6, 4, 3, 4, 6}, slices.Repeat([]float64{5}, 15)...)...)
	return all
}

// Each line stands for a number that would be wrong, or in the wrong place, without it. A goal is compared
// with what has as many workers, by the statistic of its workload, and not with a wrong answer.
func TestTable(t *testing.T) {
	var b strings.Builder
	var r bench.Report
	if err := r.Table(&b, cells()); err != nil {
		t.Fatal(err)
	}
	if err := r.End(&b); err == nil || !strings.HasPrefix(err.Error(), "1 rows") {
		t.Errorf("one row has failed, error %v", err)
	}
	got := regexp.MustCompile(` *\n *`).ReplaceAllString(regexp.MustCompile(` +`).ReplaceAllString(b.String(), " "), "|")
	for _, want := range []string{
		"|my-fib: some|times for each fork, compared by the p10|", "|sequential 1 4 ns 4 ns 4 ns 1× 3|",
		"|rouse 2 4 ns 5 ns 6 ns 1× 20|", "|goroutine 2 250 ns 250 ns 250 ns 62.5× 1|",
		"|liar, 2 workers: wrong answer:; it is 4|late, 2 workers: hangs in 3 of 5 runs|" +
			"missed, with 1 workers: at most 0.019× of goroutine: 0.02×|kept, with 2 workers: at most 0.019× of goroutine: 0.016×|" +
			"kept, with 2 workers: at most 0.4× of rayon: 0.4×|missed, with 2 workers: at most 0.5× of rayon: 0.4×, p99 0.6×|" +
			"missed, with 1 workers: at most 7 ns: 8 ns|kept, with 2 workers: at most 7 ns: 4 ns||goals: 3 of 6 kept|",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "||", "|"), strings.ReplaceAll(want, "||", "|")) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// What is for benchstat can be read by what benchstat reads with, and has a
// line for each run with a right answer.
func TestLines(t *testing.T) {
	var b strings.Builder
	if err := bench.Lines(&b, cells()); err != nil {
		t.Fatal(err)
	}
	runs, slowest := 0, 0
	for reader := benchfmt.NewReader(strings.NewReader(b.String()), "lines"); reader.Scan(); runs++ {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v in\n%s", reader.Result(), &b)
		}
		if x, _ := result.Value("sec/fork"); result.Name.String() == "/my_fib/impl=rouse/workers=2" && x > 5.5e-9 && x < 6.5e-9 {
			slowest++
		}
	}
	if runs != 3+1+1+1+1+2+20 || slowest != 2 {
		t.Errorf("%d runs, %d of them of ours with 6 ns, in\n%s", runs, slowest, &b)
	}
}
