package results_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
	"github.com/rouse-go/rouse/tools/machine"
)

var abacus = machine.Machine{CPU: "Abacus", OS: "linux", Arch: "amd64", Go: "go1.25", Processors: 2, Commit: "c0ffee"}

// measured is one of everything.
func measured() []*bench.Cell {
	fib := &bench.Workload{Name: "fib", About: "many forks", Unit: "fork", Ops: 100, Judge: bench.Cost}
	large := &bench.Workload{Name: "fib-large", About: "more", Unit: "fork", Ops: 100, Judge: bench.Cost}
	latency := &bench.Workload{Name: "latency-idle", About: "one post", Unit: "job", Ops: 1}
	coarse := &bench.Workload{Name: "coarse-1ms", About: "long leaves", Unit: "run", Ops: 1}
	usage := bench.Unknown()
	usage.Allocs, usage.Bytes, usage.Steals = 40, 640, 20
	cell := func(w *bench.Workload, name string, kind bench.Kind, workers int, ns ...float64) *bench.Cell {
		return &bench.Cell{Workload: w, Implementation: name, Kind: kind, Workers: workers, Nanos: ns, Usage: usage, Counted: 10, Took: 200 * time.Millisecond}
	}
	wrong := cell(fib, "liar", bench.Peer, 2, 1)
	wrong.Err = errors.New("wrong answer:\nit is 4")
	unfit := cell(fib, "flat", bench.Peer, 2)
	unfit.Unfit = "it cannot nest"
	cells := []*bench.Cell{
		cell(fib, "sequential", bench.Plain, 1, 4, 4, 4, 4, 4, 4, 4, 4),
		cell(fib, "goroutine", bench.Peer, 1, 400, 400, 400, 400, 400, 400),
		cell(fib, "rouse", bench.Ours, 1, 8, 8, 8, 8, 8, 8),
		cell(fib, "goroutine", bench.Peer, 2, 200, 200, 200, 200, 200, 200),
		cell(fib, "rayon", bench.Peer, 2, 10, 10, 10),
		wrong, unfit,
		cell(fib, "rouse", bench.Ours, 2, 5, 5, 5, 5, 5, 5),
		cell(fib, "rouse/deque=locked/sleep=jec/publish=eager", bench.Ours, 2, 50, 50),
		cell(large, "sequential", bench.Plain, 1, 4, 4, 4), cell(large, "rouse", bench.Ours, 2, 5, 5, 5),
		cell(coarse, "sequential", bench.Plain, 1, 9, 9, 9), cell(coarse, "rouse", bench.Ours, 2, 5, 5, 5),
		cell(latency, "goroutine", bench.Peer, 2, 90000, 100000, 110000),
		cell(latency, "rouse", bench.Ours, 2, 9000, 10000, 11000),
	}
	for _, name := range []string{"post-awake", "post-asleep", "wake", "rest"} {
		w := &bench.Workload{Name: name, About: "of a backend", Unit: "post", Ops: 1}
		cells = append(cells, cell(w, "sleep=spin", bench.Peer, 1, 3, 3), cell(w, "sleep=futex", bench.Ours, 1, 2500, 2500))
	}
	return cells
}

func report() *results.Report {
	r := results.New(abacus, measured())
	r.Command = "lab bench --quick <fib>"
	return r
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRatios(t *testing.T) {
	r := report()
	if r.OK {
		t.Error("a wrong answer is said to be well")
	}
	rows := r.Workloads[0].Rows
	last := rows[7] // rouse with 2 workers
	if *last.ToSequential != 1.25 || *last.ToBestPeer != 0.5 || last.BestPeer != "rayon" {
		t.Errorf("5 ns, to 4 sequentially and 10 of rayon: %v, %v of %s", *last.ToSequential, *last.ToBestPeer, last.BestPeer)
	}
	if one := rows[2]; one.BestPeer != "goroutine" || *one.ToBestPeer != 0.02 {
		t.Errorf("with 1 worker: %v of %s, want 0.02 of goroutine", *one.ToBestPeer, one.BestPeer)
	}
	if *last.Allocs != 4 || *last.Steals != 2 || last.CPU != nil || last.Parks != nil {
		t.Errorf("counts for a run: allocs %v, steals %v, CPU %v, parks %v", *last.Allocs, *last.Steals, last.CPU, last.Parks)
	}
	if few := rows[4]; few.MedianLow != nil || *few.Median != 10 {
		t.Errorf("three runs have a confidence interval from %v", *few.MedianLow)
	}
	if liar := rows[5]; liar.ToSequential != nil || liar.Error != "wrong answer:; it is 4" {
		t.Errorf("a wrong answer: %+v", liar)
	}
}

func TestTable(t *testing.T) {
	got := written(t, func(w io.Writer) error { return report().Write(w, "table") })
	for _, want := range []string{
		"Abacus, 2 processors, linux/amd64, go1.25, commit c0ffee\n",
		"\nfib: many forks\ntimes for each fork, compared by the p10; CPU and counts for each run; measured for 1.8s\n",
		"liar, 2 workers: wrong answer:; it is 4\n", "flat, 2 workers: it cannot nest\n",
		"100 µs", "1.25×", "0.50×",
		"Pure spin", "Lock-free futex", "2.50 µs", "post, one asleep",
		"\nlocked  jec    eager          2  50.0 ns", "  steals  wakes  runs\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") || regexp.MustCompile(`(?m) $`).MatchString(got) {
		t.Errorf("colours, or spaces at the end of a line, in\n%s", got)
	}
}

// The names in the JSON are what other programs rely on, so they are spelled
// out here once more.
func TestJSON(t *testing.T) {
	var r map[string]any
	if err := json.Unmarshal([]byte(written(t, func(w io.Writer) error { return report().Write(w, "json") })), &r); err != nil {
		t.Fatal(err)
	}
	workload := r["workloads"].([]any)[0].(map[string]any)
	row := workload["rows"].([]any)[7].(map[string]any)
	for _, test := range []struct {
		object any
		want   string
	}{
		{r, "machine command quick ok workloads"},
		{r["machine"], "cpu os arch go processors commit"},
		{workload, "name about unit ops judge rows"},
		{row, "implementation kind workers runs took_ns judged_ns median_ns median_low_ns median_high_ns p10_ns p99_ns to_sequential to_best_peer best_peer " +
			"cpu_ns slept preempted allocs bytes forks published steals parks wakes ns"},
	} {
		var keys []string
		for k := range test.object.(map[string]any) {
			keys = append(keys, k)
		}
		want := strings.Fields(test.want)
		slices.Sort(keys)
		slices.Sort(want)
		if !slices.Equal(keys, want) {
			t.Errorf("got the names %q, want %q", keys, want)
		}
	}
	if row["cpu_ns"] != nil || len(row["ns"].([]any)) != 6 {
		t.Errorf("CPU %v, %v", row["cpu_ns"], row["ns"])
	}
}

// What is for benchstat can be read by what benchstat reads with, and has a
// line for each run with a right answer.
func TestBenchstat(t *testing.T) {
	got := written(t, func(w io.Writer) error { return report().Write(w, "benchstat") })
	reader := benchfmt.NewReader(strings.NewReader(got), "report")
	var runs int
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v in\n%s", reader.Result(), got)
		}
		runs++
		if name := result.Name.String(); name == "Fib/impl=rouse/workers=2" {
			if s, _ := result.Value("sec/op"); math.Abs(s-500e-9) > 1e-15 {
				t.Errorf("a run took %v s, want 500 ns", s)
			}
			if s, _ := result.Value("sec/fork"); math.Abs(s-5e-9) > 1e-17 {
				t.Errorf("a fork took %v s, want 5 ns", s)
			}
			if n, _ := result.Value("allocs/op"); n != 4 {
				t.Errorf("%v allocations, want 4", n)
			}
		}
		if result.GetConfig("cpu") != "Abacus" {
			t.Errorf("cpu is %q", result.GetConfig("cpu"))
		}
	}
	if err := reader.Err(); err != nil || runs != 8+6+6+6+3+6+2+3+3+3+3+3+3+16 {
		t.Errorf("%d runs, error %v, in\n%s", runs, err, got)
	}
	if strings.Contains(got, "liar") {
		t.Errorf("a wrong answer has a time:\n%s", got)
	}
}

// The page is whole: it loads nothing, and has plots and all rows.
func TestPage(t *testing.T) {
	got := written(t, report().WriteHTML)
	for _, want := range []string{
		"Abacus", "<h2>fib</h2>", "many forks", "Time against workers", "Each tick is a percent", "it cannot nest", "Pure spin",
		"Combinations of backends", "deque=locked", "40.0× faster", "At a glance", "Goals", "lab bench --quick &lt;fib&gt;",
		"<li>liar in fib: wrong answer", "</html>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(got, "<svg"); n != 8+1+1+1 {
		t.Errorf("%d plots, want times of 8 workloads, time against workers and combinations of 1, and the glance", n)
	}
	if m := regexp.MustCompile(`(?i)(src|href)="[^#"][^"]*"|url\(|<script|@import`).FindString(got); m != "" {
		t.Errorf("the page loads %s", m)
	}
	for _, wrong := range []string{"NaN", "-8000000", "ZgotmplZ", "#0102"} { // the last is a hue without its name
		if strings.Contains(got, wrong) {
			t.Errorf("%s in the page", wrong)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := report().Write(io.Discard, "poem"); err == nil || !strings.Contains(err.Error(), "table, json, benchstat") {
		t.Errorf("error %v", err)
	}
}

// What cannot be written is an error, as when the disk is full.
func TestWriteFails(t *testing.T) {
	full := errors.New("disk full")
	for _, format := range results.Formats() {
		if err := report().Write(broken{full}, format); !errors.Is(err, full) {
			t.Errorf("%s: error %v", format, err)
		}
	}
	if err := report().WriteHTML(broken{full}); !errors.Is(err, full) {
		t.Errorf("page: error %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
