package work

import "github.com/rouse-go/rouse/pool"

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
