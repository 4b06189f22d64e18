package bench

import (
	"strconv"
	"time"

	"github.com/rouse-go/rouse/tools/bench/work"
)

// Sizes says how large the workloads are.
type Sizes int

const (
	// Full sizes are those of the published figures.
	Full Sizes = iota
	// Quick sizes are for a first look.
	Quick
	// Tiny sizes are for tests.
	Tiny
)

// of picks one of the sizes.
func of[T any](s Sizes, full, quick, tiny T) T { return [...]T{full, quick, tiny}[s] }

// Workloads returns all workloads, of these sizes. The numbers of workers are
// for those that make sense with the last of them only.
func Workloads(s Sizes, most int) []*Workload {
	return []*Workload{
		fib(of(s, 30, 27, 10)),
		tree(10, s),
		tree(of(s, 22, 18, 8), s),
		submit(of(s, 100000, 20000, 100), 1),
		submit(of(s, 100000, 20000, 100), 8),
	}
}

func fib(n int) *Workload {
	return &Workload{
		Name:    "fib",
		About:   "fib(" + strconv.Itoa(n) + "), a fork at every call",
		Unit:    "fork",
		Ops:     work.FibForks(n),
		Judge:   Cost,
		Outside: "fib " + strconv.Itoa(n),
		Matrix:  true,
		Program: func() *work.Program { return work.Fib(n) },
		Check:   exactly(work.FibNumber(n)),
	}
}

func tree(depth int, s Sizes) *Workload {
	nodes := 1<<depth - 1
	w := &Workload{
		Name:    "tree" + strconv.Itoa(depth),
		About:   "sum of a tree of " + strconv.Itoa(nodes) + " nodes, a fork at every inner node",
		Unit:    "node",
		Ops:     nodes,
		Judge:   Cost,
		Outside: "tree " + strconv.Itoa(depth),
		Program: func() *work.Program { return work.Tree(depth, 0) },
		Check:   exactly(uint64(nodes) * uint64(nodes+1) / 2),
	}
	if depth <= 10 {
		w.About += "; the workers sleep before"
		w.Unit, w.Ops, w.Judge, w.Matrix = "run", 1, Wait, true
		w.Program = func() *work.Program { return work.Tree(depth, of(s, time.Millisecond, time.Millisecond, 0)) }
	}
	return w
}

func submit(jobs, posters int) *Workload {
	return &Workload{
		Name:    "submit" + strconv.Itoa(posters),
		About:   strconv.Itoa(jobs) + " empty jobs, handed over by " + strconv.Itoa(posters) + " goroutines",
		Unit:    "job",
		Ops:     jobs,
		Judge:   Cost,
		Outside: of2(posters == 1, "submit "+strconv.Itoa(jobs), ""),
		Matrix:  true,
		Program: func() *work.Program { return work.Submit(jobs, posters) },
		Check:   exactly(uint64(jobs)),
	}
}

func of2(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
