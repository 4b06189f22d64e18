package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// Sizes says how large the workloads are.
type Sizes int

const (
	// Full sizes are those of a whole comparison, published ones where there
	// are any.
	Full Sizes = iota
	// Quick sizes are for a first look.
	Quick
	// Tiny sizes are for tests.
	Tiny
)

// of picks one of the sizes.
func of[T any](s Sizes, full, quick, tiny T) T { return [...]T{full, quick, tiny}[s] }

// SequentialName is the name of the implementation without any parallelism, and OursName that of
// this repository's on its defaults.
const SequentialName, OursName = "sequential", "rouse"

// Workloads returns all workloads, in these sizes.
func Workloads(s Sizes) []*Workload {
	all := slices.Concat(forks(s), searches(s), leaves(s), jobs(s), fills(s), waits(s), loopWorkloads(s), []*Workload{
		{
			Name: "post-asleep", About: "a job posted when the worker sleeps; sleep backends alone, with one worker",
			Want: 1, last: true, Program: func() *work.Program { return work.PostAsleep(200 * time.Microsecond) },
		}, {
			Name: "wake", About: "from the post to the first instruction of a worker that slept, the poster busy; sleep backends alone",
			Want: 1, last: true, Program: func() *work.Program { return work.Wake(200 * time.Microsecond) },
		},
	})
	for _, w := range all {
		if w.Ops == 0 {
			w.Unit, w.Ops = "run", 1
		}
	}
	return all
}

// futexToo has a workload measured with the other sleep backend as well.
var futexToo = []string{"rouse-futex"}

// forking is a row of what forks, and what Rayon has, too: outside are the words that ask for it.
func forking(name, outside, unit string, ops int, judge Judge, program func() *work.Program, about string, args ...any) *Workload {
	return &Workload{
		Name: name, About: fmt.Sprintf(about, args...), Unit: unit, Ops: ops, Judge: judge,
		Outside: outside, In: []string{"rayon"}, Program: program,
	}
}

// forks are those with a fork at every call or node. The trees of 2^10 to 2^22 nodes, one less each,
// are the table "Scaling with Depth" of "Lock-Free Futex Wake", measured.
func forks(s Sizes) []*Workload {
	fibs := func(name string, n int) *Workload {
		return forking(name, fmt.Sprint("fib ", n), "fork", work.FibForks(n), Cost,
			func() *work.Program { return work.Fib(n) }, "fib(%d), a fork at every call", n)
	}
	trees := func(name string, depth int, pause time.Duration) *Workload {
		nodes := 1<<depth - 1
		return forking(name, fmt.Sprint("tree ", depth), "node", nodes, Cost,
			func() *work.Program { return work.Tree(depth, pause) }, "sum of a tree of %d nodes, a fork at every inner one", nodes)
	}
	fib, large, crowd := fibs("fib", of(s, 30, 27, 10)), fibs("fib-large", of(s, 35, 30, 11)), fibs("fib-64", of(s, 30, 27, 10))
	fib.More = futexToo
	large.Beside = []string{SequentialName, "rayon", OursName} // with goroutines it would take too long
	crowd.About += ", with 64 workers"
	crowd.Workers = []int{2, 64}
	small := trees("tree-small", 10, of(s, time.Millisecond, time.Millisecond, 0))
	small.About += "; the workers sleep before"
	small.Unit, small.Ops, small.Judge, small.More = "run", 1, Wait, futexToo
	all := []*Workload{fib, large, crowd, small, trees("tree", of(s, 22, 18, 6), 0)}
	for depth := 10; depth <= 22; depth += 2 {
		levels := of(s, depth, depth, depth/4)
		w := trees(fmt.Sprint("depth-", depth), levels, 0)
		w.Unit, w.Ops = "fork", work.TreeForks(levels)
		w.Workers, w.Beside = []int{1, 2}, []string{SequentialName, SequentialName + "-rayon", "rayon", OursName}
		all = append(all, w)
	}
	return all
}

// searches are those of trees and intervals, the product of matrices, and a sort.
func searches(s Sizes) []*Workload {
	n, end, side, elements := of(s, 11, 9, 6), of(s, 300, 30, 1), of(s, 512, 256, 130), of(s, 10_000_000, 500_000, 20_000)
	return []*Workload{
		uts("T1", of(s, work.T1, work.UTSTree{Seed: 19, Depth: 7, Branch: 4}, work.UTSTree{Seed: 19, Depth: 3, Branch: 4}), of(s, 4130071, 63914, 254)),
		uts("T3", of(s, work.T3, smallT3, smallT3), of(s, 4112897, 6521, 6521)),
		forking("queens", fmt.Sprint("queens ", n), "run", 1, Wait, func() *work.Program { return work.Queens(n) },
			"%d queens, a fork for each placement but the last of a row", n),
		forking("integrate", fmt.Sprint("integrate ", end), "run", 1, Wait, func() *work.Program { return work.Integrate(float64(end)) },
			"integral of a cubic up to %d by halving intervals, a fork at every halving", end),
		{
			Name: "matmul", About: fmt.Sprintf("product of two matrices of %d by %d, in blocks of 64", side, side),
			Program: func() *work.Program { return work.Matmul(side) },
		},
		forking("sort", fmt.Sprint("sort ", elements), "run", 1, Wait, func() *work.Program { return work.Sort(elements) },
			"merge sort of %d integers; sequentially slices.Sort", elements),
	}
}

var smallT3 = work.UTSTree{Seed: 42, Root: 40, Many: 8, Chance: 0.124875}

func uts(name string, t work.UTSTree, nodes int) *Workload {
	w := forking("uts-"+strings.ToLower(name), "uts "+name, "node", nodes, Wait, func() *work.Program { return work.UTS(t) },
		"Unbalanced Tree Search %s, %d nodes, a fork for each child but one", name, nodes)
	if t != work.T1 && t != work.T3 {
		w.About += " (smaller than published)"
		w.In = nil
	}
	return w
}

// leaves are few and long, or of unequal length.
func leaves(s Sizes) []*Workload {
	const millisecond = 750_000 // steps of a leaf take one, about
	row := func(name, about string, steps []int) *Workload {
		return &Workload{Name: name, About: about, Program: func() *work.Program { return work.Leaves(steps) }}
	}
	repeated := func(n, steps int) []int { return slices.Repeat([]int{steps}, n) }
	return []*Workload{
		row("coarse-1ms", "leaves of about 1 ms", repeated(of(s, 64, 8, 4), of(s, millisecond, millisecond, 10))),
		row("unbalanced", "one leaf of about 20 ms beside many of 10 µs",
			append(repeated(1, of(s, 20*millisecond, 20*millisecond, 100)), repeated(of(s, 2000, 500, 10), of(s, millisecond/100, millisecond/100, 1))...)),
	}
}

// jobs are those that are submitted.
func jobs(s Sizes) []*Workload {
	n, pause := of(s, 100_000, 20_000, 100), of(s, 2*time.Millisecond, time.Millisecond, 0)
	submit := func(posters int) *Workload {
		return &Workload{
			Name:  fmt.Sprint("submit-", posters),
			About: fmt.Sprintf("%d jobs that do nothing; goroutines that submit them: %d", n, posters),
			Unit:  "job", Ops: n, Judge: Cost, More: slices.Concat(futexToo, []string{"errgroup"}),
			Program: func() *work.Program { return work.Submit(n, posters) },
			Want:    uint64(n),
		}
	}
	latency := func(name, poster string, busy bool) *Workload {
		return &Workload{
			Name:  name,
			About: "from a submission to the job's first instruction; the workers sleep before, the poster " + poster,
			Unit:  "job", Ops: 1, More: futexToo, last: true, Want: 1,
			Program: func() *work.Program { return work.Latency(busy, pause) },
		}
	}
	one := submit(1)
	one.Outside, one.In = fmt.Sprint("submit ", n), []string{"rayon"}
	return []*Workload{one, submit(8), latency("latency-idle", "waits", false), latency("latency-busy", "keeps its processor busy", true)}
}

// fills are leaves that sleep, in all shapes. The numbers of workers do not depend on the machine,
// since a leaf that sleeps uses no processor.
func fills(s Sizes) (all []*Workload) {
	leaf := of(s, work.LeafTime, work.LeafTime, 100*time.Microsecond)
	for _, shape := range work.FillShapes() {
		for _, workers := range of(s, []int{64, 256}, []int{64}, []int{4}) {
			n := work.FillLeaves(workers)
			all = append(all, &Workload{
				Name: fmt.Sprintf("fill-%s-%d", shape, workers),
				About: fmt.Sprintf("%d leaves that sleep %v each; all workers sleep before; goroutines: a semaphore lets %d sleep at once",
					n, leaf, workers),
				Workers: []int{workers}, Runs: of(s, 20, 0, 0), Want: uint64(n),
				Beside:  []string{"goroutine", OursName, "rouse-futex"},
				Program: func() *work.Program { return work.Fill(shape, workers, leaf) },
			})
		}
	}
	return all
}

// waits are programs whose jobs or callers wait, and a pool at rest.
func waits(s Sizes) []*Workload {
	rounds, strangers, rest := of(s, 20, 20, 2), of(s, 8, 8, 1), of(s, 500*time.Millisecond, 200*time.Millisecond, time.Millisecond)
	both, while := []string{"rayon", "onetbb"}, of(s, 100*time.Millisecond, 100*time.Millisecond, 4*time.Millisecond)
	// A recursion with requests beside it has a worker for each processor, or more.
	crowds := []int{1, 2, 8}
	return []*Workload{
		{
			Name: "locks", About: fmt.Sprintf("%d batches of jobs that hold one of 4 mutexes while they fork and join jobs that take the next one", rounds),
			Outside: fmt.Sprint("locks ", rounds), In: both, Workers: []int{1, 2, 4}, Program: func() *work.Program { return work.Locks(rounds) },
		}, {
			Name: "late", About: fmt.Sprintf("one caller's 3 ms of forks, while another caller queues %d jobs that sleep for 60 ms each", strangers),
			Outside: fmt.Sprint("late ", strangers), In: both, Workers: []int{1, 2, 4}, Want: uint64(64 + strangers),
			Program: func() *work.Program { return work.Late(strangers) },
		}, {
			Name: "beside", About: "1,000 requests a second that do nothing, while another caller's recursion has all workers",
			Unit: "request", Ops: 1, Outside: "beside 1000", In: both, Workers: crowds,
			Program: func() *work.Program { return work.Requests(time.Millisecond, while) },
		}, {
			Name: "recursion-alone", About: "that recursion, with nothing beside it", Unit: "leaf", Ops: 1, Workers: crowds,
			Program: func() *work.Program { return work.Recursion(0, while) },
		}, {
			Name: "recursion-beside", About: "the same beside 1,000 requests a second", Unit: "leaf", Ops: 1, Workers: crowds,
			Program: func() *work.Program { return work.Recursion(time.Millisecond, while) },
		}, {
			Name: "recursion-busy", About: "the same beside one request after the other", Unit: "leaf", Ops: 1, Workers: crowds,
			Program: func() *work.Program { return work.Recursion(1, while) },
		}, {
			Name: "rest", About: fmt.Sprintf("processor time of the process in %v in which a pool sleeps; sequential has none", rest),
			Judge: Cost, More: futexToo, last: true, Want: 1, Program: func() *work.Program { return work.Rest(rest) },
		},
	}
}
