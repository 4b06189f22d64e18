package results

import (
	"fmt"

	"github.com/rouse-go/rouse/lab/bench"
)

// The workloads of par that goals are about, without the prefix.
var (
	// parLoops are those that should cost what a plain loop does.
	parLoops = []string{"for", "map", "filter", "reduce", "range", "mapinto", "sum", "min"}
	// parScalar are those that others do without vectors, too, and with bodies called.
	parScalar = append([]string{
		"scan", "nested", "find-start", "find-middle", "find-end", "find-none", "histogram-256", "histogram-100000", "seq", "error",
		"mandelbrot", "nbody", "life", "sparse",
	}, parLoops...)
	parAll = append([]string{
		"small-1000", "small-2000", "sort-int", "sort-pairs", "sort-strings", "sort-strings-func", "sort-key",
	}, parScalar...)
)

// elsewhereInGo are what par should be ahead of, and scalar what it should not be
// behind.
var (
	elsewhereInGo = []string{"goroutine-cutoff", "conc", "pond", "lo", "pargo", "rill"}
	scalar        = []string{"rayon" + bench.NoVectors, "onetbb" + bench.NoVectors}
)

// plainly compares with the plain loop.
func (r *readings) plainly(workers int, names ...string) {
	for _, name := range names {
		r.compare(name, bench.ParPrefix+name, workers, bench.SequentialName, ratioOf)
	}
}

// fastest compares with the fastest of others, with as many workers as there are.
func (r *readings) fastest(others []string, names ...string) {
	for _, name := range names {
		w := r.workload(bench.ParPrefix + name)
		if w == nil {
			continue
		}
		var best *Row
		for _, other := range others {
			if row := w.row(other, r.most); row != nil && (best == nil || *row.Judged < *best.Judged) {
				best = row
			}
		}
		if mine := w.row(w.ours(), r.most); mine != nil && best != nil {
			r.add(name+", "+best.Implementation, ratioOf(mine, best))
		}
	}
}

// moved is how many bytes a loop moves for each element.
var moved = map[string]float64{"range": 24, "map": 16, "mapinto": 16, "for": 8, "filter": 8, "reduce": 8, "sum": 8, "min": 8}

// atBandwidth is which part of the bandwidth is as good as all of it.
const atBandwidth = 0.95

// doubled reads how many times as fast two workers are as one. They need not be if
// they move bytes as fast as the machine does.
func (r *readings) doubled(names ...string) {
	most := r.bandwidth()
	for _, name := range names {
		w := r.workload(bench.ParPrefix + name)
		if w == nil {
			continue
		}
		one, two := w.row(w.ours(), 1), w.row(w.ours(), 2)
		if one == nil || two == nil {
			continue
		}
		r.add(name, ratioOf(one, two))
		if most == 0 {
			continue
		}
		last, part := &r.all[len(r.all)-1], moved[name] / *two.Judged / most
		last.Here += fmt.Sprintf(", %s of the bandwidth", digits(part))
		last.Kept = last.Kept || part >= atBandwidth
	}
}

// bandwidth is how many bytes in a nanosecond the fastest implementation of nstream
// moves, 0 if nobody knows.
func (r *readings) bandwidth() float64 {
	w := r.workload(bench.ParPrefix + "range")
	if w == nil {
		return 0
	}
	best := w.best(func(*Row) bool { return true })
	if best == nil {
		return 0
	}
	return moved["range"] / *best.Judged
}
