package bench

import (
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
)

// loop is a workload of module par: a program over n elements. in are the programs in other
// languages that have the operation.
func loop(name string, n int, program func(n int) *work.Program, about string, goals []Goal, in ...string) *Workload {
	return &Workload{
		Name: "par-" + name, About: fmt.Sprintf("%d elements, %s", n, about), Unit: "element", Ops: n, Judge: Cost, Goals: goals,
		Outside: fmt.Sprintf("par-%s %d", name, n), In: in, Program: func() *work.Program { return program(n) },
	}
}

// loopWorkloads are the workloads of module par.
func loopWorkloads(s Sizes) []*Workload {
	million, many, side := of(s, 1_000_000, 100_000, 1000), of(s, 10_000_000, 1_000_000, 5000), of(s, 1000, 300, 20)
	inGo := Goal{Most: 1, Of: work.Cutoff, Workers: 2}
	// Two workers are 1.9 times as fast as one. The memory keeps them from that where the body is short
	// and the elements are many.
	shared := []Goal{{Most: 1.03, Of: Sequential, Workers: 1}, {Most: 1.08, Of: Sequential, Shared: true}, inGo}
	moving := []Goal{{Most: 1.03, Of: Sequential, Workers: 1}, inGo}
	small := loop("small", of(s, 1000, 1000, 10), loops.For, "one written at each call: nobody should be woken",
		[]Goal{{Most: 0.33, Of: Rayon, Workers: 2}, {Most: 0.33, Of: OneTBB, Workers: 2}}, Rayon, OneTBB)
	small.Outside = fmt.Sprint("par-for ", small.Ops)
	mandelbrot := loop("mandelbrot", side*side, func(int) *work.Program { return loops.Mandelbrot(side) },
		"of at most 200 steps each, in rows",
		append([]Goal{{Most: 1.05, Of: Rayon}, {Most: 1.05, Of: OneTBB}}, shared...), Rayon, OneTBB)
	all := []*Workload{
		loop("for", million, loops.For, "one written at each call", shared, Rayon, OneTBB),
		loop("range", many, loops.Range, "nstream: a[i] = b[i] + 3*c[i]", moving, Rayon, OneTBB),
		loop("map", million, loops.Map, "to new memory", shared, Rayon, OneTBB),
		loop("filter", million, loops.Filter, "a random half of them, to new memory", shared, Rayon),
		loop("reduce", million, loops.Reduce, "added by a function", shared, Rayon, OneTBB),
		loop("sum", many, loops.Sum, "their sum", moving, Rayon, OneTBB),
		loop("scan", million, loops.Scan, "running sums of them, to new memory",
			[]Goal{{Most: 2.2, Of: Sequential, Workers: 1}, {Most: 1.2, Of: Sequential, Workers: 2}}, OneTBB),
		mandelbrot,
		small,
		loop("sort-strings", million, loops.SortStrings, "made strings of 8 to 24 bytes", nil),
		loop("sort-key", many, loops.SortKey, "in pairs by an integer key, stably; plainly slices.SortFunc",
			[]Goal{{Most: 1, Of: Rayon, Workers: 2}}, Rayon),
		loop("seq", million, loops.Seq, "in order through a stage that does nothing; conc: its stream",
			[]Goal{{Most: 150}, {Most: 1, Of: Others, Workers: 2}}, OneTBB),
	}
	for _, input := range loops.SortInputs() {
		ints := loop("sort-int-"+string(input), many, func(n int) *work.Program { return loops.SortInt(n, input) },
			string(input)+", sorted", nil)
		pairs := loop("sort-pairs-"+string(input), many, func(n int) *work.Program { return loops.SortPairs(n, input) },
			string(input)+", in pairs sorted by them, stably; plainly slices.SortFunc", nil)
		if input == loops.SortRandom {
			ints.In, ints.Goals = []string{Rayon, OneTBB}, []Goal{{Most: 0.8, Of: Others, Workers: 2}}
			pairs.In, pairs.Goals = []string{Rayon}, []Goal{{Most: 1.5, Of: Rayon, Workers: 2}}
		}
		all = append(all, ints, pairs)
	}
	return all
}
