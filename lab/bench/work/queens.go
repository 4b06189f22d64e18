package work

import "github.com/rouse-go/rouse/pool"

// Queens counts the ways to place n queens on a board of n by n so that none attacks another, with a
// fork for each placement but the last of a row.
func Queens(n int) *Program {
	empty := board{open: 1<<n - 1}
	return &Program{
		Plain:      func() uint64 { return empty.queens() },
		Goroutines: func(int) uint64 { return empty.goQueens() },
		Pool:       onPool(forkQueens, empty),
	}
}

// A board has queens in its first rows, none of which attacks another. A bit stands for a column.
type board struct {
	open        uint32 // columns without a queen
	left, right uint32 // attacked along the diagonals, in the next row
}

// free is where a queen can stand in the next row.
func (b board) free() uint32 { return b.open &^ (b.left | b.right) }

// place returns the board with one more queen, which is one bit of free.
func (b board) place(queen uint32) board {
	return board{b.open &^ queen, (b.left | queen) << 1, (b.right | queen) >> 1}
}

func (b board) queens() (total uint64) {
	if b.open == 0 {
		return 1
	}
	for free := b.free(); free != 0; free &= free - 1 {
		total += b.place(free & -free).queens()
	}
	return total
}

func (b board) goQueens() uint64 {
	if b.open == 0 {
		return 1
	}
	var next []board
	for free := b.free(); free != 0; free &= free - 1 {
		next = append(next, b.place(free&-free))
	}
	return goSum(len(next), func(i int) uint64 { return next[i].goQueens() })
}

func forkQueens(w *pool.Worker, b board) uint64 {
	if b.open == 0 {
		return 1
	}
	return b.forkRow(w, b.free())
}

// forkRow tries the free places of the next row.
func (b board) forkRow(w *pool.Worker, free uint32) uint64 {
	if free == 0 {
		return 0
	}
	next, others := b.place(free&-free), free&(free-1)
	if others == 0 {
		return forkQueens(w, next)
	}
	f := pool.Fork(w, forkQueens, next)
	rest := b.forkRow(w, others)
	return rest + f.Join(w)
}
