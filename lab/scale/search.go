package scale

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// Programs whose user's work is their own code. How long that takes for each
// unit is what lab scale has measured of the plain program, on the machine
// whose file is the first in the folder measured.
const (
	fibCall       = 1400 * simulate.Picosecond
	utsNode       = 100 * simulate.Nanosecond
	queensPlace   = 6000 * simulate.Picosecond
	integrateCall = 3700 * simulate.Picosecond
)

func fibRow(n int) *Row {
	calls := 2*int(work.FibNumber(n+1)) - 1
	return &Row{
		Name: "fib", About: fmt.Sprintf("fib(%d), a fork at every call", n), Unit: "call", Units: calls, Callers: 1,
		Cost:   fibCost(n),
		Plain:  func() uint64 { return plainFib(n) },
		Pool:   func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, fib, n) },
		Answer: work.FibNumber(n),
	}
}

func plainFib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return plainFib(n-1) + plainFib(n-2)
}

func fib(w *pool.Worker, n int) uint64 {
	own(fibCall)
	if n < 2 {
		return uint64(n)
	}
	x, y := pool.Invoke(w, fib, n-1, fib, n-2)
	return x + y
}

func fibCost(n int) Cost {
	last, c := step(fibCall), step(fibCall) // of n-1 and n
	for range n - 1 {
		last, c = c, step(fibCall).then(c.beside(last))
	}
	return c
}

// quickTree is the published tree T1 with fewer levels.
var quickTree = work.UTSTree{Seed: work.T1.Seed, Depth: 5, Branch: work.T1.Branch}

func utsRow(t work.UTSTree) *Row {
	root := work.UTSRoot(t)
	c := utsCost(root)
	nodes := 1 + int(c.Work/utsNode)
	return &Row{
		Name: "uts", About: fmt.Sprintf("Unbalanced Tree Search, geometric, %d nodes, a fork for each child but one", nodes), Unit: "node", Units: nodes, Callers: 1,
		Cost:   c,
		Plain:  func() uint64 { return plainNodes(root) },
		Pool:   func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, nodesOf, root) },
		Answer: uint64(nodes),
	}
}

func plainNodes(n work.UTSNode) uint64 {
	total := uint64(1)
	for i := range n.Children() {
		total += plainNodes(n.Child(i))
	}
	return total
}

func nodesOf(w *pool.Worker, n work.UTSNode) uint64 {
	children := n.Children()
	if children == 0 {
		return 1
	}
	return 1 + nodesFrom(w, &n, 0, children)
}

// nodesFrom counts the subtrees from the i-th child on, of which there is at
// least one. The work of a node is to make it.
func nodesFrom(w *pool.Worker, n *work.UTSNode, i, children int) uint64 {
	own(utsNode)
	child := n.Child(i)
	if i == children-1 {
		return nodesOf(w, child)
	}
	f := pool.Fork(w, nodesOf, child)
	others := nodesFrom(w, n, i+1, children)
	return others + f.Join(w)
}

func utsCost(n work.UTSNode) (c Cost) {
	for i := n.Children() - 1; i >= 0; i-- {
		c = step(utsNode).then(utsCost(n.Child(i)).beside(c))
	}
	return c
}

func queensRow(n int) *Row {
	board := work.EmptyBoard(n)
	c := queensCost(board)
	boards := int(c.Work / queensPlace)
	return &Row{
		Name: "queens", About: fmt.Sprintf("%d queens, a fork for each placement but the last of a row", n), Unit: "placement", Units: boards, Callers: 1,
		Cost:   c,
		Plain:  func() uint64 { return plainQueens(board) },
		Pool:   func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, queens, board) },
		Answer: plainQueens(board),
	}
}

func plainQueens(b work.Board) (total uint64) {
	if b.Full() {
		return 1
	}
	for free := b.Free(); free != 0; free &= free - 1 {
		total += plainQueens(b.Place(free & -free))
	}
	return total
}

func queens(w *pool.Worker, b work.Board) uint64 {
	own(queensPlace)
	if b.Full() {
		return 1
	}
	return queensFrom(w, b, b.Free())
}

// queensFrom tries the free places of the next row.
func queensFrom(w *pool.Worker, b work.Board, free uint32) uint64 {
	if free == 0 {
		return 0
	}
	next, others := b.Place(free&-free), free&(free-1)
	if others == 0 {
		return queens(w, next)
	}
	f := pool.Fork(w, queens, next)
	total := queensFrom(w, b, others)
	return total + f.Join(w)
}

func queensCost(b work.Board) Cost {
	var below Cost
	if !b.Full() {
		for free := b.Free(); free != 0; free &= free - 1 {
			below = below.beside(queensCost(b.Place(free & -free)))
		}
	}
	return step(queensPlace).then(below)
}
