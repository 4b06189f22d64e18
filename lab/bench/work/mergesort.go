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

// nestedSort sorts the halves at the same time, and merges them so.
func nestedSort(groups Groups, s Sorting) {
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

// SortFlat sorts the parts that halving a few times gives, then merges level by
// level, each in about as many pieces.
func SortFlat(groups Groups, pieces int, whole Sorting) {
	levels := [][]Sorting{{whole}}
	last := levels[0]
	for len(last) < pieces {
		last = halved(last, Sorting.halves)
		levels = append(levels, last)
	}
	g := groups()
	for _, s := range last {
		g.Go(func() { sortPlainly(s) })
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
