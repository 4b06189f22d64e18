package scale

import (
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
)

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

func leavesRow(name, about string, n int, each simulate.Time, c Cost, shape work.FillShape) *Row {
	l := busyLeaves(n, each)
	return &Row{
		Name: name, About: leaves(n, each) + ", " + about, Unit: "leaf", Units: n, Callers: 1,
		Cost: c, Plain: plainly(l), Pool: l.On(shape), Answer: uint64(n),
	}
}

func treeRow(n int, each simulate.Time) *Row {
	return leavesRow("tree", "Invoke by halves", n, each, halvesCost(n, each), work.FillTree)
}

func flatRow(n int, each simulate.Time) *Row {
	return leavesRow("flat", "a loop of forks, the newest joined first", n, each, loopCost(n, each), work.FillFlat)
}

func scopeRow(n int, each simulate.Time) *Row {
	return leavesRow("scope", "spawned in a loop", n, each, loopCost(n, each), work.FillScope)
}

// Its callers are no workers.
func loopRow(n int, each simulate.Time) *Row {
	return leavesRow("loop", "one call of par.For", n, each, step(each).copies(n), work.FillLoop)
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
