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
	empty := board{open: 1<<n - 1}
	return &Program{
		Plain: func() uint64 { return queens(empty) },
		InGo:  forks(func() uint64 { return goQueens(empty) }),
		Pool:  onPool(forkQueens, empty),
	}
}

// A board has queens in its first rows, none of which attacks another. A bit stands for a column.
type board struct {
	open        uint32 // columns without a queen
	left, right uint32 // attacked along the diagonals, in the next row
}

// full reports whether every row has a queen.
func (b board) full() bool { return b.open == 0 }

// free is where a queen can stand in the next row.
func (b board) free() uint32 { return b.open &^ (b.left | b.right) }

// place returns the board with one more queen, which is one bit of free.
func (b board) place(queen uint32) board {
	return board{b.open &^ queen, (b.left | queen) << 1, (b.right | queen) >> 1}
}

func queens(b board) uint64 {
	if b.full() {
		return 1
	}
	var total uint64
	for free := b.free(); free != 0; free &= free - 1 {
		total += queens(b.place(free & -free))
	}
	return total
}

func goQueens(b board) uint64 {
	if b.full() {
		return 1
	}
	var next []board
	for free := b.free(); free != 0; free &= free - 1 {
		next = append(next, b.place(free&-free))
	}
	return goSum(len(next), func(i int) uint64 { return goQueens(next[i]) })
}

func forkQueens(w *pool.Worker, b board) uint64 {
	if b.full() {
		return 1
	}
	return forkRow(w, b, b.free())
}

// forkRow tries the free places of the next row.
func forkRow(w *pool.Worker, b board, free uint32) uint64 {
	if free == 0 {
		return 0
	}
	next, others := b.place(free&-free), free&(free-1)
	if others == 0 {
		return forkQueens(w, next)
	}
	f := pool.Fork(w, forkQueens, next)
	rest := forkRow(w, b, others)
	return rest + f.Join(w)
}

// UTS counts the nodes of a geometric tree of the Unbalanced Tree Search benchmark (Olivier et al.,
// 2006): a node's children follow from its SHA-1 state alone, so nobody knows how large a subtree is
// before it is searched. There is a fork for each child but one. A node above the depth has four
// children on average. The published tree of that kind is 10 deep, and has 4,130,071 nodes.
func UTS(depth int) *Program {
	var b [sha1.Size]byte
	binary.BigEndian.PutUint32(b[16:], utsSeed)
	state := sha1.Sum(b[:])
	root := newNode(&state, depth)
	return &Program{
		Plain: func() uint64 { return countNodes(root) },
		InGo:  forks(func() uint64 { return goNodes(root) }),
		Pool:  onPool(forkNodes, root),
	}
}

const (
	utsSeed = 19
	// mostChildren is how many a node has at most.
	mostChildren = 100
)

// logMore is the logarithm of the probability that a node that has some children has one more.
var logMore = math.Log(1 - 1.0/(1+4))

// A utsNode is a node whose children have not been made. The compiler keeps it in registers; it would
// not if there were an array, or more than four fields.
type utsNode struct {
	// head is the first 4 bytes of the SHA-1 state with the levels that are left below them,
	// mid and tail are 8 each, big-endian. Words cut like this, unlike those
	// that begin at 0 and 8, each lie in one of the two overlapping stores by
	// which the state is copied, so that loading them need not wait for the
	// cache.
	head, mid, tail uint64
}

func newNode(state *[sha1.Size]byte, levels int) utsNode {
	return utsNode{
		head: uint64(binary.BigEndian.Uint32(state[0:]))<<32 | uint64(levels),
		mid:  binary.BigEndian.Uint64(state[4:]),
		tail: binary.BigEndian.Uint64(state[12:]),
	}
}

// levels is how many there are below the node, at most.
func (n utsNode) levels() int { return int(uint32(n.head)) }

// child returns one of the children, by its number from 0.
func (n *utsNode) child(i int) utsNode {
	var b [sha1.Size + 4]byte
	binary.BigEndian.PutUint32(b[0:], uint32(n.head>>32))
	binary.BigEndian.PutUint64(b[4:], n.mid)
	binary.BigEndian.PutUint64(b[12:], n.tail)
	binary.BigEndian.PutUint32(b[20:], uint32(i))
	state := sha1.Sum(b[:])
	return newNode(&state, n.levels()-1)
}

// children returns how many children the node has.
func (n *utsNode) children() int {
	if n.levels() == 0 {
		return 0
	}
	uniform := float64(n.tail&math.MaxInt32) / (1 << 31) // in [0, 1)
	return min(mostChildren, int(math.Log(1-uniform)/logMore))
}

func countNodes(n utsNode) uint64 {
	total := uint64(1)
	for i := range n.children() {
		total += countNodes(n.child(i))
	}
	return total
}

func goNodes(n utsNode) uint64 {
	return 1 + goSum(n.children(), func(i int) uint64 { return goNodes(n.child(i)) })
}

func forkNodes(w *pool.Worker, n utsNode) uint64 {
	children := n.children()
	if children == 0 {
		return 1
	}
	return 1 + forkChildren(w, &n, 0, children)
}

// forkChildren counts the subtrees from the i-th child on, of which there is
// one at least. It recurses instead of keeping the forks in a slice, which would
// have to be allocated.
func forkChildren(w *pool.Worker, n *utsNode, i, children int) uint64 {
	child := n.child(i)
	if i == children-1 {
		return forkNodes(w, child)
	}
	f := pool.Fork(w, forkNodes, child)
	rest := forkChildren(w, n, i+1, children)
	return rest + f.Join(w)
}
