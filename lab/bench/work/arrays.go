package work

import (
	"slices"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

// The product of matrices and the merge sort cut what they write to in halves, and fork one.

// smallestBlock is the size below which a part of a matrix is not cut.
const smallestBlock = 64

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
	whole := area{0, n, 0, n}
	return &Program{
		Prepare:    func() { clear(m.c) },
		Digest:     m.digest,
		Sequential: func() uint64 { m.multiply(whole); return 0 },
		Goroutines: func() uint64 { m.goMultiply(whole); return 0 },
		Pool:       onPool(m.fork, whole),
	}
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
	case rows <= smallestBlock && columns <= smallestBlock:
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

func (m *product) goMultiply(part area) {
	first, second, ok := part.halve()
	if !ok {
		m.leaf(part)
		return
	}
	goBoth(func() { m.goMultiply(first) }, func() { m.goMultiply(second) })
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

// digest is the sum of the elements, which may be negative.
func (m *product) digest() uint64 {
	var sum int
	for _, x := range m.c {
		sum += int(x)
	}
	return uint64(sum)
}

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a
// merge sort that sorts the halves in parallel and then merges them in parallel,
// after the example in Cilk. Short parts are left to slices.Sort.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(SplitMix64(1, uint64(i)))
	}
	whole := sorting{make([]int64, n), make([]int64, n)}
	return &Program{
		Prepare:    func() { copy(whole.to, in); copy(whole.other, in) },
		Digest:     func() uint64 { return SortDigest(whole.to) },
		Sequential: func() uint64 { slices.Sort(whole.to); return 0 },
		Goroutines: func() uint64 { goSort(whole); return 0 },
		Pool:       onPool(forkSort, whole),
	}
}

// SortDigest is 0 if the slice is not sorted, else a number that depends on
// every element and its place.
func SortDigest(a []int64) (digest uint64) {
	if !slices.IsSorted(a) {
		return 0
	}
	for i, x := range a {
		digest += uint64(i) * uint64(x)
	}
	return digest
}

// sortCutoff and mergeCutoff are the lengths up to which nothing is forked.
const sortCutoff, mergeCutoff = 8192, 131072

// A sorting is to sort a slice. The other one has the same elements, in the same order, so that the
// halves can leave theirs there, and merging them copies nothing.
type sorting struct{ to, other []int64 }

func (s sorting) halves() (first, second sorting) {
	n := len(s.to) / 2
	return sorting{s.other[:n], s.to[:n]}, sorting{s.other[n:], s.to[n:]}
}

// merging returns the merge of the sorted halves.
func (s sorting) merging() merging {
	n := len(s.to) / 2
	return merging{s.other[:n], s.other[n:], s.to}
}

func goSort(s sorting) {
	if len(s.to) <= sortCutoff {
		slices.Sort(s.to)
		return
	}
	first, second := s.halves()
	goBoth(func() { goSort(first) }, func() { goSort(second) })
	goMerge(s.merging())
}

func goMerge(m merging) {
	if len(m.out) <= mergeCutoff {
		m.merge()
		return
	}
	first, second := m.halves()
	goBoth(func() { goMerge(first) }, func() { goMerge(second) })
}

func forkSort(w *pool.Worker, s sorting) uint64 {
	if len(s.to) <= sortCutoff {
		slices.Sort(s.to)
		return 0
	}
	first, second := s.halves()
	pool.Invoke(w, forkSort, first, forkSort, second)
	return forkMerge(w, s.merging())
}

func forkMerge(w *pool.Worker, m merging) uint64 {
	if len(m.out) <= mergeCutoff {
		m.merge()
		return 0
	}
	first, second := m.halves()
	pool.Invoke(w, forkMerge, first, forkMerge, second)
	return 0
}

// SortCut sorts so many pieces, each on a goroutine of its own, and merges them by pairs.
func SortCut(s []int64, pieces int) {
	bounds := make([]int, pieces+1)
	for i := range bounds {
		bounds[i] = int(int64(len(s)) * int64(i) / int64(pieces))
	}
	from := func(i int) int { return bounds[min(i, pieces)] }
	var running sync.WaitGroup
	for i := range pieces {
		running.Go(func() { slices.Sort(s[from(i):from(i+1)]) })
	}
	running.Wait()
	buffer := make([]int64, len(s))
	for width := 1; width < pieces; width *= 2 {
		copy(buffer, s)
		for i := 0; i < pieces; i += 2 * width {
			lower, middle, upper := from(i), from(i+width), from(i+2*width)
			running.Go(func() { goMerge(merging{buffer[lower:middle], buffer[middle:upper], s[lower:upper]}) })
		}
		running.Wait()
	}
}

// A merging is to merge the sorted x and y. out is as long as both.
type merging struct{ x, y, out []int64 }

// halves splits a merge at the middle of the longer slice, and where the value
// there belongs in the other.
func (m merging) halves() (first, second merging) {
	if len(m.x) < len(m.y) {
		m.x, m.y = m.y, m.x
	}
	i := len(m.x) / 2
	j, _ := slices.BinarySearch(m.y, m.x[i])
	return merging{m.x[:i], m.y[:j], m.out[:i+j]}, merging{m.x[i:], m.y[j:], m.out[i+j:]}
}

// merge takes the lesser of both heads. No branch depends on the values, for every second one
// would be predicted wrongly.
func (m merging) merge() {
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
