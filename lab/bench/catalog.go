package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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

// Workloads returns all workloads, in these sizes.
func Workloads(s Sizes) []*Workload {
	fib := fib("fib", of(s, 30, 27, 10))
	fib.More = futexToo
	crowd := *fib
	crowd.Name, crowd.About, crowd.More = "fib-64", fib.About+", with 64 workers", nil
	crowd.Workers = []int{2, 64}
	all := slices.Concat(
		[]*Workload{fib, largeFib(of(s, 35, 30, 11)), &crowd},
		trees(s),
		searches(s),
		leaves(s),
		jobs(s),
		fills(s),
		loopWorkloads(s),
		sweeps(s),
		[]*Workload{
			post("post-asleep", "a job posted when the worker sleeps", work.PostAsleep(200*time.Microsecond)),
			post("wake", "from the post to the first instruction of a worker that slept, the poster busy", work.Wake(200*time.Microsecond)),
		},
	)
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
func forking(name, outside, unit string, ops int, judge Judge, program func() *work.Program, check func(string) error, about string, args ...any) *Workload {
	return &Workload{
		Name: name, About: fmt.Sprintf(about, args...), Unit: unit, Ops: ops, Judge: judge,
		Outside: outside, In: []string{"rayon"}, Program: program, Check: check,
	}
}

func fib(name string, n int) *Workload {
	return forking(name, fmt.Sprint("fib ", n), "fork", work.FibForks(n), Cost,
		func() *work.Program { return work.Fib(n) }, exactly(work.FibNumber(n)), "fib(%d), a fork at every call", n)
}

// largeFib would take too long with a goroutine for each fork.
func largeFib(n int) *Workload {
	w := fib("fib-large", n)
	w.Program = func() *work.Program {
		p := work.Fib(n)
		p.Nested, p.Flat = nil, nil
		return p
	}
	return w
}

// trees are one that is large, one that is small, with workers that sleep before, and some of 2^10
// to 2^22 nodes, one less each: the table "Scaling with Depth" of "Lock-Free Futex Wake", measured.
func trees(s Sizes) []*Workload {
	pause := of(s, time.Millisecond, time.Millisecond, 0)
	small := tree("tree-small", 10, pause)
	small.About += "; the workers sleep before"
	small.Unit, small.Ops, small.Judge, small.More = "run", 1, Wait, futexToo
	all := []*Workload{small, tree("tree", of(s, 22, 18, 6), 0)}
	for depth := 10; depth <= 22; depth += 2 {
		levels := of(s, depth, depth, depth/4)
		w := tree(fmt.Sprint("depth-", depth), levels, 0)
		w.Unit, w.Ops = "fork", work.TreeForks(levels)
		w.Workers, w.Beside = []int{1, 2}, []string{SequentialName, SequentialName + "-rayon", "rayon", "rouse"}
		all = append(all, w)
	}
	return all
}

func tree(name string, depth int, pause time.Duration) *Workload {
	nodes := 1<<depth - 1
	return forking(name, fmt.Sprint("tree ", depth), "node", nodes, Cost,
		func() *work.Program { return work.Tree(depth, pause) }, exactly(uint64(nodes)*uint64(nodes+1)/2),
		"sum of a tree of %d nodes, a fork at every inner one", nodes)
}

// searches are those of trees and intervals, the product of matrices, and a sort.
func searches(s Sizes) []*Workload {
	t1 := of(s, work.T1, work.UTSTree{Seed: 19, Depth: 7, Branch: 4}, work.UTSTree{Seed: 19, Depth: 3, Branch: 4})
	t3 := work.UTSTree{Seed: 42, Root: 40, Many: 8, Chance: 0.124875}
	// The number of ways to place n queens is in OEIS, A000170.
	n, end, side := of(s, 11, 9, 6), of(s, 300, 30, 1), of(s, 512, 256, 130)
	x := float64(end)
	digest := of[uint64](s, 13674025917446431890, 11215554070596682483, 1896268001716954775)
	elements := of(s, 10_000_000, 500_000, 20_000)
	queens := forking("queens", fmt.Sprint("queens ", n), "run", 1, Wait,
		func() *work.Program { return work.Queens(n) }, exactly(of[uint64](s, 2680, 352, 4)),
		"%d queens, a fork for each placement but the last of a row", n)
	integrate := forking("integrate", fmt.Sprint("integrate ", end), "run", 1, Wait,
		func() *work.Program { return work.Integrate(x) }, about(x*x*x*x/4+x*x/2),
		"integral of a cubic up to %d by halving intervals, a fork at every halving", end)
	integrate.Format = func(r uint64) string { return strconv.FormatFloat(math.Float64frombits(r), 'f', 6, 64) }
	signed := func(r uint64) string { return strconv.FormatInt(int64(r), 10) }
	matmul := forking("matmul", fmt.Sprint("matmul ", side), "run", 1, Wait,
		func() *work.Program { return work.Matmul(side) }, is(signed(work.MatmulSum(side))),
		"product of two matrices of %d by %d, in blocks of 64", side, side)
	matmul.Format = signed
	sort := forking("sort", fmt.Sprint("sort ", elements), "run", 1, Wait,
		func() *work.Program { return work.Sort(elements) }, exactly(digest),
		"merge sort of %d integers; sequentially slices.Sort", elements)
	return []*Workload{
		uts("T1", t1, of(s, 4130071, 63914, 254)), uts("T3", of(s, work.T3, t3, t3), of(s, 4112897, 6521, 6521)),
		queens, integrate, matmul, sort,
	}
}

func uts(name string, t work.UTSTree, nodes int) *Workload {
	w := forking("uts-"+strings.ToLower(name), "uts "+name, "node", nodes, Wait,
		func() *work.Program { return work.UTS(t) }, exactly(uint64(nodes)),
		"Unbalanced Tree Search %s, %d nodes, a fork for each child but one", name, nodes)
	if t != work.T1 && t != work.T3 {
		w.About += " (smaller than published)"
		w.In = nil
	}
	return w
}

// leaves are those of few and of unequal length, and little work again and again, with pauses in
// which some implementations stay awake and others do not.
func leaves(s Sizes) []*Workload {
	const millisecond = 750_000 // steps of a leaf take one, about
	row := func(name, about string, pause time.Duration, steps []int) *Workload {
		return &Workload{
			Name:    name,
			About:   about,
			Program: func() *work.Program { return work.Leaves(steps, pause) },
			Check:   exactly(work.LeavesSum(steps)),
		}
	}
	repeated := func(n, steps int) []int { return slices.Repeat([]int{steps}, n) }
	all := []*Workload{
		row("coarse-1ms", "leaves of about 1 ms", 0, repeated(of(s, 64, 8, 4), of(s, millisecond, millisecond, 10))),
		row("unbalanced", "one leaf of about 20 ms beside many of 10 µs", 0,
			append([]int{of(s, 20*millisecond, 20*millisecond, 100)}, repeated(of(s, 2000, 500, 10), of(s, millisecond/100, millisecond/100, 1))...)),
	}
	pauses := []time.Duration{30 * time.Microsecond, 300 * time.Microsecond, 3 * time.Millisecond, 10 * time.Millisecond}
	for _, pause := range of(s, pauses, pauses, []time.Duration{0}) {
		w := row("burst-"+strings.ReplaceAll(pause.String(), "µ", "u"),
			fmt.Sprintf("16 leaves of about 20 µs, after %v in which the caller works alone", pause),
			pause, repeated(16, of(s, millisecond/50, millisecond/50, 1)))
		w.last, w.More = true, futexToo
		all = append(all, w)
	}
	return all
}

// jobs are those that are submitted, and those of groups.
func jobs(s Sizes) []*Workload {
	n := of(s, 100_000, 20_000, 100)
	pause := of(s, 2*time.Millisecond, time.Millisecond, 0)
	one := submit(n, 1)
	one.Outside, one.In = fmt.Sprint("submit ", n), []string{"rayon"}
	return []*Workload{
		one,
		submit(n, 8),
		group(of(s, 10_000, 2_000, 10), 8),
		group(of(s, 100, 20, 2), 1000),
		latency("latency-idle", "waits", work.Latency(false, pause)),
		latency("latency-busy", "keeps its processor busy", work.Latency(true, pause)),
	}
}

func submit(jobs, posters int) *Workload {
	return &Workload{
		Name:  fmt.Sprint("submit-", posters),
		About: fmt.Sprintf("%d jobs that do nothing; goroutines that submit them: %d", jobs, posters),
		Unit:  "job", Ops: jobs, Judge: Cost, More: futexToo,
		Program: func() *work.Program { return work.Submit(jobs, posters) },
		Check:   exactly(uint64(jobs)),
	}
}

// group is measured beside what people use for it.
func group(groups, jobs int) *Workload {
	return &Workload{
		Name:  fmt.Sprint("group-", jobs),
		About: fmt.Sprintf("%d groups of %d jobs that might fail", groups, jobs),
		Unit:  "job", Ops: groups * jobs, Judge: Cost,
		Beside:  []string{SequentialName, "goroutine", "conc", "errgroup", "rouse"},
		Program: func() *work.Program { return work.FailingGroups(groups, jobs) },
		Check:   exactly(work.FailingGroupsSum(groups, jobs)),
	}
}

func latency(name, poster string, p *work.Program) *Workload {
	return &Workload{
		Name:  name,
		About: "from a submission to the job's first instruction; the workers sleep before, the poster " + poster,
		Unit:  "job", Ops: 1, More: futexToo, last: true,
		Program: func() *work.Program { return p },
		Check:   exactly(1),
	}
}

// fills are leaves that sleep, in all shapes, on the pool and one of each kind of peer. The
// numbers of workers do not depend on the machine, since a leaf that sleeps uses no processor.
func fills(s Sizes) (all []*Workload) {
	leaf := of(s, work.LeafTime, work.LeafTime, 100*time.Microsecond)
	for _, shape := range work.FillShapes() {
		for _, workers := range of(s, []int{64, 256}, []int{64}, []int{4}) {
			n := work.FillLeaves(workers)
			w := &Workload{
				Name: fmt.Sprintf("%s%s-%d", FillPrefix, shape, workers),
				About: fmt.Sprintf("%d leaves that sleep %v each; all workers sleep before; goroutines: a semaphore lets %d sleep at once",
					n, leaf, workers),
				Workers: []int{workers},
				Runs:    of(s, 20, 0, 0),
				Beside:  []string{"goroutine", "errgroup", "rayon", "onetbb", "rouse", "rouse-eager", "rouse-futex"},
				Program: func() *work.Program { return work.Fill(shape, workers, leaf) },
				Check:   exactly(uint64(n)),
			}
			// Rayon has no handle of a fork, so nobody there can join the oldest first.
			if shape != work.FillOldest && shape != work.FillLoop && leaf == work.LeafTime {
				w.Outside, w.In = fmt.Sprintf("fill-%s %d", shape, n), []string{"rayon", "onetbb"}
			}
			all = append(all, w)
		}
	}
	return all
}

// FillPrefix begins the names of the workloads whose leaves sleep. The shape
// and the number of workers follow.
const FillPrefix = "fill-"

func post(name, about string, program *work.Program) *Workload {
	return &Workload{
		Name:    name,
		About:   about + "; sleep backends alone, with one worker",
		Program: func() *work.Program { return program },
		Check:   exactly(1),
		last:    true,
	}
}

// about is the check of a number that is rounded.
func about(want float64) func(string) error {
	return func(answer string) error {
		got, err := strconv.ParseFloat(answer, 64)
		if err == nil && math.Abs(got-want) > 1e-6*want {
			err = fmt.Errorf("the answer is %s, must be %f", answer, want)
		}
		return err
	}
}
