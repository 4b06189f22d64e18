package results_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
)

// families is what the tables of several workloads are made of, after a
// workload that has none.
func families() *results.Report {
	of := func(name string, ops int, judge bench.Judge) *bench.Workload {
		return &bench.Workload{Name: name, About: "some", Unit: "fork", Ops: ops, Judge: judge}
	}
	cell := func(w *bench.Workload, name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
		return &bench.Cell{Workload: w, Implementation: name, Kind: kind, Workers: workers, Nanos: ns, Usage: bench.Unknown()}
	}
	ms := func(x float64) []float64 { return []float64{x * 1e6, x * 1e6, 100e6} }
	fib, small, large := of("fib", 100, bench.Cost), of("depth-10", 511, bench.Cost), of("depth-12", 2047, bench.Cost)
	flat, flatMore, tree := of("fill-flat-64", 1, bench.Wait), of("fill-flat-256", 1, bench.Wait), of("fill-tree-64", 1, bench.Wait)
	wrong := cell(tree, "errgroup", bench.Peer, 64, ms(1)...)
	wrong.Err = errors.New("wrong answer")
	sweep := of("sweep-1000-1ns-first", 1, bench.Wait)
	return results.New(abacus, []*bench.Cell{
		cell(sweep, "sequential", bench.Plain, 1, 4000), cell(sweep, "par", bench.Ours, 2, 3000),
		cell(sweep, "onetbb", bench.Peer, 2, 2500), cell(sweep, "onetbb-grain-1", bench.Peer, 2, 9000),
		cell(sweep, "onetbb-grain-100", bench.Peer, 2, 2000), cell(sweep, "rayon-grain-10", bench.Peer, 2, 5000),
		cell(sweep, "rayon-novec-grain-10", bench.Peer, 2, 6000),
		cell(fib, "goroutine", bench.Peer, 2, 9), cell(fib, "rouse", bench.Ours, 2, 3),
		cell(small, "sequential", bench.Plain, 1, 2, 2, 2), cell(small, "rouse", bench.Ours, 1, 7, 7, 7), cell(small, "rouse", bench.Ours, 2, 8, 8, 8),
		cell(large, "sequential", bench.Plain, 1, 3, 3, 3), cell(large, "rouse", bench.Ours, 2, 4, 4, 4), cell(large, "rayon", bench.Peer, 2, 11, 11, 11),
		cell(flat, "goroutine", bench.Peer, 64, ms(4)...), cell(flat, "rouse", bench.Ours, 64, ms(6)...),
		cell(flat, "rouse/deque=chaselev/sleep=futex/publish=demand", bench.Ours, 64, ms(5)...),
		cell(flatMore, "goroutine", bench.Peer, 256, ms(5)...), cell(flatMore, "rouse", bench.Ours, 256, ms(20)...),
		cell(tree, "rouse", bench.Ours, 64, ms(8)...), wrong,
	})
}

// rows returns the lines of a text that begin with one of these, each with one
// space between its words.
func rows(text, begin string) (all []string) {
	for _, line := range regexp.MustCompile(`(?m)^`+begin+`.*$`).FindAllString(text, -1) {
		all = append(all, strings.Join(strings.Fields(line), " "))
	}
	return all
}

// A failure means that the table by depth has a number in the wrong place.
func TestDepthTable(t *testing.T) {
	got := written(t, families().WriteTable)
	want := []string{
		"depth forks sequential rouse, 1 rouse, 2 rayon, 2",
		"10 511 2.00 ns 7.00 ns 8.00 ns",
		"12 2047 3.00 ns 4.00 ns 11.0 ns",
	}
	if rows := rows(got, `(depth |10 |12 )`); strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nin\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"), got)
	}
	if !regexp.MustCompile(`(?m)^12 +2047 +3\.00 ns {12,}4\.00 ns`).MatchString(got) {
		t.Errorf("what one worker has not measured is not left out in\n%s", got)
	}
}

// A failure means that the table of leaves that sleep has a number in the wrong
// place. A time in leaf times is one in milliseconds by two.
func TestFillTable(t *testing.T) {
	got := written(t, families().WriteTable)
	want := []string{
		"fill-flat goroutine 4.00 ms 2.00 1.00× 5.00 ms 2.50 1.00×",
		"fill-flat rouse 6.00 ms 3.00 1.50× 20.0 ms 10.0 4.00×",
		"fill-flat rouse/sleep=futex 5.00 ms 2.50 1.25×",
		"fill-tree rouse 8.00 ms 4.00", // Nobody to compare with.
	}
	if rows := rows(got, `fill-[a-z]+ `); strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nin\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"), got)
	}
	if got := rows(got, " +implementation"); len(got) != 1 || got[0] != "implementation 64 workers leaf times to goroutine 256 workers leaf times to goroutine" {
		t.Errorf("the header is %q", got)
	}
}

// A failure means that par is compared with another grain than the best one.
func TestSweepTable(t *testing.T) {
	got := written(t, families().WriteTable)
	want := []string{"1000 1ns first 3.00 µs 6.00 µs rayon-novec, 10 0.50× 2.00 µs onetbb, 100 1.50× 4.00 µs 2.50 µs"}
	if rows := rows(got, `1000 `); strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nin\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"), got)
	}
}

// A failure means that nobody is told how far 64 and 256 workers are from the
// goal.
func TestFillGoal(t *testing.T) {
	got := written(t, families().WriteTable)
	if !regexp.MustCompile(`(?m)^missed +fill: to goroutine +≤ 2× +fill-flat-64 +1\.50×\n +fill-flat-256 +4\.00×$`).MatchString(got) {
		t.Errorf("the goal is not in\n%s", got)
	}
}

// What has a table of its own is not in the glance, and does not say how many
// workers the report has: a failure means that goals are looked up at 256
// workers, where nothing else was measured.
func TestGlanceWithoutFamilies(t *testing.T) {
	got := written(t, families().WriteTable)
	glance, _, _ := strings.Cut(got[strings.Index(got, "at a glance"):], "\ngoals")
	if !strings.Contains(glance, "with 2 workers") || !strings.Contains(glance, "\nfib ") || strings.Contains(glance, "fill") || strings.Contains(glance, "depth") || strings.Contains(glance, "sweep") {
		t.Errorf("the glance is\n%s", glance)
	}
}

// A failure means that the page lacks what the table has.
func TestFamiliesOnPage(t *testing.T) {
	got := written(t, families().WriteHTML)
	for _, want := range []string{
		`<a href="#depth">`, `<section id="depth">`, `<tr><td class="left">12</td><td>2047</td><td>3.00 ns</td><td></td><td>4.00 ns</td><td>11.0 ns</td></tr>`,
		`<a href="#sweep">`, `<section id="sweep">`,
		`<a href="#fill">`, `<section id="fill">`, `<tr><td class="left">fill-flat</td><td class="left">rouse</td><td>6.00 ms</td><td>3.00</td><td>1.50×</td><td>20.0 ms</td>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// A report in JSON may come from anywhere: a failure means that one whose
// workload has an odd name ends the command.
func TestOddNames(t *testing.T) {
	for _, name := range []string{"fill-", "fill-flat", "depth-", "depth-x", "sweep-", "sweep-x", "par-", "par-x"} {
		r := families()
		for i := range r.Workloads {
			r.Workloads[i].Name = name
		}
		kept, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		read, err := results.Read(strings.NewReader(string(kept)))
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, read.WriteTable); !strings.Contains(got, name) {
			t.Errorf("no %s in\n%s", name, got)
		}
	}
}
