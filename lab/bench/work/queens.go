package work

import (
	"math/bits"

	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// Queens counts the ways to place n queens on a board of n by n so that none
// attacks another, with a fork for each placement but the last of a row.
func Queens(n int) *Program {
	s := search[Board]{
		own: func(b *Board) (n uint64) {
			if b.Full() {
				n = 1
			}
			return n
		},
		children: func(b *Board) int { return bits.OnesCount32(b.Free()) },
		child: func(b *Board, i int) Board {
			free := b.Free()
			for range i {
				free &= free - 1
			}
			return b.Place(free & -free)
		},
		plain: queens,
	}
	return s.program(EmptyBoard(n), forkQueens)
}

// A Board has queens in its first rows, none of which attacks another. A bit stands for a column.
type Board struct {
	open        uint32 // columns without a queen
	left, right uint32 // attacked along the diagonals, in the next row
}

// EmptyBoard returns a board of n by n.
func EmptyBoard(n int) Board { return Board{open: 1<<n - 1} }

// Full reports whether every row has a queen.
func (b Board) Full() bool { return b.open == 0 }

// Free is where a queen can stand in the next row.
func (b Board) Free() uint32 { return b.open &^ (b.left | b.right) }

// Place returns the board with one more queen, which is one bit of Free.
func (b Board) Place(queen uint32) Board {
	return Board{b.open &^ queen, (b.left | queen) << 1, (b.right | queen) >> 1}
}

func queens(b Board) uint64 {
	if b.Full() {
		return 1
	}
	var total uint64
	for free := b.Free(); free != 0; free &= free - 1 {
		total += queens(b.Place(free & -free))
	}
	return total
}

func forkQueens(w *pool.Worker, b Board) uint64 {
	user.Own(QueensPlace)
	if b.Full() {
		return 1
	}
	return forkRow(w, b, b.Free())
}

// forkRow tries the free places of the next row.
func forkRow(w *pool.Worker, b Board, free uint32) uint64 {
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
