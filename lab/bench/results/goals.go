package results

import (
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/rouse-go/rouse/lab/bench"
)

// A goal is a bound on what the pool or par, on its defaults, is meant to cost.
// They are of the full sizes.
type goal struct {
	title   string
	limit   string   // a bound such as "≤ 2×" or "≥ 60 ns"
	of      []string // patterns of names of workloads
	workers int      // each number, or the most
	to      []string // what it is compared with: the fastest of these, with as many workers
	by      func(r *Report, ours, other *row) float64
}

// Which rows of ours a goal is about, in place of a number of workers.
const (
	each = 0
	most = -1
)

var (
	plainly   = []string{bench.SequentialName}
	goroutine = []string{"goroutine"}
	peers     = []string{anyPeer}
	// inGo are what par should be ahead of, and scalar what it should not be behind: these
	// make no vector instructions, and call bodies, as Go does.
	inGo   = []string{"goroutine-cutoff", "conc"}
	scalar = []string{"rayon" + bench.NoVectors, "onetbb" + bench.NoVectors}

	// larger are the workloads that somebody might have.
	larger    = []string{"uts-t1", "uts-t3", "queens", "integrate", "matmul", "sort"}
	latencies = []string{"latency-idle", "latency-busy"}
	// parLoops are those that should cost what a plain loop does.
	parLoops = pars("for", "map", "filter", "reduce", "range", "sum")
	// parScalar are those that others do without vectors, too, and with bodies called.
	parScalar = append(pars("scan", "nested", "find-*", "histogram-*", "seq", "error", "mandelbrot", "sparse"), parLoops...)
	parAll    = append(pars("small", "sort-int", "sort-pairs", "sort-strings", "sort-key"), parScalar...)
)

func pars(names ...string) (all []string) {
	for _, n := range names {
		all = append(all, bench.ParPrefix+n)
	}
	return all
}

var goals = []goal{
	{"fib, 1 worker: over the plain call", "≤ 3 ns", []string{"fib"}, 1, plainly, over},
	{"fib: to goroutine", "≤ 0.01×", []string{"fib"}, each, goroutine, ratio},
	{"fib: to rayon", "≤ 0.5×", []string{"fib"}, each, []string{"rayon"}, ratio},
	{"fib-large, all workers: to sequential", "≤ 1.3×", []string{"fib-large"}, most, plainly, ratio},
	{"fib, 64 workers: to 2", "≤ 1.1×", []string{"fib-64"}, 64, nil, crowded},
	{"tree-small: to sequential", "≤ 3×", []string{"tree-small"}, most, plainly, ratio},
	{"coarse-1ms: speed-up a processor", "≥ 0.975×", []string{"coarse-1ms"}, most, plainly, speedup},
	{"larger, 1 worker: to sequential", "≤ 1.05×", larger, 1, plainly, ratio},
	{"larger: speed-up a processor", "≥ 0.95×", larger, most, plainly, speedup},
	{"larger: to the fastest peer", "≤ 1×", larger, most, peers, ratio},
	{"submit-1", "≤ 60 ns", []string{"submit-1"}, each, nil, itself},
	{"latency, median: to goroutine", "≤ 1×", latencies, most, goroutine, ratio},
	{"latency, p99: to goroutine", "≤ 1×", latencies, most, goroutine, func(_ *Report, ours, other *row) float64 { return ours.p99 / other.p99 }},
	{"fill: to goroutine", "≤ 2×", []string{"fill-*"}, most, goroutine, ratio},
	{"par, 1 worker: to the plain loop", "≤ 1.03×", parLoops, 1, plainly, ratio},
	{"par, 2 workers: times 1, or the bandwidth", "≥ 1.9×", parLoops, 2, nil, doubled},
	{"par-scan, 1 worker: to the plain loop", "≤ 2.2×", pars("scan"), 1, plainly, ratio},
	{"par-scan, 2 workers: to the plain loop", "≤ 1.2×", pars("scan"), 2, plainly, ratio},
	{"par-nested, 1 worker: to the plain loop", "≤ 1.1×", pars("nested"), 1, plainly, ratio},
	{"par: to the fastest other one in Go", "≤ 1×", parAll, most, inGo, ratio},
	{"par: to rayon and onetbb, not vectorized", "≤ 1.05×", parScalar, most, scalar, ratio},
	{"par-small: to rayon and onetbb", "≤ 0.33×", pars("small"), most, scalar, ratio},
	{"par-sort-int: to the fastest peer", "≤ 0.8×", pars("sort-int"), most, peers, ratio},
	{"par, stable sorts: to rayon's par_sort", "≤ 1.5×", pars("sort-pairs"), most, []string{"rayon"}, ratio},
	{"par-sort-key: to rayon's par_sort_by_key", "≤ 1×", pars("sort-key"), most, []string{"rayon"}, ratio},
	{"par-seq", "≤ 150 ns", pars("seq"), each, nil, itself},
	{"par-error: three quanta", "≤ 60000 ns", pars("error"), each, nil, itself},
}

func itself(_ *Report, ours, _ *row) float64    { return ours.judged }
func over(_ *Report, ours, other *row) float64  { return ours.judged - other.judged }
func ratio(_ *Report, ours, other *row) float64 { return ours.judged / other.judged }
func crowded(r *Report, ours, _ *row) float64   { return ours.judged / r.ours(ours, 2) }

// doubled is how many times as fast two workers are as one: 1.9, too, if they move 0.95 of the bytes
// of a second that the fastest implementation of nstream moves.
func doubled(r *Report, two, _ *row) float64 {
	x := r.ours(two, 1) / two.judged
	for _, w := range r.workloads {
		if w.Name == "par-range" && bytesMoved[two.Workload.Name]/two.judged >= 0.95*bytesMoved[w.Name]/w.best((*row).timed).judged {
			x = max(x, 1.9)
		}
	}
	return x
}

// bytesMoved is how many bytes a loop moves for each element.
var bytesMoved = map[string]float64{"par-range": 24, "par-map": 16, "par-for": 8, "par-filter": 8, "par-reduce": 8, "par-sum": 8}

// ours is what our row of the same workload takes with so many workers: NaN if there is none.
func (r *Report) ours(of *row, workers int) float64 {
	for _, w := range r.workloads {
		if row := w.best(func(r *row) bool { return r.isOurs() && r.Workers == workers }); row != nil && w.Workload == of.Workload {
			return row.judged
		}
	}
	return math.NaN()
}

// speedup is how many times as fast all workers are as the plain function, for
// each processor that they can have.
func speedup(r *Report, ours, other *row) float64 {
	return other.judged / ours.judged / float64(max(1, min(ours.Workers, r.Machine.Processors)))
}

// writeGoals prints what came of each goal that can be told from what was measured.
func (r *Report) writeGoals(out io.Writer) error {
	if r.Quick {
		return nil
	}
	var b strings.Builder
	t, told, kept := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0), 0, 0
	for _, g := range goals {
		readings := r.readings(g)
		if readings == nil {
			continue
		}
		told++
		verdict := "missed"
		if !slices.ContainsFunc(readings, func(x reading) bool { return !x.kept }) {
			verdict = "kept"
			kept++
		}
		title, limit := g.title, g.limit
		for _, x := range readings {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", verdict, title, limit, x.place, x.here)
			verdict, title, limit = "", "", ""
		}
	}
	if told == 0 {
		return nil
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\ngoals: %d of %d kept\n\n%s", kept, told, &b)
	return err
}

// A reading is what came of a goal in one place.
type reading struct {
	place, here string
	kept        bool
}

func (r *Report) readings(g goal) (all []reading) {
	bound, unit, _ := strings.Cut(strings.Replace(g.limit, "×", " ×", 1)[len("≤ "):], " ")
	limit, err := strconv.ParseFloat(bound, 64)
	if err != nil {
		panic(err) // TestTable reads all of them.
	}
	for _, w := range r.workloads {
		if !slices.ContainsFunc(g.of, func(pattern string) bool { ok, _ := path.Match(pattern, w.Name); return ok }) {
			continue
		}
		for _, ours := range w.rows {
			if !ours.isOurs() || !ours.timed() || g.workers == most && ours != w.ours() || g.workers > 0 && ours.Workers != g.workers {
				continue
			}
			place, write := w.Name, times
			if g.workers == each {
				place += fmt.Sprintf(", %d workers", ours.Workers)
			}
			var other *row
			if g.to != nil {
				if other = w.fastest(ours.Workers, g.to...); other == nil {
					continue
				}
				place += ", " + other.name
			}
			x := g.by(r, ours, other)
			if math.IsNaN(x) {
				continue
			}
			if unit == "ns" {
				write = nanos
			}
			kept := x <= limit
			if strings.HasPrefix(g.limit, "≥") {
				kept = x >= limit
			}
			all = append(all, reading{place, write(x), kept})
		}
	}
	return all
}
