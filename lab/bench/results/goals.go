package results

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/columns"
)

// A goal is a bound on what the pool or par, on its defaults, is meant to cost.
// They are of the full sizes.
type goal struct {
	title string
	limit float64
	unit  string // ns, or × of a ratio
	least bool   // the limit is the least that it may be, not the most
	read  func(*readings)
}

// An outcome is what came of a goal, in one place or several.
type outcome struct {
	Goal, Limit string
	Readings    []reading
}

type reading struct {
	Place, Here string // no place: the goal says it
	Kept        bool
}

var goals = []goal{
	{"fib, 1 worker: over the plain call", 3, "ns", false, func(r *readings) {
		r.compare("", "fib", 1, bench.SequentialName, func(ours, other *Row) float64 { return *ours.Judged - *other.Judged })
	}},
	{"fib: to goroutine", 0.01, "×", false, func(r *readings) { r.everywhere("fib", "goroutine") }},
	{"fib: to rayon", 0.5, "×", false, func(r *readings) { r.everywhere("fib", "rayon") }},
	{"fib-large, all workers: to sequential", 1.3, "×", false, func(r *readings) {
		r.compare("", "fib-large", r.most, bench.SequentialName, ratioOf)
	}},
	{"fib, 64 workers: to fewer", 1.1, "×", false, func(r *readings) {
		if w := r.workload(crowd); w != nil && r.most < 64 {
			if few, many := w.row(ours, r.most), w.row(ours, 64); few != nil && many != nil {
				r.add("", ratioOf(many, few))
			}
		}
	}},
	{"tree-small: to sequential", 3, "×", false, func(r *readings) {
		r.compare("", "tree-small", r.most, bench.SequentialName, ratioOf)
	}},
	{"coarse-1ms: speed-up a processor", 0.975, "×", true, func(r *readings) { r.speedup("", "coarse-1ms") }},
	{"larger, 1 worker: to sequential", 1.05, "×", false, func(r *readings) {
		for _, w := range larger {
			r.compare(w, w, 1, bench.SequentialName, ratioOf)
		}
	}},
	{"larger: speed-up a processor", 0.95, "×", true, func(r *readings) {
		for _, w := range larger {
			r.speedup(w, w)
		}
	}},
	{"larger: to the fastest peer", 1, "×", false, func(r *readings) {
		for _, w := range larger {
			r.bestPeer(w)
		}
	}},
	{"submit-1", 60, "ns", false, func(r *readings) { r.everywhere("submit-1", "") }},
	{"latency, median: to goroutine", 1, "×", false, func(r *readings) {
		r.compare("idle", "latency-idle", r.most, "goroutine", ratioOf)
		r.compare("busy", "latency-busy", r.most, "goroutine", ratioOf)
	}},
	{"latency, p99: to goroutine", 1, "×", false, func(r *readings) {
		p99 := func(ours, other *Row) float64 { return *ours.P99 / *other.P99 }
		r.compare("idle", "latency-idle", r.most, "goroutine", p99)
		r.compare("busy", "latency-busy", r.most, "goroutine", p99)
	}},
	{"fill: to goroutine", 2, "×", false, func(r *readings) {
		for i := range r.Workloads {
			if w := &r.Workloads[i]; w.isFill() {
				r.compare(w.Name, w.Name, w.most(ours), filler, ratioOf)
			}
		}
	}},
	{"rest: more than sequential (95 %)", 0, "ns", false, func(r *readings) {
		r.compare("", "rest", r.most, bench.SequentialName, func(ours, other *Row) float64 {
			if ours.MedianLow == nil || other.MedianHigh == nil {
				return 0
			}
			return max(0, *ours.MedianLow-*other.MedianHigh)
		})
	}},
	{"par, 1 worker: to the plain loop", 1.03, "×", false, func(r *readings) { r.plainly(1, parLoops...) }},
	{"par, 2 workers: times 1, or the bandwidth", 1.9, "×", true, func(r *readings) { r.doubled(parLoops...) }},
	{"par-scan, 1 worker: to the plain loop", 2.2, "×", false, func(r *readings) { r.plainly(1, "scan") }},
	{"par-scan, 2 workers: to the plain loop", 1.2, "×", false, func(r *readings) { r.plainly(2, "scan") }},
	{"par-nested, 1 worker: to the plain loop", 1.1, "×", false, func(r *readings) { r.plainly(1, "nested") }},
	{"par: to the fastest other one in Go", 1, "×", false, func(r *readings) { r.fastest(elsewhereInGo, parAll...) }},
	{"par: to rayon and onetbb, not vectorized", level, "×", false, func(r *readings) { r.fastest(scalar, parScalar...) }},
	{"par-small: to rayon and onetbb", 0.33, "×", false, func(r *readings) { r.fastest(scalar, "small-1000", "small-2000") }},
	{"par-sort-int: to the fastest peer", 0.8, "×", false, func(r *readings) { r.bestPeer(bench.ParPrefix + "sort-int") }},
	{"par, stable sorts: to rayon's par_sort", 1.5, "×", false, func(r *readings) { r.fastest([]string{"rayon"}, "sort-pairs", "sort-strings-func") }},
	{"par, stable sorts: to g++'s", 1, "×", false, func(r *readings) { r.fastest([]string{"gnu"}, "sort-pairs", "sort-strings-func") }},
	{"par-sort-key: to rayon's par_sort_by_key", 1, "×", false, func(r *readings) { r.fastest([]string{"rayon"}, "sort-key") }},
	{"par-seq", 150, "ns", false, func(r *readings) { r.everywhere(bench.ParPrefix+"seq", "") }},
	{"par-error: three quanta", 60_000, "ns", false, func(r *readings) { r.everywhere(bench.ParPrefix+"error", "") }},
}

// larger are the workloads that somebody might have.
var larger = []string{"uts-t1", "uts-t3", "queens", "integrate", "matmul", "sort"}

func ratioOf(ours, other *Row) float64 { return *ours.Judged / *other.Judged }

// Verdict says whether the goal is kept everywhere.
func (o outcome) Verdict() string {
	for _, r := range o.Readings {
		if !r.Kept {
			return "missed"
		}
	}
	return "kept"
}

// goals returns what came of each goal that can be told from what was measured.
func (r *Report) goals() (all []outcome) {
	if r.Quick {
		return nil
	}
	rs := readings{Report: r, most: r.most()}
	for _, g := range goals {
		rs.goal, rs.all = g, nil
		if g.read(&rs); rs.all != nil {
			bound := "≤ "
			if g.least {
				bound = "≥ "
			}
			limit := strconv.FormatFloat(g.limit, 'g', -1, 64) + strings.Replace(" "+g.unit, " ×", "×", 1)
			all = append(all, outcome{g.title, bound + limit, rs.all})
		}
	}
	return all
}

// readings are what a goal reads off a report.
type readings struct {
	*Report
	most int // workers
	goal goal
	all  []reading
}

func (r *readings) add(place string, x float64) {
	here, kept := times(&x), x <= r.goal.limit
	if r.goal.unit == "ns" {
		here = nanos(&x)
	}
	if r.goal.least {
		kept = x >= r.goal.limit
	}
	r.all = append(r.all, reading{place, here, kept})
}

// compare reads a number off our row and another's with as many workers.
func (r *readings) compare(place, workload string, workers int, other string, read func(ours, other *Row) float64) {
	w := r.workload(workload)
	if w == nil {
		return
	}
	of := workers
	if other == bench.SequentialName {
		of = 1
	}
	mine, theirs := w.row(w.ours(), workers), w.row(other, of)
	if mine != nil && theirs != nil {
		r.add(place, read(mine, theirs))
	}
}

// everywhere compares the times with each number of workers, or reads them if
// there is nobody to compare with.
func (r *readings) everywhere(workload, other string) {
	w := r.workload(workload)
	if w == nil {
		return
	}
	for _, row := range w.Rows {
		if row.Implementation != w.ours() || row.Judged == nil || row.Error != "" {
			continue
		}
		place := plural(row.Workers, "worker")
		if other == "" {
			r.add(place, *row.Judged)
		} else {
			r.compare(place, workload, row.Workers, other, ratioOf)
		}
	}
}

// speedup reads how many times as fast all workers are as the plain function,
// for each processor that they can have.
func (r *readings) speedup(place, workload string) {
	processors := float64(max(1, min(r.most, r.Machine.Processors)))
	r.compare(place, workload, r.most, bench.SequentialName, func(ours, other *Row) float64 {
		return *other.Judged / *ours.Judged / processors
	})
}

// bestPeer compares with the fastest peer, whoever that is.
func (r *readings) bestPeer(workload string) {
	if w := r.workload(workload); w != nil {
		mine, best := w.row(w.ours(), r.most), w.bestPeer(r.most)
		if mine != nil && best != nil {
			r.add(workload, ratioOf(mine, best))
		}
	}
}

// kept returns how many goals are.
func kept(goals []outcome) (n int) {
	for _, g := range goals {
		if g.Verdict() == "kept" {
			n++
		}
	}
	return n
}

// writeGoals appends the goals to a report of lines of this width.
func writeGoals(b *strings.Builder, all []outcome, width int) {
	if len(all) == 0 {
		return
	}
	t := columns.New(4, "", "goal", "", "", "here")
	for _, g := range all {
		verdict, title, limit := g.Verdict(), g.Goal, g.Limit
		for _, r := range g.Readings {
			t.Row(verdict, title, limit, r.Place, r.Here)
			verdict, title, limit = "", "", ""
		}
	}
	fmt.Fprintf(b, "\ngoals: %d of %d kept\n\n%s\n", kept(all), len(all), t.Fit(width))
}
