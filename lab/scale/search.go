package scale

import (
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
)

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
