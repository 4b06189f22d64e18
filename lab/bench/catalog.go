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

// Workloads returns all workloads, in these sizes. Those that make no sense
// with fewer workers are measured with the greatest number of them only, which
// is most.
func Workloads(s Sizes, most int) []*Workload {
	all := slices.Concat(
		[]*Workload{
			fib(of(s, 30, 27, 10)),
			largeFib(of(s, 35, 30, 11)),
			smallTree(10, of(s, time.Millisecond, time.Millisecond, 0)),
			tree(of(s, 22, 18, 6)),
		},
		of(s,
			[]*Workload{
				uts("T1", work.T1, 4130071),
				uts("T3", work.T3, 4112897),
			},
			[]*Workload{
				uts("T1", work.UTSTree{Seed: 19, Depth: 7, Branch: 4}, 63914),
				uts("T3", work.UTSTree{Seed: 42, Root: 40, Many: 8, Chance: 0.124875}, 6521),
			},
			[]*Workload{
				uts("T1", work.UTSTree{Seed: 19, Depth: 3, Branch: 4}, 254),
				uts("T3", work.UTSTree{Seed: 42, Root: 40, Many: 8, Chance: 0.124875}, 6521),
			}),
		[]*Workload{
			queens(of(s, 11, 9, 6)),
			integrate(of(s, 300, 30, 1)),
			matmul(of(s, 512, 256, 130)),
			sort(of(s, 10_000_000, 500_000, 20_000)),
			leaves("coarse-1ms", "leaves of about 1 ms", repeated(of(s, 64, 8, 4), of(s, millisecond, millisecond, 10)), 0),
			leaves("coarse-100ms", "leaves of about 100 ms", repeated(4, of(s, 100*millisecond, 10*millisecond, 10)), 0),
			leaves("unbalanced", "one leaf of about 20 ms beside many of 10 µs",
				append([]int{of(s, 20*millisecond, 20*millisecond, 100)}, repeated(of(s, 2000, 500, 10), of(s, millisecond/100, millisecond/100, 1))...), 0),
			submit(of(s, 100_000, 20_000, 100), 1),
			submit(of(s, 100_000, 20_000, 100), 8),
			group(of(s, 10_000, 2_000, 10), 8),
			group(of(s, 100, 20, 2), 1000),
			latency("latency-idle", "waits", false, of(s, 2*time.Millisecond, time.Millisecond, 0)),
			latency("latency-busy", "keeps its processor busy", true, of(s, 2*time.Millisecond, time.Millisecond, 0)),
		},
		bursts(s),
		depths(s),
		fills(s),
		loopWorkloads(s),
		sweeps(s),
		[]*Workload{
			rest(of(s, 100*time.Millisecond, 50*time.Millisecond, time.Millisecond)),
			post("post-awake", "a job posted when nobody sleeps", work.PostAwake(1000), 1000, Cost),
			post("post-asleep", "a job posted when the worker sleeps", work.PostAsleep(200*time.Microsecond), 1, Wait),
			post("wake", "from the post to the first instruction of a worker that slept, the poster busy", work.Wake(200*time.Microsecond), 1, Wait),
		},
	)
	for _, w := range all {
		if w.Ops == 0 {
			w.Unit, w.Ops = "run", 1
		}
		w.Matrix = w.Matrix && s == Full
		if w.Workers == nil && w.last {
			w.Workers = []int{most}
		}
	}
	crowd := fib(of(s, 30, 27, 10))
	crowd.Name, crowd.About, crowd.Matrix = "fib-64", crowd.About+", with 64 workers", false
	crowd.Workers = []int{most, 64}
	return append(all, crowd)
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

// largeFib would take too long with a goroutine for each fork.
func largeFib(n int) *Workload {
	w := fib(n)
	w.Name, w.Matrix = "fib-large", false
	w.Program = func() *work.Program {
		p := work.Fib(n)
		p.Nested, p.Flat = nil, nil
		return p
	}
	return w
}

// group is measured beside what people use for it.
func group(groups, jobs int) *Workload {
	return &Workload{
		Name:    "group-" + strconv.Itoa(jobs),
		About:   fmt.Sprintf("%d groups of %d jobs that might fail", groups, jobs),
		Unit:    "job",
		Ops:     groups * jobs,
		Judge:   Cost,
		Beside:  []string{"sequential", "goroutine", "conc", "errgroup", "errgroup-unlimited", "rouse"},
		Program: func() *work.Program { return work.FailingGroups(groups, jobs) },
		Check:   exactly(work.FailingGroupsSum(groups, jobs)),
	}
}

func tree(depth int) *Workload {
	nodes := 1<<depth - 1
	return &Workload{
		Name:    "tree",
		About:   fmt.Sprintf("sum of a tree of %d nodes, a fork at every inner one", nodes),
		Unit:    "node",
		Ops:     nodes,
		Judge:   Cost,
		Outside: "tree " + strconv.Itoa(depth),
		Program: func() *work.Program { return work.Tree(depth, 0) },
		Check:   exactly(uint64(nodes) * uint64(nodes+1) / 2),
	}
}

func smallTree(depth int, pause time.Duration) *Workload {
	w := tree(depth)
	w.Name, w.About = "tree-small", w.About+"; the workers sleep before"
	w.Unit, w.Ops, w.Judge, w.Matrix = "run", 1, Wait, true
	w.Program = func() *work.Program { return work.Tree(depth, pause) }
	return w
}

func uts(name string, t work.UTSTree, nodes int) *Workload {
	w := &Workload{
		Name:    "uts-" + strings.ToLower(name),
		About:   fmt.Sprintf("Unbalanced Tree Search %s, %d nodes, a fork for each child but one", name, nodes),
		Unit:    "node",
		Ops:     nodes,
		Program: func() *work.Program { return work.UTS(t) },
		Check:   exactly(uint64(nodes)),
	}
	if t == work.T1 || t == work.T3 {
		w.Outside = "uts " + name
	} else {
		w.About += " (smaller than published)"
	}
	return w
}

// solutions is the number of ways to place n queens (OEIS A000170).
var solutions = map[int]uint64{6: 4, 9: 352, 11: 2680}

func queens(n int) *Workload {
	return &Workload{
		Name:    "queens",
		About:   fmt.Sprintf("%d queens, a fork for each placement but the last of a row", n),
		Outside: "queens " + strconv.Itoa(n),
		Program: func() *work.Program { return work.Queens(n) },
		Check:   exactly(solutions[n]),
	}
}

func integrate(end int) *Workload {
	x := float64(end)
	want := x*x*x*x/4 + x*x/2
	return &Workload{
		Name:    "integrate",
		About:   fmt.Sprintf("integral of a cubic up to %d by halving intervals, a fork at every halving", end),
		Outside: "integrate " + strconv.Itoa(end),
		Program: func() *work.Program { return work.Integrate(x) },
		Format:  func(r uint64) string { return strconv.FormatFloat(math.Float64frombits(r), 'f', 6, 64) },
		Check: func(answer string) error {
			got, err := strconv.ParseFloat(answer, 64)
			if err == nil && math.Abs(got-want) > 1e-6*want {
				err = fmt.Errorf("the answer is %s, must be %f", answer, want)
			}
			return err
		},
	}
}

func matmul(n int) *Workload {
	signed := func(r uint64) string { return strconv.FormatInt(int64(r), 10) }
	return &Workload{
		Name:    "matmul",
		About:   fmt.Sprintf("product of two matrices of %d by %d, in blocks of 64", n, n),
		Outside: "matmul " + strconv.Itoa(n),
		Program: func() *work.Program { return work.Matmul(n) },
		Format:  signed,
		Check:   is(signed(work.MatmulSum(n))),
	}
}

func sort(n int) *Workload {
	digests := map[int]uint64{
		10_000_000: 13674025917446431890,
		500_000:    11215554070596682483,
		20_000:     1896268001716954775,
	}
	return &Workload{
		Name:    "sort",
		About:   fmt.Sprintf("merge sort of %d integers; sequentially slices.Sort", n),
		Outside: "sort " + strconv.Itoa(n),
		Program: func() *work.Program { return work.Sort(n) },
		Check:   exactly(digests[n]),
	}
}

// millisecond is how many steps of a leaf take one, about.
const millisecond = 750_000

func repeated(n, steps int) []int { return slices.Repeat([]int{steps}, n) }

func leaves(name, about string, steps []int, pause time.Duration) *Workload {
	return &Workload{
		Name:    name,
		About:   about,
		Program: func() *work.Program { return work.Leaves(steps, pause) },
		Check:   exactly(work.LeavesSum(steps)),
	}
}

// bursts are little work again and again, with pauses in which some
// implementations stay awake and others do not.
func bursts(s Sizes) (all []*Workload) {
	steps := repeated(16, of(s, millisecond/50, millisecond/50, 1))
	pauses := []time.Duration{30 * time.Microsecond, 300 * time.Microsecond, 3 * time.Millisecond, 10 * time.Millisecond}
	for _, pause := range of(s, pauses, pauses, []time.Duration{0}) {
		name := "burst-" + strings.ReplaceAll(pause.String(), "µ", "u")
		w := leaves(name, fmt.Sprintf("16 leaves of about 20 µs, after %v in which the caller works alone", pause), steps, pause)
		w.last = true
		all = append(all, w)
	}
	all[0].Matrix = true
	return all
}

func submit(jobs, posters int) *Workload {
	w := &Workload{
		Name:    "submit-" + strconv.Itoa(posters),
		About:   fmt.Sprintf("%d jobs that do nothing; goroutines that submit them: %d", jobs, posters),
		Unit:    "job",
		Ops:     jobs,
		Judge:   Cost,
		Matrix:  true,
		Program: func() *work.Program { return work.Submit(jobs, posters) },
		Check:   exactly(uint64(jobs)),
	}
	if posters == 1 {
		w.Outside = "submit " + strconv.Itoa(jobs)
	}
	return w
}

func latency(name, poster string, busy bool, pause time.Duration) *Workload {
	return &Workload{
		Name:    name,
		About:   "from a submission to the job's first instruction; the workers sleep before, the poster " + poster,
		Unit:    "job",
		Ops:     1,
		Matrix:  true,
		Program: func() *work.Program { return work.Latency(busy, pause) },
		Check:   exactly(1),
		last:    true,
	}
}

func rest(d time.Duration) *Workload {
	return &Workload{
		Name:    "rest",
		About:   "processor time used when nobody has anything to do",
		Unit:    "second at rest",
		Ops:     1,
		Matrix:  true,
		Program: func() *work.Program { return work.Rest(d) },
		Check: func(answer string) error {
			if answer == "1" { // of a sleep backend alone
				return nil
			}
			return exactly(work.FibNumber(20))(answer)
		},
		last: true,
	}
}

func post(name, about string, program *work.Program, ops int, judge Judge) *Workload {
	return &Workload{
		Name:    name,
		About:   about + "; sleep backends alone, with one worker",
		Unit:    "post",
		Ops:     ops,
		Judge:   judge,
		Program: func() *work.Program { return program },
		Check:   exactly(1),
		last:    true,
	}
}
