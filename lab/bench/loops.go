package bench

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
)

const (
	// SequentialName is the name of the implementation without any parallelism.
	SequentialName = "sequential"
	// ParName is the name of the implementation that is module par, and ParPrefix
	// begins the names of the workloads that are measured on it.
	ParName, ParPrefix = "par", "par-"
	// SweepPrefix begins the names of the workloads of the sweep. The number of
	// elements, their length and perhaps a shape follow.
	SweepPrefix = "sweep-"
	// NoVectors ends the name of a program whose compiler vectorizes no loop and inlines no
	// body that is a function value in Go.
	NoVectors = "-novec"
	// GrainInfix stands between the name of a program and a grain.
	GrainInfix = "-grain-"
)

// The programs in other languages, each as its compiler likes it and as Go compiles.
var (
	Rayon  = []string{"rayon", "rayon" + NoVectors}
	OneTBB = []string{"onetbb", "onetbb" + NoVectors}
	Both   = slices.Concat(Rayon, OneTBB)
)

// Grains are those that the sweep sets by hand, in Both.
var Grains = []int{1, 10, 100, 1000, 10_000, 100_000}

// loopsBeside is what loops are measured on at first sight, where they can be:
// those that have loops, and goroutines for loops that are cut by hand.
var loopsBeside = []string{SequentialName, "goroutine-cutoff", "conc", "pond", "pargo", "rill", ParName}

// loop is a workload of module par: a program over n elements. in are the programs in other
// languages that have the operation.
func loop(name, about string, n int, program func() *work.Program, in []string) *Workload {
	return &Workload{
		Name:    ParPrefix + name,
		About:   about,
		Unit:    "element",
		Ops:     n,
		Judge:   Cost,
		Program: program,
		Check:   sameAsPlain(program),
		Outside: fmt.Sprintf("%s%s %d", ParPrefix, name, n),
		In:      in,
		Beside:  slices.Concat(loopsBeside, in),
	}
}

// over is a loop over n numbers.
func over(n int, name, about string, program func(n int) *work.Program, in []string) *Workload {
	return loop(name, fmt.Sprintf("%d numbers, %s", n, about), n, func() *work.Program { return program(n) }, in)
}

// asked has programs in other languages asked for the loop of another name, or of another size.
func (w *Workload) asked(name string, n int) *Workload {
	w.Outside = fmt.Sprintf("%s%s %d", ParPrefix, name, n)
	return w
}

// per has the time given for each of so many units.
func (w *Workload) per(unit string, ops int) *Workload {
	w.Unit, w.Ops = unit, ops
	return w
}

// loopWorkloads are the workloads of module par.
func loopWorkloads(s Sizes) []*Workload {
	million := of(s, 1_000_000, 100_000, 1000)
	many := of(s, 10_000_000, 1_000_000, 5000)
	side := of(s, 1000, 300, 20)
	rows := of(s, 100_000, 10_000, 1000)
	cells, billion := of(s, 500, 100, 20), of(s, 1_000_000_000, 1_000_000_000, 1_000_000)
	life := fmt.Sprintf("%d steps of the game of life, each a loop of %%d rows of %d cells", loops.LifeSteps, cells)
	all := []*Workload{
		over(million, "for", "one written at each call", loops.For, Both),
		over(many, "range", "nstream: a[i] = b[i] + 3*c[i]", loops.Range, Both),
		over(million, "map", "to new memory", loops.Map, Both),
		over(million, "mapinto", "to memory that is there", loops.MapInto, Both),
		over(million, "filter", "a random half of them, to new memory", loops.Filter, Rayon),
		over(million, "reduce", "added by a function", loops.Reduce, Both),
		over(many, "sum", "their sum", loops.Sum, Both),
		over(many, "min", "the least of them", loops.Min, Both),
		over(million, "scan", "running sums of them, to new memory", loops.Scan, OneTBB),
		find("start", many, 0),
		find("middle", many, many/2),
		find("end", many, many-1),
		find("none", many, many),
		loop("nested", fmt.Sprintf("a loop of %d loops of %d; plainly two loops", side, side), side*side,
			func() *work.Program { return loops.Nested(side) }, Both),
		small(of(s, 1000, 1000, 10)),
		small(of(s, 2000, 2000, 20)),
		histogram(many, 256),
		histogram(many, 100_000),
		over(million, "sort-strings", "made strings of 8 to 24 bytes", loops.SortStrings, Both),
		// What others do is the same for both.
		over(million, "sort-strings-func", "made strings of 8 to 24 bytes, by a function that compares them",
			loops.SortStringsFunc, Both).asked("sort-strings", million),
		over(many, "sort-key", "in pairs by an integer key, stably; plainly slices.SortFunc", loops.SortKey, Rayon),
		over(million, "seq", "in order through a stage that does nothing", loops.Seq, OneTBB),
		over(billion, "error", "the first of which fails", loops.Error, Both).per("run", 1),
		kernel("mandelbrot", "point", "%d rows of points, at most 200 steps for each", side, side*side, loops.Mandelbrot),
		kernel("nbody", "pair", "how %d bodies attract each other", side, side*side, loops.Bodies),
		kernel("life", "cell", life, cells, cells*cells*loops.LifeSteps, loops.Life).asked("life", cells*cells),
		kernel("sparse", "row", "a matrix of %d rows, whose lengths are a power law, times a vector", rows, rows, loops.Sparse),
	}
	for _, input := range loops.SortInputs() {
		name := ""
		if input != loops.SortRandom {
			name = "-" + string(input)
		}
		ints := func(n int) *work.Program { return loops.SortInt(n, input) }
		pairs := func(n int) *work.Program { return loops.SortPairs(n, input) }
		all = append(all,
			over(many, "sort-int"+name, string(input)+", sorted", ints, Both),
			over(many, "sort-pairs"+name, string(input)+", in pairs sorted by them, stably; plainly slices.SortFunc", pairs, Rayon))
	}
	return all
}

// kernel is the inner loop of a program of size n.
func kernel(name, unit, about string, n, ops int, program func(n int) *work.Program) *Workload {
	return loop(name, fmt.Sprintf(about, n), ops, func() *work.Program { return program(n) }, Both).per(unit, ops)
}

func find(where string, n, at int) *Workload {
	return loop("find-"+where, fmt.Sprintf("the first of %d that is not 0: there are %d before", n, at), min(at+1, n),
		func() *work.Program { return loops.Find(n, at) }, Rayon).asked("find-"+where, n)
}

func small(n int) *Workload {
	return over(n, fmt.Sprint("small-", n), "one written at each call", loops.For, Both).asked("for", n)
}

func histogram(n, buckets int) *Workload {
	return over(n, fmt.Sprint("histogram-", buckets), fmt.Sprintf("in %d buckets", buckets),
		func(n int) *work.Program { return loops.Histogram(n, buckets) }, Both)
}

// sweeps are loops of 10 to 10 million elements, of three lengths and shapes. A step of the
// generator takes somewhat more than a nanosecond.
func sweeps(s Sizes) (all []*Workload) {
	longest := of(s, 200_000_000, 10_000_000, 10_000) // nanoseconds on one processor
	for _, body := range []struct {
		name         string
		steps, nanos int
	}{{"1ns", 1, 1}, {"100ns", 75, 100}, {"10us", 7500, 10_000}} {
		for _, shape := range loops.SweepShapes() {
			for n := 10; n <= 10_000_000 && n*body.nanos <= longest; n *= 10 {
				all = append(all, sweep(n, body.name, body.steps, shape))
			}
		}
	}
	return all
}

func sweep(n int, body string, steps int, shape loops.SweepShape) *Workload {
	program := func() *work.Program { return loops.Sweep(n, steps, shape) }
	w := &Workload{
		Name:    fmt.Sprintf("%s%d-%s-%s", SweepPrefix, n, body, shape),
		About:   fmt.Sprintf("%d elements of about %s on average, %s", n, body, shape),
		Apart:   true,
		Outside: fmt.Sprintf("%s%s-%s %d", SweepPrefix, body, shape, n),
		In:      Both,
		Beside:  slices.Concat([]string{SequentialName, "goroutine-cutoff", ParName}, Both),
		Program: program,
		Check:   sameAsPlain(program),
		last:    true,
	}
	for _, p := range Both {
		for _, g := range Grains {
			w.Beside = append(w.Beside, GrainName(p, g))
		}
	}
	return w
}

// GrainName returns the name of a program with a grain.
func GrainName(program string, grain int) string { return program + GrainInfix + fmt.Sprint(grain) }
