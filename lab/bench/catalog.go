package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
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

// Workloads returns all workloads, in these sizes.
func Workloads(s Sizes) []*Workload {
	all := slices.Concat(forks(s), larger(s), jobs(s), fills(s), waits(s), parLoops(s))
	for _, w := range all {
		if w.Ops == 0 {
			w.Unit, w.Ops = "run", 1
		}
		if s != Full {
			w.Goals = nil
		}
	}
	return all
}

// sized is a workload that has a number, by which programs in other languages are asked for it, too.
func sized(name string, n int, program func(n int) *work.Program, about string, in ...string) *Workload {
	return &Workload{
		Name: name, About: fmt.Sprintf(about, n), Outside: fmt.Sprint(name, " ", n), In: in,
		Program: func() *work.Program { return program(n) },
	}
}

// forks are those with a fork at every call or node. Those named for depths are the table "Scaling with
// Depth" of "Lock-Free Futex Wake", measured.
func forks(s Sizes) []*Workload {
	n := of(s, 30, 27, 10)
	fib := sized("fib", n, work.Fib, "fib(%d), a fork at every call", Rayon)
	fib.Unit, fib.Ops, fib.Cost = "fork", work.FibForks(n), true
	fib.Goals = []Goal{{Most: 0.01, Of: Goroutine}, {Most: 0.5, Of: Rayon}, {Most: 1.3, Of: Sequential, Workers: 2}}
	trees := func(name string, depth int, pause time.Duration) *Workload {
		w := sized("tree", depth, func(n int) *work.Program { return work.Tree(n, pause) },
			"sum of a tree of %d levels, a fork at every inner node", Rayon)
		w.Name, w.Unit, w.Ops, w.Cost = name, "node", 1<<depth-1, true
		return w
	}
	small := trees("tree-small", 10, of(s, time.Millisecond, time.Millisecond, 0))
	small.About += "; the workers sleep before"
	small.Unit, small.Ops, small.Cost = "run", 1, false
	small.Goals = []Goal{{Most: 3, Of: Sequential}}
	all := []*Workload{fib, small, trees("tree", of(s, 22, 18, 6), 0)}
	for _, depth := range []int{10, 15, 20} {
		all = append(all, trees(fmt.Sprint("depth-", depth), of(s, depth, depth, depth/4), 0))
	}
	return all
}

// larger are the workloads that somebody might have.
func larger(s Sizes) []*Workload {
	all := []*Workload{
		sized("uts", of(s, 10, 7, 3), work.UTS, "%d levels of the tree of Unbalanced Tree Search, a fork for each child but one", Rayon),
		sized("queens", of(s, 11, 9, 6), work.Queens, "%d queens, a fork for each placement but the last of a row"),
		sized("integrate", of(s, 300, 30, 1), work.Integrate, "integral of a cubic up to %d by halving intervals, a fork at every halving"),
		sized("matmul", of(s, 512, 256, 130), work.Matmul, "product of two square matrices of %d rows, in blocks of 64"),
		sized("sort", of(s, 10_000_000, 500_000, 20_000), work.Sort, "%d integers, merge sort; sequentially slices.Sort", Rayon),
	}
	all[0].Unit, all[0].Ops = "node", of(s, 4_130_071, 63_914, 254)
	for _, w := range all {
		w.Goals = []Goal{{Most: 1.05, Of: Sequential, Workers: 1}, {Most: 0.526, Of: Sequential, Workers: 2}, {Most: 1, Of: Others, Workers: 2}}
	}
	return all
}

// jobs are those that are submitted, and the sleep backends by themselves.
func jobs(s Sizes) []*Workload {
	n, pause := of(s, 100_000, 20_000, 100), of(s, 2*time.Millisecond, time.Millisecond, 0)
	submit := sized("submit", n, work.Submit, "%d jobs that do nothing", Rayon)
	submit.Unit, submit.Ops, submit.Cost, submit.Want = "job", n, true, uint64(n)
	submit.Goals = []Goal{{Most: 60}}
	latency := func(name, poster string, busy bool) *Workload {
		return &Workload{
			Name:  name,
			About: "from a submission to the job's first instruction; the workers sleep before, the poster " + poster,
			Want:  1, Goals: []Goal{{Most: 1, Of: Goroutine, Tail: true}},
			Program: func() *work.Program { return work.Latency(busy, pause) },
		}
	}
	return []*Workload{
		submit, latency("latency-idle", "waits", false), latency("latency-busy", "keeps its processor busy", true),
		{
			Name: "post-asleep", About: "a job posted when the worker sleeps; sleep backends alone, with one worker",
			Want: 1, Program: work.PostAsleep,
		}, {
			Name: "wake", About: "from the post to the first instruction of a worker that slept, the poster busy; sleep backends alone",
			Want: 1, Program: work.Wake,
		},
	}
}

// fills are leaves that sleep, in all shapes. The numbers of workers do not depend on the machine,
// since a leaf that sleeps uses no processor.
func fills(s Sizes) (all []*Workload) {
	leaf := of(s, 2*time.Millisecond, 2*time.Millisecond, 100*time.Microsecond)
	for _, shape := range work.FillShapes() {
		for _, workers := range of(s, []int{8, 64, 256}, []int{8, 64}, []int{4}) {
			all = append(all, &Workload{
				Name:    fmt.Sprintf("fill-%s-%d", shape, workers),
				About:   fmt.Sprintf("two leaves for each worker that sleep %v each; all workers sleep before", leaf),
				Workers: []int{workers}, Want: uint64(2 * workers), Goals: []Goal{{Most: float64(3 * leaf)}},
				Program: func() *work.Program { return work.Fill(shape, workers, leaf) },
			})
		}
	}
	return all
}

// waits are programs whose callers or jobs wait, and a pool at rest.
func waits(s Sizes) []*Workload {
	rest, while := of(s, 500*time.Millisecond, 200*time.Millisecond, time.Millisecond), of(s, 100*time.Millisecond, 100*time.Millisecond, 4*time.Millisecond)
	locks := sized("locks", of(s, 20, 20, 2), work.Locks,
		"%d batches of jobs that hold one of 4 mutexes while they fork and join jobs that take the next one", Rayon, OneTBB)
	locks.Workers, locks.Want = []int{1, 2, 4}, work.LocksResult(of(s, 20, 20, 2))
	beside := sized("beside", 1000, func(micros int) *work.Program { return work.Requests(time.Duration(micros)*time.Microsecond, while) },
		"a request that does nothing each %d µs, while another caller's recursion has all workers", Rayon, OneTBB)
	beside.Workers, beside.Goals = []int{1, 2, 8}, []Goal{{Most: 2, Of: Goroutine, Tail: true}}
	return []*Workload{locks, beside, {
		Name: "rest", About: fmt.Sprintf("processor time of the process in %v in which a pool sleeps; with goroutines there is none", rest),
		Cost: true, Program: func() *work.Program { return work.Rest(rest) },
	}}
}

// parLoops are the workloads of module par.
func parLoops(s Sizes) []*Workload {
	million, many, side := of(s, 1_000_000, 100_000, 1000), of(s, 10_000_000, 1_000_000, 5000), of(s, 1000, 300, 20)
	// Two workers are 1.9 times as fast as one. The memory keeps them from that where the body is short
	// and the elements are many.
	plain := Goal{Most: 1.03, Of: Sequential, Workers: 1}
	cut, shared := Goal{Most: 1, Of: Goroutine, Workers: 2}, Goal{Most: 0.54, Of: Sequential, Workers: 2}
	loop := func(name string, n int, program func(int) *work.Program, about string, goals []Goal, in ...string) *Workload {
		w := sized("par-"+name, n, program, "%d elements, "+about, in...)
		w.Unit, w.Ops, w.Cost, w.Goals = "element", n, true, goals
		return w
	}
	small := loop("small", of(s, 1000, 1000, 10), loops.For, "one written at each call: nobody should be woken",
		[]Goal{{Most: 0.33, Of: Rayon, Workers: 2}, {Most: 0.33, Of: OneTBB, Workers: 2}}, Rayon, OneTBB)
	small.Outside = fmt.Sprint("par-for ", small.Ops)
	return []*Workload{
		small,
		loop("for", million, loops.For, "one written at each call", []Goal{plain, cut, shared}, Rayon, OneTBB),
		loop("range", many, loops.Range, "nstream: a[i] = b[i] + 3*c[i]", []Goal{plain, cut}, Rayon, OneTBB),
		loop("reduce", million, loops.Reduce, "added by a function", []Goal{plain, cut, shared}, Rayon, OneTBB),
		loop("mandelbrot", side*side, loops.Mandelbrot, "points of at most 200 steps, in rows",
			[]Goal{plain, cut, shared, {Most: 1.05, Of: Rayon}, {Most: 1.05, Of: OneTBB}}, Rayon, OneTBB),
		loop("seq", million, loops.Seq, "in order through a stage that does nothing",
			[]Goal{{Most: 150}, {Most: 1, Of: Others, Workers: 2}}, OneTBB),
		loop("sort-int", many, loops.SortInt, "random integers", []Goal{{Most: 0.8, Of: Others, Workers: 2}}, Rayon, OneTBB),
		loop("sort-pairs", many, loops.SortPairs, "pairs sorted stably by a function; plainly slices.SortFunc",
			[]Goal{{Most: 1.5, Of: Rayon, Workers: 2}}, Rayon),
		loop("sort-key", many, loops.SortKey, "pairs sorted stably by an integer key; plainly slices.SortFunc",
			[]Goal{{Most: 1, Of: Rayon, Workers: 2}}, Rayon),
	}
}
