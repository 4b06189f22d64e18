package bench

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
)

// ParName is the name of the implementation that is module par, and ParPrefix
// begins the names of the workloads that are measured on it.
const (
	ParName   = "par"
	ParPrefix = "par-"
)

// loopsBeside is what loops are measured on at first sight, where they can be:
// those that have loops, and goroutines for loops that are cut by hand.
var loopsBeside = []string{SequentialName, "goroutine-cutoff", "conc", "pond", "lo", "pargo", "rill", ParName}

// loop is a workload of module par: a program over n elements, which about speaks of, too.
// outside are the programs in other languages that have the operation.
func loop(name, about string, n int, program func(n int) *work.Program, outside ...string) *Workload {
	return loopOf(name, fmt.Sprintf(about, n), n, func() *work.Program { return program(n) }, outside...)
}

// loopOf is a loop whose program is not over as many elements.
func loopOf(name, about string, n int, program func() *work.Program, outside ...string) *Workload {
	w := &Workload{
		Name:      ParPrefix + name,
		About:     about,
		Unit:      "element",
		Ops:       n,
		Judge:     Cost,
		Program:   program,
		Check:     sameAsPlain(program),
		Outside:   fmt.Sprintf("%s%s %d", ParPrefix, name, n),
		OutsideIn: vectorized(outside...),
		Beside:    slices.Clone(loopsBeside),
	}
	for _, p := range w.OutsideIn {
		if !slices.Contains(sorting, p) {
			w.Beside = append(w.Beside, SequentialName+"-"+p)
		}
		w.Beside = append(w.Beside, p)
	}
	return w
}

// sameAsPlain checks answers by what the plain code gives, which it runs once.
func sameAsPlain(program func() *work.Program) func(string) error {
	want := sync.OnceValue(func() uint64 {
		p := program()
		if p.Prepare != nil {
			p.Prepare()
		}
		result := p.Sequential()
		if p.Digest != nil {
			result = p.Digest()
		}
		return result
	})
	return func(answer string) error { return exactly(want())(answer) }
}

// loopWorkloads are the workloads of module par.
func loopWorkloads(s Sizes) []*Workload {
	million := of(s, 1_000_000, 100_000, 1000)
	many := of(s, 10_000_000, 1_000_000, 5000)
	side := of(s, 1000, 300, 20)
	rows := of(s, 100_000, 10_000, 1000)
	all := []*Workload{
		loop("for", "%d numbers, one written at each call", million, loops.For, both...),
		loop("range", "nstream: a[i] = b[i] + 3*c[i] for %d elements", many, loops.Range, both...),
		loop("map", "%d numbers, to new memory", million, loops.Map, both...),
		loop("mapinto", "%d numbers, to memory that is there", million, loops.MapInto, both...),
		loop("filter", "a random half of %d numbers, to new memory", million, loops.Filter, "rayon"),
		loop("reduce", "%d numbers, added by a function", million, loops.Reduce, both...),
		loop("sum", "sum of %d numbers", many, loops.Sum, both...),
		loop("min", "the least of %d numbers", many, loops.Min, both...),
		loop("scan", "running sums of %d numbers, to new memory", million, loops.Scan, "onetbb"),
		find("start", many, 0),
		find("middle", many, many/2),
		find("end", many, many-1),
		find("none", many, many),
		loopOf("nested", fmt.Sprintf("a loop of %d loops of %d; plainly two loops", side, side), side*side,
			func() *work.Program { return loops.Nested(side) }, both...),
		small(of(s, 1000, 1000, 10)),
		small(of(s, 2000, 2000, 20)),
		histogram(many, 256),
		histogram(many, 100_000),
		loopOf("sort-int", fmt.Sprintf("%d integers, uniform over all bits", many), many,
			func() *work.Program { return loops.SortInt(many, loops.SortRandom) }, intSorts...),
		loopOf("sort-pairs", fmt.Sprintf("%d pairs by key, stably, ten of each; plainly slices.SortFunc", many), many,
			func() *work.Program { return loops.SortPairs(many, loops.SortRandom) }, stableSorts...),
		loop("sort-strings", "%d strings of 8 to 24 bytes", million, loops.SortStrings, intSorts...),
		stringsByFunc(million),
		loop("sort-key", "%d pairs by an integer key, stably; plainly slices.SortFunc", many, loops.SortKey, "rayon"),
		loop("seq", "%d numbers in order through a stage that does nothing", million, loops.Seq, "onetbb"),
		failing(of(s, 1_000_000_000, 1_000_000_000, 1_000_000)),
		kernel("mandelbrot", "point", "%d rows of points, at most 200 steps for each", side, side*side, loops.Mandelbrot),
		kernel("nbody", "pair", "how %d bodies attract each other", side, side*side, loops.Bodies),
		life(of(s, 500, 100, 20)),
		kernel("sparse", "row", "a matrix of %d rows, whose lengths are a power law, times a vector", rows, rows, loops.Sparse),
	}
	for _, input := range loops.SortInputs() {
		all = append(all,
			loopOf("sort-int-"+string(input), fmt.Sprintf("%d integers, %s", many, sortAbout[input]), many,
				func() *work.Program { return loops.SortInt(many, input) }, intSorts...),
			loopOf("sort-pairs-"+string(input), fmt.Sprintf("%d pairs by key, stably, %s", many, sortAbout[input]), many,
				func() *work.Program { return loops.SortPairs(many, input) }, stableSorts...))
	}
	return all
}

// stringsByFunc is sort-strings with a comparison. What others do is the same for both.
func stringsByFunc(n int) *Workload {
	w := loop("sort-strings-func", "%d strings of 8 to 24 bytes, by a function that compares them", n, loops.SortStringsFunc, intSorts...)
	w.Outside = fmt.Sprintf("%ssort-strings %d", ParPrefix, n)
	return w
}

// Those that have most loops, sorts, and stable ones.
var (
	both        = []string{"rayon", "onetbb"}
	intSorts    = []string{"rayon", "onetbb", "gnu", "boost", "ips4o"}
	stableSorts = []string{"rayon", "gnu", "boost"}
)

var sortAbout = map[loops.SortInput]string{
	loops.SortSorted:      "sorted",
	loops.SortReverse:     "in reverse order",
	loops.SortFew:         "16 different ones",
	loops.SortAlmost:      "sorted but for one in a hundred",
	loops.SortExponential: "as many of each length in bits",
}

// kernel is the inner loop of a program of size n.
func kernel(name, unit, about string, n, ops int, program func(n int) *work.Program) *Workload {
	w := loopOf(name, fmt.Sprintf(about, n), ops, func() *work.Program { return program(n) }, both...)
	w.Unit = unit
	return w
}

func life(side int) *Workload {
	about := fmt.Sprintf("%d steps of the game of life, each a loop of %%d rows of %d cells", loops.LifeSteps, side)
	w := kernel("life", "cell", about, side, side*side*loops.LifeSteps, loops.Life)
	w.Outside = fmt.Sprintf("%s %d", w.Name, side*side)
	return w
}

func find(where string, n, at int) *Workload {
	looked := min(at+1, n)
	w := loopOf("find-"+where, fmt.Sprintf("the first of %d that is not 0: there are %d before", n, at), looked,
		func() *work.Program { return loops.Find(n, at) }, "rayon")
	w.Outside = fmt.Sprintf("%s %d", w.Name, n)
	return w
}

func small(n int) *Workload {
	w := loop(fmt.Sprintf("small-%d", n), "%d numbers, one written at each call", n, loops.For, both...)
	w.Outside = fmt.Sprintf("%sfor %d", ParPrefix, n)
	return w
}

func histogram(n, buckets int) *Workload {
	return loopOf(fmt.Sprintf("histogram-%d", buckets), fmt.Sprintf("%d numbers in %d buckets", n, buckets), n,
		func() *work.Program { return loops.Histogram(n, buckets) }, both...)
}

func failing(n int) *Workload {
	w := loopOf("error", fmt.Sprintf("the first of %d elements fails", n), 1,
		func() *work.Program { return loops.Error(n) }, both...)
	w.Unit, w.Outside = "run", fmt.Sprintf("%s %d", w.Name, n)
	return w
}
