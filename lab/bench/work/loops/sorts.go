package loops

import (
	"cmp"
	"slices"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
)

// sorting makes a program of what sorts a copy of in, whose elements have numbers.
func sorting[T any](in []T, number func(T) uint64, plain func([]T), sort func([]T, ...par.Option)) *work.Program {
	s := make([]T, len(in))
	return &work.Program{
		Prepare: func() { copy(s, in) },
		Digest:  func() uint64 { return work.DigestOf(s, number) },
		Plain:   func() uint64 { plain(s); return 0 },
		Pool:    onPar(func(on par.Option) uint64 { sort(s, on); return 0 }),
	}
}

// SortInt sorts n integers.
func SortInt(n int) *work.Program {
	in := make([]int64, n)
	for i, x := range numbers(n) {
		in[i] = int64(x)
	}
	return sorting(in, func(x int64) uint64 { return uint64(x) }, slices.Sort, par.Sort)
}

// A pair has a key that about ten have, and a number of its own.
type pair struct {
	key    int64
	number uint64
}

// sortPairs sorts n pairs by their keys, stably, by one of par's ways. Plainly slices.SortFunc compares
// numbers, too: slices.SortStableFunc would take many times as long.
func sortPairs(n int, sort func([]pair, ...par.Option)) *work.Program {
	in := make([]pair, n)
	for i, x := range numbers(n) {
		in[i] = pair{int64(x % uint64(max(1, n/10))), uint64(i)}
	}
	compare := func(a, b pair) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) }
	return sorting(in, func(p pair) uint64 { return p.number }, func(s []pair) { slices.SortFunc(s, compare) }, sort)
}

// SortPairs does so with a function that compares them.
//
//go:noinline
func SortPairs(n int) *work.Program {
	compare := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	return sortPairs(n, func(s []pair, on ...par.Option) { par.SortStableFunc(s, compare, on...) })
}

// SortKey does so with a function that returns the keys.
//
//go:noinline
func SortKey(n int) *work.Program {
	key := func(x pair) int64 { return x.key }
	return sortPairs(n, func(s []pair, on ...par.Option) { par.SortKey(s, key, on...) })
}
