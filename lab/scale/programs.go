package scale

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Programs whose user's work is leaves that take so long.

// busyLeaves are n leaves that keep a processor busy for so long each.
func busyLeaves(n int, each simulate.Time) work.Same {
	return work.Same{N: n, Leaf: func() { user.Busy(each) }}
}

// plainly takes the leaves one after the other.
func plainly(l work.Same) func() uint64 {
	return func() uint64 {
		for range l.N {
			l.Leaf()
		}
		return uint64(l.N)
	}
}

// leaves says what they are.
func leaves(n int, each simulate.Time) string {
	return fmt.Sprintf("%d leaves of %d µs", n, each/simulate.Microsecond)
}

// shapes are the rows of leaves that all take as long.
var shapes = map[string]struct {
	about string
	shape work.FillShape
	cost  func(n int, each simulate.Time) Cost
}{
	"tree":  {"Invoke by halves", work.FillTree, halvesCost},
	"flat":  {"a loop of forks, the newest joined first", work.FillFlat, loopCost},
	"scope": {"spawned in a loop", work.FillScope, loopCost},
	// Its callers are no workers.
	"loop": {"one call of par.For", work.FillLoop, func(n int, each simulate.Time) Cost { return step(each).copies(n) }},
}

// Leaves returns the row tree, flat, scope or loop with so many leaves, each of which takes so long.
func Leaves(name string, n int, each simulate.Time) *Row {
	s, l := shapes[name], busyLeaves(n, each)
	return &Row{
		Name: name, About: leaves(n, each) + ", " + s.about, Unit: "leaf", Units: n, Callers: 1,
		Cost: s.cost(n, each), Plain: plainly(l), Pool: l.On(s.shape), Answer: uint64(n),
	}
}

func halvesCost(n int, each simulate.Time) Cost {
	if n == 1 {
		return step(each)
	}
	return step(work.Forking).then(halvesCost(n/2, each).beside(halvesCost(n-n/2, each)))
}

func loopCost(n int, each simulate.Time) Cost {
	return step(work.Forking).times(n).then(step(each).copies(n))
}

// powerRow is a loop whose k-th longest element takes as long as the longest, divided by
// the root of k. n is a power of two.
func powerRow(n int, longest simulate.Time) *Row {
	times := make([]simulate.Time, n)
	var cost Cost
	for i := range times {
		// Multiplied by an odd number, 0 to n-1 come in another order. The product is
		// more than 32 bits hold.
		k := 1 + (uint64(i)*40503+uint64(n/3))%uint64(n)
		times[i] = simulate.Time(float64(longest) / math.Sqrt(float64(k)))
		cost = cost.beside(step(times[i]))
	}
	return &Row{
		Name:  "power",
		About: fmt.Sprintf("%d elements of %d µs and less, the k-th longest by a power law, one call of par.For", n, longest/simulate.Microsecond),
		Unit:  "element", Units: n, Callers: 1, Cost: cost, Answer: uint64(n),
		Plain: func() uint64 {
			for _, d := range times {
				user.Busy(d)
			}
			return uint64(n)
		},
		Pool: func(p *pool.Pool) (uint64, error) {
			par.For(n, func(i int) { user.Busy(times[i]) }, par.On(p))
			return uint64(n), nil
		},
	}
}

// spawnsRow spawns a complete binary tree of jobs in one scope: each job works,
// and then spawns two more, down to a number of levels. So all workers spawn,
// where in the row scope only one does.
func spawnsRow(levels int, each simulate.Time) *Row {
	jobs := 1<<levels - 1
	return &Row{
		Name: "spawns", About: fmt.Sprintf("%d jobs of %d µs in one scope, each spawns two more, %d levels", jobs, each/simulate.Microsecond, levels), Unit: "job", Units: jobs, Callers: 1,
		Cost:  spawnsCost(levels, each),
		Plain: plainly(busyLeaves(jobs, each)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return pool.Run(context.Background(), p, spawning, spawns{levels, each})
		},
		Answer: uint64(jobs),
	}
}

// spawns is a tree of jobs, each of which takes so long.
type spawns struct {
	levels int
	each   simulate.Time
}

// spawning spawns the tree. All jobs of a level share a closure, so that a job
// costs no more allocations than its Spawn does.
func spawning(w *pool.Worker, t spawns) uint64 {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		job := func(*pool.Worker) { user.Busy(t.each) }
		for range t.levels - 1 {
			child := job
			job = func(w *pool.Worker) {
				user.Busy(t.each)
				for range 2 {
					user.Own(work.Forking)
					s.Spawn(w, child)
				}
			}
		}
		job(w)
	})
	return 1<<t.levels - 1
}

func spawnsCost(levels int, each simulate.Time) Cost {
	c := step(each)
	for range levels - 1 {
		second := step(work.Forking).then(c)
		c = step(each).then(step(work.Forking).then(c.beside(second)))
	}
	return c
}

// In the two rows that follow, many goroutines call the pool at once.

func runsRow(callers, each, n int, leaf simulate.Time) *Row {
	l := busyLeaves(n, leaf)
	run, runs := l.On(work.FillTree), callers*each
	return &Row{
		Name: "runs", About: fmt.Sprintf("%d callers, %d Runs each, of a tree of %s", callers, each, leaves(n, leaf)), Unit: "Run", Units: runs, Callers: callers,
		Cost:  halvesCost(n, leaf).times(each).copies(callers),
		Plain: plainly(busyLeaves(runs*n, leaf)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (total uint64, err error) {
				for range each {
					got, err := run(p)
					if err != nil {
						return total, err
					}
					total += got
				}
				return total, nil
			})
		},
		Answer: uint64(runs * n),
	}
}

func submitRow(callers, each int, job simulate.Time) *Row {
	l, jobs := busyLeaves(each, job), callers*each
	return &Row{
		Name: "submit", About: fmt.Sprintf("%d callers submit %d jobs each of %d µs, then wait for all", callers, each, job/simulate.Microsecond), Unit: "job", Units: jobs, Callers: callers,
		Cost:  step(job).copies(jobs),
		Plain: plainly(busyLeaves(jobs, job)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (uint64, error) { return l.On(work.FillSubmit)(p) })
		},
		Answer: uint64(jobs),
	}
}

// fromCallers calls f from so many goroutines at once, and adds up the results.
func fromCallers(callers int, f func() (uint64, error)) (total uint64, err error) {
	results, errs := make([]uint64, callers), make([]error, callers)
	var all prim.WaitGroup
	for i := range callers {
		all.Go(func() { results[i], errs[i] = f() })
	}
	all.Wait()
	for _, r := range results {
		total += r
	}
	return total, errors.Join(errs...)
}

// Programs whose user's work is their own code: the bench measures the same ones.

func searchRow(name, about, unit string, units int, c Cost, p *work.Program, answer uint64) *Row {
	return &Row{
		Name: name, About: about, Unit: unit, Units: units, Callers: 1,
		Cost: c, Plain: p.Sequential, Pool: p.Pool, Answer: answer,
	}
}

func fibRow(n int) *Row {
	about := fmt.Sprintf("fib(%d), a fork at every call", n)
	return searchRow("fib", about, "call", 2*int(work.FibNumber(n+1))-1, fibCost(n), work.Fib(n), work.FibNumber(n))
}

func fibCost(n int) Cost {
	last, c := step(work.FibCall), step(work.FibCall) // of n-1 and n
	for range n - 1 {
		last, c = c, step(work.FibCall).then(c.beside(last))
	}
	return c
}

// quickTree is the published tree T1 with fewer levels.
var quickTree = work.UTSTree{Seed: work.T1.Seed, Depth: 5, Branch: work.T1.Branch}

func utsRow(t work.UTSTree) *Row {
	c := utsCost(work.UTSRoot(t))
	nodes := 1 + int(c.Work/work.UTSChild)
	about := fmt.Sprintf("Unbalanced Tree Search, geometric, %d nodes, a fork for each child but one", nodes)
	return searchRow("uts", about, "node", nodes, c, work.UTS(t), uint64(nodes))
}

func utsCost(n work.UTSNode) (c Cost) {
	for i := n.Children() - 1; i >= 0; i-- {
		c = step(work.UTSChild).then(utsCost(n.Child(i)).beside(c))
	}
	return c
}

func queensRow(n int) *Row {
	c := queensCost(work.EmptyBoard(n))
	about := fmt.Sprintf("%d queens, a fork for each placement but the last of a row", n)
	p := work.Queens(n)
	return searchRow("queens", about, "placement", int(c.Work/work.QueensPlace), c, p, p.Sequential())
}

func queensCost(b work.Board) Cost {
	var below Cost
	if !b.Full() {
		for free := b.Free(); free != 0; free &= free - 1 {
			below = below.beside(queensCost(b.Place(free & -free)))
		}
	}
	return step(work.QueensPlace).then(below)
}

func integrateRow(end float64) *Row {
	c := integrateCost(work.WholeInterval(end))
	about := fmt.Sprintf("the integral of (x²+1)x from 0 to %g by halving, a fork at every halving", end)
	p := work.Integrate(end)
	// The pool adds in the same order, so it comes to the same bits.
	return searchRow("integrate", about, "interval", int(c.Work/work.IntegrateCall), c, p, p.Sequential())
}

func integrateCost(i work.Interval) Cost {
	left, right, rough := i.Halves()
	if !rough {
		return step(work.IntegrateCall)
	}
	return step(work.IntegrateCall).then(integrateCost(left).beside(integrateCost(right)))
}
