package bench_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/rouse-go/rouse/lab/bench"
)

// row is what was measured of an implementation.
func row(w *bench.Workload, name string, workers int, ns ...float64) *bench.Cell {
	i := &bench.Implementation{Name: name, Fixed: name == bench.Sequential}
	return &bench.Cell{Workload: w, Implementation: i, Workers: workers, Nanos: ns, Runs: len(ns)}
}

// cells are one of everything.
func cells(goals ...bench.Goal) []*bench.Cell {
	w := &bench.Workload{Name: "my-fib", About: "some", Unit: "fork", Ops: 1, Judge: bench.Cost, Goals: goals}
	liar, gone, late := row(w, "liar", 2, 1), row(w, "gone", 1), row(w, "late", 2, 2500, 2500)
	liar.Err, gone.Err, late.Hung = errors.New("wrong answer:\nit is 4"), errors.New("not installed"), 3
	return []*bench.Cell{
		row(w, bench.Sequential, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4), row(w, "goroutine", 1, 400, 400, 400), row(w, bench.Ours, 1, 8, 8, 8),
		row(w, "goroutine", 2, 250, 250, 250, 250, 250, 250), row(w, "rayon", 2, 10, 10, 10), liar, gone, late,
		row(w, bench.Ours, 2, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6),
	}
}

// report is the whole, with one space between the words of each line and a bar where one ends.
func report(t *testing.T, cells []*bench.Cell) string {
	t.Helper()
	var b strings.Builder
	r := bench.Report{Processors: 2}
	if err := r.Table(&b, cells); err != nil {
		t.Fatal(err)
	}
	if err := r.End(&b); err == nil {
		t.Error("all is well")
	}
	return regexp.MustCompile(` *\n *`).ReplaceAllString(regexp.MustCompile(` +`).ReplaceAllString(b.String(), " "), "|")
}

// Each line stands for a number that would be wrong, or in the wrong place, without it.
func TestTable(t *testing.T) {
	got := report(t, cells())
	for _, want := range []string{
		"|my-fib: some|times for each fork, compared by the p10|",
		"|sequential 1 4 ns 4 ns 0% 4 ns 1× 9|",
		"|rouse 2 4 ns 5 ns 20% 6 ns 1× 10|",
		"|goroutine 2 250 ns 250 ns 0% 250 ns 62.5× 6|",
		"|rayon 2 10 ns 10 ns ? 10 ns 2.5× 3|", // three runs have no confidence interval
		"|liar, 2 workers: wrong answer:; it is 4|",
		"|late, 2 workers: hangs in 3 of 5 runs|",
		"|not measured, or wrong:|liar: wrong answer:; it is 4 (my-fib)|gone: not installed (my-fib)|",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.ReplaceAll(got, "|", "\n"))
		}
	}
}

// A goal is compared with what has as many workers, by the statistic of its workload.
func TestGoals(t *testing.T) {
	for _, test := range []struct {
		goal bench.Goal
		want string
	}{
		{bench.Goal{Most: 0.019, Of: "goroutine"}, "missed, with 1 workers: at most 0.019× of goroutine: 0.02×|kept, with 2 workers: at most 0.019× of goroutine: 0.016×|"},
		{bench.Goal{Most: 0.4, Of: bench.Others, Workers: 2}, "kept, with 2 workers: at most 0.4× of rayon: 0.4×|"},
		{bench.Goal{Most: 0.5, Of: "rayon", Tail: true}, "missed, with 2 workers: at most 0.5× of rayon: 0.4×, p99 0.6×|"},
		{bench.Goal{Most: 1.5, Of: bench.Sequential, Shared: true}, "missed, with 1 workers: at most 1.5× of sequential, by the processors: 2×|" +
			"missed, with 2 workers: at most 1.5× of sequential, by the processors: 2×|"},
		{bench.Goal{Most: 7}, "missed, with 1 workers: at most 7 ns: 8 ns|kept, with 2 workers: at most 7 ns: 4 ns|"},
		{bench.Goal{Most: 1, Of: "liar"}, ""},
	} {
		got := report(t, cells(test.goal))
		want := "hangs in 3 of 5 runs|" + test.want
		if told := strings.Count(test.want, "|"); told > 0 {
			want += fmt.Sprintf("goals: %d of %d kept|", strings.Count(test.want, "kept"), told)
		}
		if got = strings.ReplaceAll(got, "||", "|"); !strings.Contains(got, want+"not measured") {
			t.Errorf("%+v: no %q in %q", test.goal, want, got)
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
	runs, ours := 0, 0
	for reader := benchfmt.NewReader(strings.NewReader(b.String()), "lines"); reader.Scan(); runs++ {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok || strings.Contains(result.Name.String(), "liar") {
			t.Fatalf("%v in\n%s", reader.Result(), &b)
		}
		if x, _ := result.Value("sec/fork"); result.Name.String() == "My_fib/impl=rouse/workers=2" && math.Abs(x-6e-9) < 1e-15 {
			ours++
		}
	}
	if want := 9 + 3 + 3 + 6 + 3 + 2 + 10; runs != want || ours != 2 {
		t.Errorf("%d runs, want %d, %d of them of ours with 6 ns, in\n%s", runs, want, ours, &b)
	}
}
