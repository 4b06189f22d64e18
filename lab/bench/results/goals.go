package results

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/columns"
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
	// doubling is two workers, that the bandwidth of the memory excuses.
	doubling = -2
)

var (
	plainly   = []string{bench.SequentialName}
	goroutine = []string{"goroutine"}
	peers     = []string{anyPeer}
	// elsewhereInGo are what par should be ahead of, and scalar what it should not be
	// behind.
	elsewhereInGo = []string{"goroutine-cutoff", "conc", "pond", "pargo", "rill"}
	scalar        = []string{"rayon" + bench.NoVectors, "onetbb" + bench.NoVectors}

	// larger are the workloads that somebody might have.
	larger    = []string{"uts-t1", "uts-t3", "queens", "integrate", "matmul", "sort"}
	latencies = []string{"latency-idle", "latency-busy"}
	// parLoops are those that should cost what a plain loop does.
	parLoops = pars("for", "map", "filter", "reduce", "range", "mapinto", "sum", "min")
	// parScalar are those that others do without vectors, too, and with bodies called.
	parScalar = append(pars("scan", "nested", "find-*", "histogram-*", "seq", "error", "mandelbrot", "nbody", "life", "sparse"), parLoops...)
	parAll    = append(pars("small-*", "sort-int", "sort-pairs", "sort-strings", "sort-strings-func", "sort-key"), parScalar...)
	stable    = pars("sort-pairs", "sort-strings-func")
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
	{"fill: to goroutine", "≤ 2×", []string{bench.FillPrefix + "*"}, most, goroutine, ratio},
	{"par, 1 worker: to the plain loop", "≤ 1.03×", parLoops, 1, plainly, ratio},
	{"par, 2 workers: times 1, or the bandwidth", "≥ 1.9×", parLoops, doubling, nil, doubled},
	{"par-scan, 1 worker: to the plain loop", "≤ 2.2×", pars("scan"), 1, plainly, ratio},
	{"par-scan, 2 workers: to the plain loop", "≤ 1.2×", pars("scan"), 2, plainly, ratio},
	{"par-nested, 1 worker: to the plain loop", "≤ 1.1×", pars("nested"), 1, plainly, ratio},
	{"par: to the fastest other one in Go", "≤ 1×", parAll, most, elsewhereInGo, ratio},
	{"par: to rayon and onetbb, not vectorized", "≤ 1.05×", parScalar, most, scalar, ratio},
	{"par-small: to rayon and onetbb", "≤ 0.33×", pars("small-*"), most, scalar, ratio},
	{"par-sort-int: to the fastest peer", "≤ 0.8×", pars("sort-int"), most, peers, ratio},
	{"par, stable sorts: to rayon's par_sort", "≤ 1.5×", stable, most, []string{"rayon"}, ratio},
	{"par-sort-key: to rayon's par_sort_by_key", "≤ 1×", pars("sort-key"), most, []string{"rayon"}, ratio},
	{"par-seq", "≤ 150 ns", pars("seq"), each, nil, itself},
	{"par-error: three quanta", "≤ 60000 ns", pars("error"), each, nil, itself},
}

func itself(_ *Report, ours, _ *row) float64    { return ours.judged }
func over(_ *Report, ours, other *row) float64  { return ours.judged - other.judged }
func ratio(_ *Report, ours, other *row) float64 { return ours.judged / other.judged }
func crowded(r *Report, ours, _ *row) float64   { return ours.judged / r.ours(ours, 2) }
func doubled(r *Report, two, _ *row) float64    { return r.ours(two, 1) / two.judged }

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

// writeGoals appends what came of each goal that can be told from what was measured, to a
// report of lines of this width.
func (r *Report) writeGoals(b *strings.Builder, width int) {
	if r.Quick {
		return
	}
	t, told, kept := columns.New(4, "", "goal", "", "", "here"), 0, 0
	for _, g := range goals {
		readings := r.readings(g)
		if readings == nil {
			continue
		}
		told++
		verdict := "kept"
		if slices.ContainsFunc(readings, func(x reading) bool { return !x.kept }) {
			verdict = "missed"
		} else {
			kept++
		}
		title, limit := g.title, g.limit
		for _, x := range readings {
			t.Row(verdict, title, limit, x.place, x.here)
			verdict, title, limit = "", "", ""
		}
	}
	if told > 0 {
		fmt.Fprintf(b, "\ngoals: %d of %d kept\n\n%s\n", kept, told, t.Fit(width))
	}
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
			var other *row
			if g.to != nil {
				other = w.fastest(ours.Workers, g.to...)
			}
			if !ours.isOurs() || !ours.timed() || !g.about(w, ours) || g.to != nil && other == nil {
				continue
			}
			place, x, write := w.Name, g.by(r, ours, other), columns.Times
			if math.IsNaN(x) {
				continue
			}
			if g.workers == each {
				place += ", " + plural(ours.Workers, "worker")
			}
			if other != nil {
				place += ", " + other.name
			}
			if unit == "ns" {
				write = columns.Nanos
			}
			here, kept := write(x), x <= limit
			if strings.HasPrefix(g.limit, "≥") {
				kept = x >= limit
			}
			if part := r.ofBandwidth(ours); g.workers == doubling && part > 0 {
				here += fmt.Sprintf(", %s of the bandwidth", columns.Digits(part))
				kept = kept || part >= 0.95
			}
			all = append(all, reading{place, here, kept})
		}
	}
	return all
}

// about reports whether a goal is about a row of ours.
func (g *goal) about(w *workload, ours *row) bool {
	switch g.workers {
	case each:
		return true
	case most:
		return ours == w.ours()
	case doubling:
		return ours.Workers == 2
	}
	return ours.Workers == g.workers
}

// bytesMoved is how many bytes a loop moves for each element.
var bytesMoved = map[string]float64{
	"par-range": 24, "par-map": 16, "par-mapinto": 16, "par-for": 8, "par-filter": 8, "par-reduce": 8, "par-sum": 8, "par-min": 8,
}

// ofBandwidth is which part of the bytes of a second a row moves that the fastest
// implementation of nstream moves, 0 if nobody knows.
func (r *Report) ofBandwidth(ours *row) float64 {
	for _, w := range r.workloads {
		if best := w.best(func(*row) bool { return true }); best != nil && w.Name == "par-range" {
			return bytesMoved[ours.Workload.Name] / ours.judged * best.judged / bytesMoved[w.Name]
		}
	}
	return 0
}
