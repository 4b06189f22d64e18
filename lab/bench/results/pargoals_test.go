package results_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/results"
)

// loops is a report of module par: of a loop that the bandwidth bounds, one that it does
// not bound, and sorts.
func loops() *results.Report {
	of := func(name string) *bench.Workload {
		return &bench.Workload{Name: "par-" + name, About: "some", Unit: "element", Ops: 1, Judge: bench.Cost}
	}
	cell := func(w *bench.Workload, name string, kind bench.Kind, workers int, ns float64) *bench.Cell {
		return &bench.Cell{Workload: w, Implementation: name, Kind: kind, Workers: workers, Nanos: []float64{ns}, Usage: bench.Unknown()}
	}
	loop, triad, small, ints := of("for"), of("range"), of("small-1000"), of("sort-int")
	pairs, failing := of("sort-pairs"), of("error")
	return results.New(abacus, []*bench.Cell{
		cell(loop, "sequential", bench.Plain, 1, 2), cell(loop, "par", bench.Ours, 1, 2.02), cell(loop, "par", bench.Ours, 2, 1.5),
		cell(loop, "conc", bench.Peer, 2, 3), cell(loop, "lo", bench.Peer, 2, 300), cell(loop, "pargo", bench.Peer, 2, 2.5), cell(loop, "rill", bench.Peer, 2, 300),
		cell(loop, "rayon", bench.Peer, 2, 0.5), cell(loop, "rayon-novec", bench.Peer, 2, 1),
		cell(triad, "sequential", bench.Plain, 1, 2), cell(triad, "par", bench.Ours, 1, 2.5), cell(triad, "par", bench.Ours, 2, 2), cell(triad, "onetbb", bench.Peer, 2, 2),
		cell(small, "sequential", bench.Plain, 1, 2), cell(small, "par", bench.Ours, 2, 2), cell(small, "onetbb-novec", bench.Peer, 2, 10),
		cell(ints, "par", bench.Ours, 2, 9), cell(ints, "ips4o", bench.Peer, 2, 10),
		cell(pairs, "par", bench.Ours, 2, 12), cell(pairs, "rayon", bench.Peer, 2, 10), cell(pairs, "gnu", bench.Peer, 2, 16),
		cell(failing, "par", bench.Ours, 1, 50_000), cell(failing, "par", bench.Ours, 2, 70_000),
	})
}

// A failure means that par is measured by another number than its goal says, or that
// a loop that is as fast as the memory is blamed for it.
func TestLoopGoals(t *testing.T) {
	got := written(t, loops().WriteTable)
	for _, want := range []string{
		`(?m)^missed +par, 1 worker: to the plain loop +≤ 1\.03× +for +1\.01×\n +range +1\.25×$`,
		`(?m)^missed +par, 2 workers: times 1, or the bandwidth +≥ 1\.9× +for +1\.35×, 0\.44 of the bandwidth\n +range +1\.25×, 1\.00 of the bandwidth$`,
		`(?m)^kept +par: to the fastest other one in Go +≤ 1× +for, pargo +0\.60×$`,
		`(?m)^missed +par: to rayon and onetbb, not vectorized +≤ 1\.05× +for, rayon-novec +1\.50×$`,
		`(?m)^kept +par-small: to rayon and onetbb +≤ 0\.33× +small-1000, onetbb-novec +0\.20×$`,
		`(?m)^missed +par-sort-int: to the fastest peer +≤ 0\.8× +par-sort-int +0\.90×$`,
		`(?m)^kept +par, stable sorts: to rayon's par_sort +≤ 1\.5× +sort-pairs, rayon +1\.20×$`,
		`(?m)^kept +par, stable sorts: to g\+\+'s +≤ 1× +sort-pairs, gnu +0\.75×$`,
		`(?m)^missed +par-error: three quanta +≤ 60000 ns +1 worker +50\.0 µs\n +2 workers +70\.0 µs$`,
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// What is as fast as the memory is no reason to miss a goal.
	r := loops()
	for i := range r.Workloads {
		if w := &r.Workloads[i]; w.Name == "par-for" {
			w.Name = "par-else"
		}
	}
	if got := written(t, r.WriteTable); !strings.Contains(got, "\nkept    par, 2 workers: times 1, or the bandwidth") {
		t.Errorf("the bandwidth is not enough in\n%s", got)
	}
	if !strings.Contains(got, "\npar-for ") {
		t.Errorf("par is not in the glance:\n%s", got)
	}
}
