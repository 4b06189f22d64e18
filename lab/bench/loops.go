package bench

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
)

// ParPrefix begins the names of the workloads of module par.
const ParPrefix = "par-"

// NoVectors ends the name of a program whose compiler vectorizes no loop and inlines no
// body that is a function value in Go.
const NoVectors = "-novec"

// The programs in other languages, each as its compiler likes it and as Go compiles.
var (
	Rayon  = []string{"rayon", "rayon" + NoVectors}
	OneTBB = []string{"onetbb", "onetbb" + NoVectors}
	Both   = slices.Concat(Rayon, OneTBB)
)

// loop is a workload of module par: a program over n elements. in are the programs in other
// languages that have the operation.
func loop(name, about string, n int, program func() *work.Program, in []string) *Workload {
	return &Workload{
		Name: ParPrefix + name, About: about, Unit: "element", Ops: n, Judge: Cost,
		Outside: fmt.Sprintf("%s%s %d", ParPrefix, name, n), In: in, Program: program,
	}
}

// over is a loop over n numbers.
func over(n int, name, about string, program func(n int) *work.Program, in []string) *Workload {
	return loop(name, fmt.Sprintf("%d numbers, %s", n, about), n, func() *work.Program { return program(n) }, in)
}

// loopWorkloads are the workloads of module par.
func loopWorkloads(s Sizes) []*Workload {
	million, many := of(s, 1_000_000, 100_000, 1000), of(s, 10_000_000, 1_000_000, 5000)
	side, rows, billion := of(s, 1000, 300, 20), of(s, 100_000, 10_000, 1000), of(s, 1_000_000_000, 1_000_000_000, 1_000_000)
	small := over(of(s, 1000, 1000, 10), "small", "one written at each call: nobody should be woken", loops.For, Both)
	small.Outside = fmt.Sprintf("par-for %d", small.Ops)
	failing := over(billion, "error", "the first of which fails", loops.Error, Both)
	failing.Unit, failing.Ops = "run", 1
	mandelbrot := loop("mandelbrot", fmt.Sprintf("%d rows of points, at most 200 steps for each", side), side*side,
		func() *work.Program { return loops.Mandelbrot(side) }, Both)
	mandelbrot.Unit = "point"
	sparse := over(rows, "sparse", "the rows of a matrix, whose lengths are a power law, times a vector", loops.Sparse, nil)
	sparse.Unit = "row"
	all := []*Workload{
		over(million, "for", "one written at each call", loops.For, Both),
		over(many, "range", "nstream: a[i] = b[i] + 3*c[i]", loops.Range, Both),
		over(million, "map", "to new memory", loops.Map, Both),
		over(million, "filter", "a random half of them, to new memory", loops.Filter, Rayon),
		over(million, "reduce", "added by a function", loops.Reduce, Both),
		over(many, "sum", "their sum", loops.Sum, Both),
		over(million, "scan", "running sums of them, to new memory", loops.Scan, OneTBB),
		find("start", many, 0),
		find("none", many, many),
		loop("nested", fmt.Sprintf("a loop of %d loops of %d; plainly two loops", side, side), side*side,
			func() *work.Program { return loops.Nested(side) }, Both),
		small,
		histogram(many, 256),
		histogram(many, 100_000),
		over(million, "sort-strings", "made strings of 8 to 24 bytes", loops.SortStrings, nil),
		over(many, "sort-key", "in pairs by an integer key, stably; plainly slices.SortFunc", loops.SortKey, Rayon),
		over(million, "seq", "in order through a stage that does nothing; conc: its stream", loops.Seq, OneTBB),
		failing, mandelbrot, sparse,
	}
	for _, input := range loops.SortInputs() {
		name, inBoth, inRayon := "-"+string(input), []string(nil), []string(nil)
		if input == loops.SortRandom {
			name, inBoth, inRayon = "", Both, Rayon
		}
		all = append(all,
			over(many, "sort-int"+name, string(input)+", sorted", func(n int) *work.Program { return loops.SortInt(n, input) }, inBoth),
			over(many, "sort-pairs"+name, string(input)+", in pairs sorted by them, stably; plainly slices.SortFunc",
				func(n int) *work.Program { return loops.SortPairs(n, input) }, inRayon))
	}
	return all
}

func find(where string, n, at int) *Workload {
	w := loop("find-"+where, fmt.Sprintf("the first of %d that is not 0: there are %d before", n, at), min(at+1, n),
		func() *work.Program { return loops.Find(n, at) }, Rayon)
	w.Outside = fmt.Sprintf("par-find-%s %d", where, n)
	return w
}

func histogram(n, buckets int) *Workload {
	return over(n, fmt.Sprint("histogram-", buckets), fmt.Sprintf("in %d buckets", buckets),
		func(n int) *work.Program { return loops.Histogram(n, buckets) }, Both)
}
