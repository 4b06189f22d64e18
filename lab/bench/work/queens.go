package work

import (
	"math/bits"

	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// Queens counts the ways to place n queens on a board of n by n so that none
// attacks another, with a fork for each placement but the last of a row.
func Queens(n int) *Program {
	root := board{open: 1<<n - 1}
	return &Program{
		Sequential: func() uint64 { return queens(root) },
		Nested:     func(groups Groups) uint64 { return nestedQueens(groups, root) },
		Flat: func(groups Groups, pieces int) uint64 {
			return flat(groups, pieces, root, splitQueens, queens)
		},
		Pool: onPool(forkQueens, root),
	}
}

// A board has queens in its first rows. A bit stands for a column.
type board struct {
	open        uint32 // columns without a queen
	left, right uint32 // attacked along the diagonals, in the next row
}

// free is where a queen can stand in the next row.
func (b board) free() uint32 { return b.open &^ (b.left | b.right) }

func (b board) place(queen uint32) board {
	return board{b.open &^ queen, (b.left | queen) << 1, (b.right | queen) >> 1}
}

func queens(b board) uint64 {
	if b.open == 0 {
		return 1
	}
	var total uint64
	for free := b.free(); free != 0; free &= free - 1 {
		total += queens(b.place(free & -free))
	}
	return total
}

func nestedQueens(groups Groups, b board) uint64 {
	if b.open == 0 {
		return 1
	}
	free := b.free()
	if free == 0 {
		return 0
	}
	counts := make([]uint64, bits.OnesCount32(free))
	g := groups()
	for i := range len(counts) - 1 {
		next := b.place(free & -free)
		free &= free - 1
		g.Go(func() { counts[i] = nestedQueens(groups, next) })
	}
	counts[len(counts)-1] = nestedQueens(groups, b.place(free))
	g.Wait()
	return total(counts)
}

func splitQueens(b board) (own uint64, parts []board) {
	if b.open == 0 {
		return 1, nil
	}
	for free := b.free(); free != 0; free &= free - 1 {
		parts = append(parts, b.place(free&-free))
	}
	return 0, parts
}

func forkQueens(w *pool.Worker, b board) uint64 {
	user.Own(QueensPlace)
	if b.open == 0 {
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
