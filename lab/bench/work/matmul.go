package work

// matmulBlock is the size below which a part of a matrix is not cut.
const matmulBlock = 64

// Matmul multiplies two matrices of n by n, cutting the result in half along its longer side until a
// block is left.
func Matmul(n int) *Program {
	m := &product{n: n, a: make([]float64, n*n), b: make([]float64, n*n), c: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			m.a[i*n+j] = float64((i*7+j*3)%11 - 5)
			m.b[i*n+j] = float64((i*5+j*2)%13 - 6)
		}
	}
	whole := area{m, 0, n, 0, n}
	return &Program{
		Prepare:    func() { clear(m.c) },
		Digest:     func() uint64 { return DigestOf(m.c, func(x float64) uint64 { return uint64(int64(x)) }) },
		Plain:      func() uint64 { return whole.multiply(alone{}) },
		Goroutines: func(int) uint64 { return whole.multiply(goroutines(0)) },
		Pool:       onPool(runJob, whole.multiply),
	}
}

// alone is where nothing is forked.
type alone struct{}

func (a alone) both(here, forked Job) uint64 { return here(a) + forked(a) }

// A product has matrices by rows.
type product struct {
	n       int
	a, b, c []float64
}

// An area is a part of the result.
type area struct {
	*product
	row, rowEnd, column, columnEnd int
}

func (a area) multiply(p Place) uint64 {
	rows, columns := a.rowEnd-a.row, a.columnEnd-a.column
	first, second := a, a
	switch {
	case rows <= matmulBlock && columns <= matmulBlock:
		a.leaf()
		return 0
	case rows >= columns:
		first.rowEnd = a.row + rows/2
		second.row = first.rowEnd
	default:
		first.columnEnd = a.column + columns/2
		second.column = first.columnEnd
	}
	p.both(first.multiply, second.multiply)
	return 0
}

// leaf adds to the elements of an area, which are 0 before.
func (a area) leaf() {
	for i := a.row; i < a.rowEnd; i++ {
		c := a.c[i*a.n+a.column : i*a.n+a.columnEnd]
		for k, x := range a.a[i*a.n : (i+1)*a.n] {
			for j, y := range a.b[k*a.n+a.column:][:len(c)] {
				c[j] += x * y
			}
		}
	}
}
