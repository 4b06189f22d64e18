package work

// The nodes of searches and of the integral, for programs that take them one by one.

// A UTSNode is a node of a [UTSTree].
type UTSNode = utsNode

// UTSRoot returns the root of a tree.
func UTSRoot(t UTSTree) UTSNode { return newSearch(t).root() }

// Children returns how many children the node has.
func (n *utsNode) Children() int { return n.children() }

// Child returns one of the node's children, by its number from 0.
func (n *utsNode) Child(i int) UTSNode { return n.child(i) }

// A Board has queens in its first rows, none of which attacks another.
type Board = board

// EmptyBoard returns a board of n by n.
func EmptyBoard(n int) Board { return board{open: 1<<n - 1} }

// Full reports whether every row has a queen.
func (b board) Full() bool { return b.open == 0 }

// Free returns where a queen can stand in the next row, a bit for each column.
func (b board) Free() uint32 { return b.free() }

// Place returns the board with one more queen, which is one bit of Free.
func (b board) Place(queen uint32) Board { return b.place(queen) }

// An Interval is one of those that [Integrate] halves.
type Interval = interval

// WholeInterval returns the interval from 0 to the given end.
func WholeInterval(end float64) Interval { return newInterval(0, end) }

// Halves returns both halves of the interval, and their area together. ok reports
// whether that is the area of the interval, too, so that no more halves are
// needed.
func (i interval) Halves() (left, right Interval, area float64, ok bool) {
	left, right = i.halves()
	area = left.area() + right.area()
	return left, right, area, i.isFine(area)
}
