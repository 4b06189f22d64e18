package work

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a
// merge sort that sorts the halves in parallel and then merges them in parallel,
// after the example in Cilk.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(SplitMix64(1, uint64(i)))
	}
	whole := SortingOf(make([]int64, n))
	return &Program{
		Prepare:    func() { copy(whole.Slice, in) },
		Digest:     func() uint64 { return SortDigest(whole.Slice) },
		Sequential: func() uint64 { slices.Sort(whole.Slice); return 0 },
		Nested:     func(groups Groups) uint64 { nestedSort(groups, whole); return 0 },
		Flat:       func(groups Groups, pieces int) uint64 { SortFlat(groups, pieces, whole); return 0 },
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

// SplitMix64 is the i-th number of the generator of that name (Steele, Lea and
// Flood, 2014).
func SplitMix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

const (
	// sortCutoff is the length up to which a slice is sorted without forks.
	sortCutoff = 4096
	// insertionCutoff is the length up to which that is by insertion.
	insertionCutoff = 24
)

// The merge sort that workloads share: the halves are sorted in parallel and then merged in
// parallel, after the example in Cilk.

// A Sorting is to sort a slice, with a buffer of the same length, which has the result
// if toBuffer. The halves leave theirs on the other side, so merging them copies
// nothing.
type Sorting struct {
	Slice, buffer []int64
	toBuffer      bool
}

// SortingOf is to sort s in place.
func SortingOf(s []int64) Sorting { return Sorting{s, make([]int64, len(s)), false} }

func (s Sorting) halves() (Sorting, Sorting) {
	n := len(s.Slice) / 2
	return Sorting{s.Slice[:n], s.buffer[:n], !s.toBuffer}, Sorting{s.Slice[n:], s.buffer[n:], !s.toBuffer}
}

// merging returns the merge of the halves.
func (s Sorting) merging() merging {
	from, to := s.buffer, s.Slice
	if s.toBuffer {
		from, to = to, from
	}
	n := len(from) / 2
	return merging{from[:n], from[n:], to}
}

// leaf sorts a short slice, and reports whether it is one. It leaves none of that
// to the library, for every language has another.
func (s Sorting) leaf() bool {
	if len(s.Slice) > sortCutoff {
		return false
	}
	sortPlainly(s)
	return true
}

// insert sorts a very short slice by insertion into where the result belongs.
func (s Sorting) insert() {
	to := s.Slice
	if s.toBuffer {
		to = s.buffer
	}
	for i, x := range s.Slice {
		j := i
		for ; j > 0 && to[j-1] > x; j-- {
			to[j] = to[j-1]
		}
		to[j] = x
	}
}

func sortPlainly(s Sorting) {
	if len(s.Slice) <= insertionCutoff {
		s.insert()
		return
	}
	first, second := s.halves()
	sortPlainly(first)
	sortPlainly(second)
	s.merging().merge()
}

// sorts cuts a slice until a part is short, and has merge merge what comes of the halves.
func sorts(merge func(merging) struct{}) *halving[Sorting, struct{}] {
	return &halving[Sorting, struct{}]{
		halves: func(s Sorting) (first, second Sorting, ok bool) {
			first, second = s.halves()
			return first, second, len(s.Slice) > sortCutoff
		},
		plain: func(s Sorting) struct{} { sortPlainly(s); return struct{}{} },
		join:  func(s Sorting, _, _ struct{}) struct{} { return merge(s.merging()) },
	}
}

var merges = halving[merging, struct{}]{
	halves: func(m merging) (first, second merging, ok bool) {
		first, second = m.halves()
		return first, second, len(m.out) > mergeCutoff
	},
	plain: func(m merging) struct{} { m.merge(); return struct{}{} },
	join:  func(merging, struct{}, struct{}) (none struct{}) { return none },
}

// nestedSort sorts the halves at the same time, and merges them so.
func nestedSort(groups Groups, s Sorting) {
	sorts(func(m merging) struct{} { return merges.nested(groups, m) }).nested(groups, s)
}

// SortFlat sorts the parts that halving a few times gives, then merges them one after the other,
// each merge in as many pieces.
func SortFlat(groups Groups, pieces int, s Sorting) {
	sorts(func(m merging) struct{} { return merges.flat(groups, pieces, m) }).flat(groups, pieces, s)
}

// forkSort does so with forks.
func forkSort(w *pool.Worker, s Sorting) uint64 {
	if s.leaf() {
		return 0
	}
	first, second := s.halves()
	pool.Invoke(w, forkSort, first, forkSort, second)
	return forkMerge(w, s.merging())
}

func forkMerge(w *pool.Worker, m merging) uint64 {
	if m.leaf() {
		return 0
	}
	first, second := m.halves()
	pool.Invoke(w, forkMerge, first, forkMerge, second)
	return 0
}

// mergeCutoff is the length up to which a merge is not split.
const mergeCutoff = 131072

// A merging is to merge the sorted x and y. out is as long as both.
type merging struct{ x, y, out []int64 }

// leaf does a short merge, and reports whether it is one.
func (m merging) leaf() bool {
	if len(m.out) > mergeCutoff {
		return false
	}
	m.merge()
	return true
}

// halves splits a merge at the middle of the longer slice, and where the value
// there belongs in the other.
func (m merging) halves() (merging, merging) {
	if len(m.out) == 0 {
		return m, m
	}
	if len(m.x) < len(m.y) {
		m.x, m.y = m.y, m.x
	}
	i := len(m.x) / 2
	j, _ := slices.BinarySearch(m.y, m.x[i])
	return merging{m.x[:i], m.y[:j], m.out[:i+j]}, merging{m.x[i:], m.y[j:], m.out[i+j:]}
}

// merge moves the least and the greatest of what is left at each step. No branch
// depends on the values, for every second one would be predicted wrongly. Each
// step waits for the one before at the same end, so two ends take half the time.
func (m merging) merge() {
	x, y, out := m.x, m.y, m.out
	for len(x) > 0 && len(y) > 0 {
		// No more than n elements of either slice are among the n least, nor
		// among the n greatest, so no step finds one empty.
		n := min(len(x), len(y))
		low, high := out[:n], out[len(out)-n:]
		i, j := 0, 0
		p, q := len(x)-1, len(y)-1
		for k := range n {
			a, b := x[i], y[j]
			low[k] = min(a, b)
			second := bit(b < a)
			i, j = i+1-second, j+second

			a, b = x[p], y[q]
			high[n-1-k] = max(a, b)
			first := bit(b < a)
			p, q = p-first, q-1+first
		}
		x, y, out = x[i:p+1], y[j:q+1], out[n:len(out)-n]
	}
	copy(out, x)
	copy(out, y)
}

// bit is 1 for true. The compiler makes no branch of it.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
