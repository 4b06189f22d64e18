package work

import (
	"crypto/sha1"
	"encoding/binary"
	"math"

	"github.com/rouse-go/rouse/pool"
)

// UTS counts the nodes of a geometric tree of the Unbalanced Tree Search benchmark (Olivier et al.,
// 2006): a node's children follow from its SHA-1 state alone, so nobody knows how large a subtree is
// before it is searched. There is a fork for each child but one. A node above the depth has four
// children on average. The published tree of that kind is 10 deep, and has 4,130,071 nodes.
func UTS(depth int) *Program {
	var seed [sha1.Size]byte
	seed[sha1.Size-1] = 19
	root := utsNode{sha1.Sum(seed[:]), depth}
	return &Program{Plain: func() uint64 { return countNodes(root) }, Pool: onPool(forkNodes, root)}
}

// A utsNode is a node whose children have not been made, with so many levels below it at most.
type utsNode struct {
	state  [sha1.Size]byte
	levels int
}

// child returns one of the children, by its number from 0.
func (n *utsNode) child(i int) utsNode {
	var b [sha1.Size + 4]byte
	copy(b[:], n.state[:])
	binary.BigEndian.PutUint32(b[sha1.Size:], uint32(i))
	return utsNode{sha1.Sum(b[:]), n.levels - 1}
}

// children returns how many children the node has, at most 100.
func (n *utsNode) children() int {
	if n.levels == 0 {
		return 0
	}
	uniform := float64(binary.BigEndian.Uint32(n.state[16:])&math.MaxInt32) / (1 << 31) // in [0, 1)
	return min(100, int(math.Log(1-uniform)/logMore))
}

// logMore is the logarithm of the probability that a node that has some children has one more.
var logMore = math.Log(1 - 1.0/(1+4))

func countNodes(n utsNode) uint64 {
	total := uint64(1)
	for i := range n.children() {
		total += countNodes(n.child(i))
	}
	return total
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
