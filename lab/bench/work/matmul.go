package work

import "github.com/rouse-go/rouse/pool"

// block is the size below which a part of a matrix is not cut.
const block = 64

// Matmul multiplies two matrices of n by n, cutting the result in half along
// its longer side until a block is left.
func Matmul(n int) *Program {
	m := &product{n: n, a: make([]float64, n*n), b: make([]float64, n*n), c: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			m.a[i*n+j] = float64((i*7+j*3)%11 - 5)
			m.b[i*n+j] = float64((i*5+j*2)%13 - 6)
		}
	}
	h := halving[area, struct{}]{
		halves: area.halve,
		plain:  func(part area) struct{} { m.multiply(part); return struct{}{} },
		join:   func(area, struct{}, struct{}) (none struct{}) { return none },
	}
	p := h.program(area{0, n, 0, n}, nothing, m.fork)
	p.Prepare = func() { clear(m.c) }
	p.Digest = m.digest
	return p
}

// MatmulSum is the sum of the result's elements, as a uint64 that may have
// wrapped: that of every column of a times the same row of b.
func MatmulSum(n int) uint64 {
	var total int
	for k := range n {
		var column, row int
		for i := range n {
			column += (i*7+k*3)%11 - 5
			row += (k*5+i*2)%13 - 6
		}
		total += column * row
	}
	return uint64(total)
}

type product struct {
	n       int
	a, b, c []float64 // by rows
}

// An area is a part of the result.
type area struct{ row, rowEnd, column, columnEnd int }

// halve cuts an area in two, unless it is a block or less.
func (a area) halve() (first, second area, ok bool) {
	rows, columns := a.rowEnd-a.row, a.columnEnd-a.column
	first, second = a, a
	switch {
	case rows <= block && columns <= block:
		return a, a, false
	case rows >= columns:
		first.rowEnd = a.row + rows/2
		second.row = first.rowEnd
	default:
		first.columnEnd = a.column + columns/2
		second.column = first.columnEnd
	}
	return first, second, true
}

// leaf adds to the elements of an area, which are 0 before. It takes four rows
// of b at once, so as to load and store those elements less often.
func (m *product) leaf(part area) {
	for i := part.row; i < part.rowEnd; i++ {
		c := m.c[i*m.n+part.column : i*m.n+part.columnEnd]
		a := m.a[i*m.n : (i+1)*m.n]
		row := func(k int) []float64 { return m.b[k*m.n+part.column:][:len(c)] }
		k := 0
		for ; k+4 <= len(a); k += 4 {
			a0, a1, a2, a3 := a[k], a[k+1], a[k+2], a[k+3]
			b0, b1, b2, b3 := row(k), row(k+1), row(k+2), row(k+3)
			for j := range c {
				c[j] += a0*b0[j] + a1*b1[j] + a2*b2[j] + a3*b3[j]
			}
		}
		for ; k < len(a); k++ {
			for j, b := range row(k) {
				c[j] += a[k] * b
			}
		}
	}
}

func (m *product) multiply(part area) {
	first, second, ok := part.halve()
	if !ok {
		m.leaf(part)
		return
	}
	m.multiply(first)
	m.multiply(second)
}

func (m *product) fork(w *pool.Worker, part area) uint64 {
	first, second, ok := part.halve()
	if !ok {
		m.leaf(part)
		return 0
	}
	pool.Invoke(w, m.fork, first, m.fork, second)
	return 0
}

func (m *product) digest() uint64 {
	var total int
	for _, x := range m.c {
		total += int(x)
	}
	return uint64(total)
}
