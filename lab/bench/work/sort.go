package work

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

const (
	// sortCutoff is the length up to which a slice is sorted without forks.
	sortCutoff = 4096
	// insertionCutoff is the length up to which that is by insertion.
	insertionCutoff = 24
)

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a
// merge sort that sorts the halves in parallel and then merges them in parallel,
// after the example in Cilk.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(splitmix64(1, uint64(i)))
	}
	whole := sorting{make([]int64, n), make([]int64, n), false}
	return &Program{
		Prepare:    func() { copy(whole.a, in) },
		Digest:     func() uint64 { return SortDigest(whole.a) },
		Sequential: func() uint64 { slices.Sort(whole.a); return 0 },
		Nested:     func(groups Groups) uint64 { nestedSort(groups, whole); return 0 },
		Flat:       func(groups Groups, pieces int) uint64 { flatSort(groups, pieces, whole); return 0 },
		Pool: onPool(func(w *pool.Worker, s sorting) uint64 {
			forkSort(w, s)
			return 0
		}, whole),
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

// splitmix64 is the i-th number of the generator of that name (Steele, Lea and
// Flood, 2014).
func splitmix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A sorting is to sort a, with a buffer of the same length, which has the result
// if toBuffer. The halves leave theirs on the other side, so merging them copies
// nothing.
type sorting struct {
	a, buffer []int64
	toBuffer  bool
}

func (s sorting) halves() (sorting, sorting) {
	n := len(s.a) / 2
	return sorting{s.a[:n], s.buffer[:n], !s.toBuffer}, sorting{s.a[n:], s.buffer[n:], !s.toBuffer}
}

// merging returns the merge of the halves.
func (s sorting) merging() merging {
	from, to := s.buffer, s.a
	if s.toBuffer {
		from, to = to, from
	}
	n := len(from) / 2
	return merging{from[:n], from[n:], to}
}

// leaf sorts a short slice, and reports whether it is one. It leaves none of that
// to the library, for every language has another.
func (s sorting) leaf() bool {
	if len(s.a) > sortCutoff {
		return false
	}
	sort(s)
	return true
}

// insert sorts a very short slice by insertion into where the result belongs.
func (s sorting) insert() {
	to := s.a
	if s.toBuffer {
		to = s.buffer
	}
	for i, x := range s.a {
		j := i
		for ; j > 0 && to[j-1] > x; j-- {
			to[j] = to[j-1]
		}
		to[j] = x
	}
}

func sort(s sorting) {
	if len(s.a) <= insertionCutoff {
		s.insert()
		return
	}
	first, second := s.halves()
	sort(first)
	sort(second)
	s.merging().merge()
}

func nestedSort(groups Groups, s sorting) {
	if s.leaf() {
		return
	}
	first, second := s.halves()
	g := groups()
	g.Go(func() { nestedSort(groups, first) })
	nestedSort(groups, second)
	g.Wait()
	nestedMerge(groups, s.merging())
}

func nestedMerge(groups Groups, m merging) {
	if m.leaf() {
		return
	}
	first, second := m.halves()
	g := groups()
	g.Go(func() { nestedMerge(groups, first) })
	nestedMerge(groups, second)
	g.Wait()
}

// flatSort sorts the parts that halving a few times gives, then merges level by
// level, each in about as many pieces.
func flatSort(groups Groups, pieces int, whole sorting) {
	levels := [][]sorting{{whole}}
	last := levels[0]
	for len(last) < pieces {
		last = halved(last, sorting.halves)
		levels = append(levels, last)
	}
	g := groups()
	for _, s := range last {
		g.Go(func() { sort(s) })
	}
	g.Wait()
	for _, level := range slices.Backward(levels[:len(levels)-1]) {
		var merges []merging
		for _, s := range level {
			merges = append(merges, s.merging())
		}
		for len(merges) < pieces {
			merges = halved(merges, merging.halves)
		}
		g := groups()
		for _, m := range merges {
			g.Go(m.merge)
		}
		g.Wait()
	}
}

// halved splits each of them.
func halved[A any](all []A, halves func(A) (A, A)) []A {
	var parts []A
	for _, a := range all {
		first, second := halves(a)
		parts = append(parts, first, second)
	}
	return parts
}

func forkSort(w *pool.Worker, s sorting) struct{} {
	if s.leaf() {
		return struct{}{}
	}
	first, second := s.halves()
	pool.Invoke(w, forkSort, first, forkSort, second)
	return forkMerge(w, s.merging())
}

func forkMerge(w *pool.Worker, m merging) struct{} {
	if m.leaf() {
		return struct{}{}
	}
	first, second := m.halves()
	pool.Invoke(w, forkMerge, first, forkMerge, second)
	return struct{}{}
}
