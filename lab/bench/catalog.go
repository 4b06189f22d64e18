package bench

import (
	"fmt"
	"slices"
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

// The programs in other languages.
const (
	Rayon  = "rayon"
	OneTBB = "onetbb"
)

// Workloads returns all workloads, in these sizes.
func Workloads(s Sizes) []*Workload {
	all := slices.Concat(forks(s), larger(s), jobs(s), fills(s), requests(s), loopWorkloads(s), []*Workload{
		{
			Name: "post-asleep", About: "a job posted when the worker sleeps; sleep backends alone, with one worker",
			Want: 1, Program: func() *work.Program { return work.PostAsleep(200 * time.Microsecond) },
		}, {
			Name: "wake", About: "from the post to the first instruction of a worker that slept, the poster busy; sleep backends alone",
			Want: 1, Program: func() *work.Program { return work.Wake(200 * time.Microsecond) },
		},
	})
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

// forking is a row of what forks, and what Rayon has, too: size is that by which it is asked.
func forking(name string, size int, program func() *work.Program, about string, args ...any) *Workload {
	return &Workload{
		Name: name, About: fmt.Sprintf(about, args...),
		Outside: fmt.Sprint(name, " ", size), In: []string{Rayon}, Program: program,
	}
}

// forks are those with a fork at every call or node. Those named for depths are the table "Scaling with
// Depth" of "Lock-Free Futex Wake", measured.
func forks(s Sizes) []*Workload {
	n := of(s, 30, 27, 10)
	fib := forking("fib", n, func() *work.Program { return work.Fib(n) }, "fib(%d), a fork at every call", n)
	fib.Unit, fib.Ops, fib.Judge, fib.Futex = "fork", work.FibForks(n), Cost, true
	fib.Goals = []Goal{{Most: 0.01, Of: work.Goroutine}, {Most: 0.5, Of: Rayon}, {Most: 1.3, Of: Sequential, Workers: 2}}
	trees := func(name string, depth int, pause time.Duration) *Workload {
		nodes := 1<<depth - 1
		w := forking("tree", depth, func() *work.Program { return work.Tree(depth, pause) },
			"sum of a tree of %d nodes, a fork at every inner one", nodes)
		w.Name, w.Unit, w.Ops, w.Judge = name, "node", nodes, Cost
		return w
	}
	small := trees("tree-small", 10, of(s, time.Millisecond, time.Millisecond, 0))
	small.About += "; the workers sleep before"
	small.Unit, small.Ops, small.Judge, small.Futex = "run", 1, Wait, true
	small.Goals = []Goal{{Most: 3, Of: Sequential}}
	all := []*Workload{fib, small, trees("tree", of(s, 22, 18, 6), 0)}
	for _, depth := range []int{10, 15, 20} {
		all = append(all, trees(fmt.Sprint("depth-", depth), of(s, depth, depth, depth/4), 0))
	}
	return all
}

// larger are the workloads that somebody might have.
func larger(s Sizes) []*Workload {
	depth, n, end := of(s, 10, 7, 3), of(s, 11, 9, 6), of(s, 300, 30, 1)
	side, elements := of(s, 512, 256, 130), of(s, 10_000_000, 500_000, 20_000)
	all := []*Workload{
		forking("uts", depth, func() *work.Program { return work.UTS(depth) },
			"Unbalanced Tree Search T1, %d deep, a fork for each child but one", depth),
		forking("queens", n, func() *work.Program { return work.Queens(n) },
			"%d queens, a fork for each placement but the last of a row", n),
		forking("integrate", end, func() *work.Program { return work.Integrate(float64(end)) },
			"integral of a cubic up to %d by halving intervals, a fork at every halving", end),
		forking("sort", elements, func() *work.Program { return work.Sort(elements) },
			"merge sort of %d integers; sequentially slices.Sort", elements),
		{
			Name: "matmul", About: fmt.Sprintf("product of two matrices of %d by %d, by rows", side, side),
			Program: func() *work.Program { return work.Matmul(side) },
		},
	}
	all[0].Unit, all[0].Ops = "node", of(s, 4_130_071, 63_914, 254)
	for _, w := range all {
		w.Goals = []Goal{{Most: 1.05, Of: Sequential, Shared: true}, {Most: 1, Of: Others, Workers: 2}}
	}
	return all
}

// jobs are those that are submitted.
func jobs(s Sizes) []*Workload {
	n, pause := of(s, 100_000, 20_000, 100), of(s, 2*time.Millisecond, time.Millisecond, 0)
	submit := forking("submit", n, func() *work.Program { return work.Submit(n) }, "%d jobs that do nothing", n)
	submit.Unit, submit.Ops, submit.Judge, submit.Futex, submit.Want = "job", n, Cost, true, uint64(n)
	submit.Goals = []Goal{{Most: 60}}
	latency := func(name, poster string, busy bool) *Workload {
		return &Workload{
			Name:  name,
			About: "from a submission to the job's first instruction; the workers sleep before, the poster " + poster,
			Unit:  "job", Ops: 1, Futex: true, Want: 1, Goals: []Goal{{Most: 1, Of: work.Goroutine, Tail: true}},
			Program: func() *work.Program { return work.Latency(busy, pause) },
		}
	}
	return []*Workload{submit, latency("latency-idle", "waits", false), latency("latency-busy", "keeps its processor busy", true)}
}

// fills are leaves that sleep, in all shapes. The numbers of workers do not depend on the machine,
// since a leaf that sleeps uses no processor.
func fills(s Sizes) (all []*Workload) {
	leaf := of(s, 2*time.Millisecond, 2*time.Millisecond, 100*time.Microsecond)
	for _, shape := range work.FillShapes() {
		for _, workers := range of(s, []int{8, 64, 256}, []int{8, 64}, []int{4}) {
			n := work.FillLeaves(workers)
			all = append(all, &Workload{
				Name: fmt.Sprintf("fill-%s-%d", shape, workers),
				About: fmt.Sprintf("%d leaves that sleep %v each; all workers sleep before; goroutines: a semaphore lets %d sleep at once",
					n, leaf, workers),
				Workers: []int{workers}, Futex: true, Want: uint64(n), Goals: []Goal{{Most: float64(3 * leaf)}},
				Program: func() *work.Program { return work.Fill(shape, workers, leaf) },
			})
		}
	}
	return all
}

// requests are programs whose callers or jobs wait, and a pool at rest.
func requests(s Sizes) []*Workload {
	rounds, rest := of(s, 20, 20, 2), of(s, 500*time.Millisecond, 200*time.Millisecond, time.Millisecond)
	both, while := []string{Rayon, OneTBB}, of(s, 100*time.Millisecond, 100*time.Millisecond, 4*time.Millisecond)
	// A recursion with requests beside it has a worker for each processor, or more.
	crowds := []int{1, 2, 8}
	recursion := func(name, about string, every time.Duration) *Workload {
		return &Workload{
			Name: "recursion-" + name, About: about, Unit: "leaf", Ops: 1, Workers: crowds,
			Program: func() *work.Program { return work.Recursion(every, while) },
		}
	}
	return []*Workload{
		{
			Name: "locks", About: fmt.Sprintf("%d batches of jobs that hold one of 4 mutexes while they fork and join jobs that take the next one", rounds),
			Outside: fmt.Sprint("locks ", rounds), In: both, Workers: []int{1, 2, 4}, Want: work.LocksResult(rounds),
			Program: func() *work.Program { return work.Locks(rounds) },
		}, {
			Name: "beside", About: "1,000 requests a second that do nothing, while another caller's recursion has all workers",
			Unit: "request", Ops: 1, Outside: "beside 1000", In: both, Workers: crowds,
			Goals:   []Goal{{Most: 2, Of: work.Goroutine, Tail: true}},
			Program: func() *work.Program { return work.Requests(time.Millisecond, while) },
		},
		recursion("alone", "that recursion, with nothing beside it", 0),
		recursion("beside", "the same beside 1,000 requests a second", time.Millisecond),
		recursion("busy", "the same beside one request after the other", 1),
		{
			Name: "rest", About: fmt.Sprintf("processor time of the process in %v in which a pool sleeps; sequential has none", rest),
			Judge: Cost, Futex: true, Want: 1, Program: func() *work.Program { return work.Rest(rest) },
		},
	}
}
