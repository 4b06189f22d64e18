package work

import (
	"crypto/sha1"
	"encoding/binary"
	"math"

	"github.com/rouse-go/rouse/pool"
)

// Queens counts the ways to place n queens on a board of n by n so that none
// attacks another, with a fork for each placement but the last of a row.
func Queens(n int) *Program {
	empty := emptyBoard(n)
	return &Program{
		Sequential: func() uint64 { return queens(empty) },
		Goroutines: func() uint64 { return goQueens(empty) },
		Pool:       onPool(forkQueens, empty),
	}
}

// A board has queens in its first rows, none of which attacks another. A bit stands for a column.
type board struct {
	open        uint32 // columns without a queen
	left, right uint32 // attacked along the diagonals, in the next row
}

// emptyBoard returns a board of n by n.
func emptyBoard(n int) board { return board{open: 1<<n - 1} }

// Full reports whether every row has a queen.
func (b board) Full() bool { return b.open == 0 }

// Free is where a queen can stand in the next row.
func (b board) Free() uint32 { return b.open &^ (b.left | b.right) }

// Place returns the board with one more queen, which is one bit of Free.
func (b board) Place(queen uint32) board {
	return board{b.open &^ queen, (b.left | queen) << 1, (b.right | queen) >> 1}
}

func queens(b board) uint64 {
	if b.Full() {
		return 1
	}
	var total uint64
	for free := b.Free(); free != 0; free &= free - 1 {
		total += queens(b.Place(free & -free))
	}
	return total
}

func goQueens(b board) uint64 {
	if b.Full() {
		return 1
	}
	var next []board
	for free := b.Free(); free != 0; free &= free - 1 {
		next = append(next, b.Place(free&-free))
	}
	return goSum(len(next), func(i int) uint64 { return goQueens(next[i]) })
}

func forkQueens(w *pool.Worker, b board) uint64 {
	if b.Full() {
		return 1
	}
	return forkRow(w, b, b.Free())
}

// forkRow tries the free places of the next row.
func forkRow(w *pool.Worker, b board, free uint32) uint64 {
	if free == 0 {
		return 0
	}
	next, others := b.Place(free&-free), free&(free-1)
	if others == 0 {
		return forkQueens(w, next)
	}
	f := pool.Fork(w, forkQueens, next)
	rest := forkRow(w, b, others)
	return rest + f.Join(w)
}

// A UTSTree is a tree of the Unbalanced Tree Search benchmark (Olivier et al.,
// 2006): a node's children follow from its SHA-1 state alone, so nobody knows
// how large a subtree is before it is searched.
type UTSTree struct {
	// Seed is the state of the root.
	Seed uint32
	// A tree is geometric if Depth is not 0: a node that is less deep has
	// Branch children on average.
	Depth  int
	Branch float64
	// Otherwise it is binomial: the root has Root children, any other node
	// Many with the probability of Chance, else none.
	Root, Many int
	Chance     float64
}

// The published trees.
var (
	T1 = UTSTree{Seed: 19, Depth: 10, Branch: 4}                  // 4,130,071 nodes
	T3 = UTSTree{Seed: 42, Root: 2000, Many: 8, Chance: 0.124875} // 4,112,897 nodes
)

// UTS counts the nodes of the tree, with a fork for each child but one.
func UTS(t UTSTree) *Program {
	root := utsRoot(t)
	return &Program{
		Sequential: func() uint64 { return countNodes(root) },
		Goroutines: func() uint64 { return goNodes(root) },
		Pool:       onPool(forkNodes, root),
	}
}

// A seedling is a tree with what its nodes need to have children.
type seedling struct {
	UTSTree
	// logMore is the logarithm of the probability that a node of a geometric
	// tree that has some children has one more.
	logMore float64
}

func newSeedling(t UTSTree) *seedling {
	p := 1 / (1 + t.Branch)
	return &seedling{t, math.Log(1 - p)}
}

// A utsNode is a node of a [UTSTree] whose children have not been made. The compiler keeps it in
// registers; it would not if there were an array, or more than four fields.
type utsNode struct {
	tree *seedling
	// head is the first 4 bytes of the SHA-1 state with the depth below them,
	// mid and tail are 8 each, big-endian. Words cut like this, unlike those
	// that begin at 0 and 8, each lie in one of the two overlapping stores by
	// which the state is copied, so that loading them need not wait for the
	// cache.
	head, mid, tail uint64
}

// utsRoot returns the root of a tree.
func utsRoot(t UTSTree) utsNode {
	s := newSeedling(t)
	var b [sha1.Size]byte
	binary.BigEndian.PutUint32(b[16:], s.Seed)
	state := sha1.Sum(b[:])
	return s.node(&state, 0)
}

// Child returns one of the children, by its number from 0.
func (n *utsNode) Child(i int) utsNode {
	var b [sha1.Size + 4]byte
	binary.BigEndian.PutUint32(b[0:], uint32(n.head>>32))
	binary.BigEndian.PutUint64(b[4:], n.mid)
	binary.BigEndian.PutUint64(b[12:], n.tail)
	binary.BigEndian.PutUint32(b[20:], uint32(i))
	state := sha1.Sum(b[:])
	return n.tree.node(&state, n.depth()+1)
}

func (s *seedling) node(state *[sha1.Size]byte, depth int) utsNode {
	return utsNode{
		tree: s,
		head: uint64(binary.BigEndian.Uint32(state[0:]))<<32 | uint64(depth),
		mid:  binary.BigEndian.Uint64(state[4:]),
		tail: binary.BigEndian.Uint64(state[12:]),
	}
}

func (n utsNode) depth() int { return int(uint32(n.head)) }

// uniform is the node's random number in [0, 1).
func (n utsNode) uniform() float64 { return float64(n.tail&math.MaxInt32) / (1 << 31) }

// mostChildren is how many a node of a geometric tree has at most.
const mostChildren = 100

// Children returns how many children the node has.
func (n *utsNode) Children() int {
	switch t := n.tree; {
	case t.Depth > 0 && n.depth() < t.Depth:
		return min(mostChildren, int(math.Log(1-n.uniform())/t.logMore))
	case t.Depth > 0:
		return 0
	case n.depth() == 0:
		return t.Root
	case n.uniform() < t.Chance:
		return t.Many
	}
	return 0
}

func countNodes(n utsNode) uint64 {
	total := uint64(1)
	for i := range n.Children() {
		total += countNodes(n.Child(i))
	}
	return total
}

func goNodes(n utsNode) uint64 {
	return 1 + goSum(n.Children(), func(i int) uint64 { return goNodes(n.Child(i)) })
}

func forkNodes(w *pool.Worker, n utsNode) uint64 {
	children := n.Children()
	if children == 0 {
		return 1
	}
	return 1 + forkChildren(w, &n, 0, children)
}

// forkChildren counts the subtrees from the i-th child on, of which there is
// one at least. It recurses instead of keeping the forks in a slice, which would
// have to be allocated.
func forkChildren(w *pool.Worker, n *utsNode, i, children int) uint64 {
	child := n.Child(i)
	if i == children-1 {
		return forkNodes(w, child)
	}
	f := pool.Fork(w, forkNodes, child)
	rest := forkChildren(w, n, i+1, children)
	return rest + f.Join(w)
}
