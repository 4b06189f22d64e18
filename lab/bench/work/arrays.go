package work

import "slices"

// The product of matrices and the merge sort cut what they write to in halves, and fork one.

// matmulRows is how many rows are not cut. A tile has so many columns: what a part reads of the second
// matrix stays in the cache.
const matmulRows, matmulTile = 16, 64

// Matmul multiplies two matrices of n by n.
func Matmul(n int) *Program {
	m := &product{n: n, a: make([]float64, n*n), b: make([]float64, n*n), c: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			m.a[i*n+j] = float64((i*7+j*3)%11 - 5)
			m.b[i*n+j] = float64((i*5+j*2)%13 - 6)
		}
	}
	digest := func() uint64 {
		var sum int
		for _, x := range m.c {
			sum += int(x)
		}
		return uint64(sum)
	}
	return coarse(func() { m.rows(0, n) }, m.part(0, n), func() { clear(m.c) }, digest)
}

type product struct {
	n       int
	a, b, c []float64 // by rows
}

// part computes some rows of the result.
func (m *product) part(from, to int) Job {
	return func(p Place) uint64 {
		if to-from <= matmulRows {
			m.rows(from, to)
			return 0
		}
		middle := from + (to-from)/2
		return p.both(m.part(from, middle), m.part(middle, to))
	}
}

func (m *product) rows(from, to int) {
	for column := 0; column < m.n; column += matmulTile {
		for i := from; i < to; i++ {
			m.row(i, column, min(column+matmulTile, m.n))
		}
	}
}

// row adds to some columns of a row, which are 0 before. It takes four rows of b at once, so as to load
// and store those elements less often.
func (m *product) row(i, from, to int) {
	a, c := m.a[i*m.n:(i+1)*m.n], m.c[i*m.n+from:i*m.n+to]
	row := func(k int) []float64 { return m.b[k*m.n+from:][:len(c)] }
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

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a merge
// sort that sorts the halves in parallel and then merges them in parallel, after the example in Cilk.
// Short parts are left to slices.Sort.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(SplitMix64(1, uint64(i)))
	}
	to, other := make([]int64, n), make([]int64, n)
	return coarse(func() { slices.Sort(to) }, sorting{to, other}.sort,
		func() { copy(to, in); copy(other, in) }, func() uint64 { return Digest(to) })
}

// sortCutoff and mergeCutoff are the lengths up to which nothing is forked.
const sortCutoff, mergeCutoff = 8192, 131072

// A sorting is to sort a slice. The other one has the same elements, in the same order, so that the
// halves can leave theirs there, and merging them copies nothing.
type sorting struct{ to, other []int64 }

func (s sorting) sort(p Place) uint64 {
	n := len(s.to) / 2
	if len(s.to) <= sortCutoff {
		slices.Sort(s.to)
		return 0
	}
	p.both(sorting{s.other[:n], s.to[:n]}.sort, sorting{s.other[n:], s.to[n:]}.sort)
	return merging{s.other[:n], s.other[n:], s.to}.merge(p)
}

// A merging is to merge the sorted x and y. out is as long as both.
type merging struct{ x, y, out []int64 }

// merge splits a long merge at the middle of the longer slice, and where the value there belongs in the
// other.
func (m merging) merge(p Place) uint64 {
	if len(m.out) <= mergeCutoff {
		m.plainly()
		return 0
	}
	if len(m.x) < len(m.y) {
		m.x, m.y = m.y, m.x
	}
	i := len(m.x) / 2
	j, _ := slices.BinarySearch(m.y, m.x[i])
	return p.both(merging{m.x[:i], m.y[:j], m.out[:i+j]}.merge, merging{m.x[i:], m.y[j:], m.out[i+j:]}.merge)
}

// plainly takes the lesser of both heads. No branch depends on the values, for every second one
// would be predicted wrongly.
func (m merging) plainly() {
	x, y, out := m.x, m.y, m.out
	for len(x) > 0 && len(y) > 0 {
		// No slice is empty before as many steps as the shorter one has elements.
		n, i, j := min(len(x), len(y)), 0, 0
		for k := range n {
			a, b := x[i], y[j]
			out[k] = min(a, b)
			second := bit(b < a)
			i, j = i+1-second, j+second
		}
		x, y, out = x[i:], y[j:], out[n:]
	}
	copy(out, x)
	copy(out[len(x):], y)
}

// bit is 1 for true. The compiler makes no branch of it.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
