package work

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// LoopSortInt sorts n integers that are uniform over all bits. Those that have no sort
// do as in Sort.
func LoopSortInt(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(splitmix64(1, uint64(i)))
	}
	whole := sorting{make([]int64, n), make([]int64, n), false}
	return &Program{
		Prepare:    func() { copy(whole.a, in) },
		Digest:     func() uint64 { return SortDigest(whole.a) },
		Sequential: func() uint64 { slices.Sort(whole.a); return 0 },
		Flat:       func(groups Groups, pieces int) uint64 { flatSort(groups, pieces, whole); return 0 },
		Par:        func(p *pool.Pool) uint64 { par.Sort(whole.a, par.On(p)); return 0 },
	}
}

// A pair has a key that others have, too, and a number of its own.
type pair struct {
	key    int64
	number uint64
}

// pairs are n in the order of their numbers, about ten with each key.
func pairs(n int) []pair {
	all := make([]pair, n)
	for i := range all {
		all[i] = pair{int64(splitmix64(1, uint64(i)) % uint64(max(1, n/10))), uint64(i)}
	}
	return all
}

// pairsDigest is 0 if the pairs are not sorted, or not stably.
func pairsDigest(s []pair) (digest uint64) {
	for i, p := range s {
		if i > 0 && comparePairs(s[i-1], p) >= 0 {
			return 0
		}
		digest += uint64(i+1) * p.number
	}
	return digest
}

// comparePairs orders pairs as a stable sort by key leaves them.
func comparePairs(a, b pair) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.number, b.number)
}

func sortPairs(n int, sort func(*pool.Pool, []pair)) *Program {
	in := pairs(n)
	s := make([]pair, n)
	return &Program{
		Prepare: func() { copy(s, in) },
		Digest:  func() uint64 { return pairsDigest(s) },
		// slices.SortStableFunc would take many times as long.
		Sequential: func() uint64 { slices.SortFunc(s, comparePairs); return 0 },
		Par:        func(p *pool.Pool) uint64 { sort(p, s); return 0 },
	}
}

// LoopSortPairs sorts n pairs by their keys, stably, with a function that compares them.
//
//go:noinline
func LoopSortPairs(n int) *Program {
	return sortPairs(n, func(p *pool.Pool, s []pair) {
		par.SortFunc(s, func(a, b pair) int { return cmp.Compare(a.key, b.key) }, par.On(p))
	})
}

// LoopSortKey sorts n pairs by their keys, stably, with a function that returns these.
//
//go:noinline
func LoopSortKey(n int) *Program {
	return sortPairs(n, func(p *pool.Pool, s []pair) {
		par.SortKey(s, func(x pair) int64 { return x.key }, par.On(p))
	})
}

// LoopSortStrings sorts n strings of 8 to 24 letters.
func LoopSortStrings(n int) *Program {
	in := make([]string, n)
	for i := range in {
		in[i] = letters(uint64(i))
	}
	s := make([]string, n)
	return &Program{
		Prepare:    func() { copy(s, in) },
		Digest:     func() uint64 { return stringsDigest(s) },
		Sequential: func() uint64 { slices.Sort(s); return 0 },
		Par:        func(p *pool.Pool) uint64 { par.Sort(s, par.On(p)); return 0 },
	}
}

// letters is the i-th of pseudo-random strings.
func letters(i uint64) string {
	var b strings.Builder
	n := 8 + splitmix64(2, 4*i)%17
	for k := range n {
		word := splitmix64(2, 4*i+1+k/8)
		b.WriteByte(byte('a' + word>>(8*(k%8))&0xff%26))
	}
	return b.String()
}

// stringsDigest is 0 if the strings are not sorted.
func stringsDigest(s []string) (digest uint64) {
	if !slices.IsSorted(s) {
		return 0
	}
	for i, x := range s {
		hash := uint64(0xcbf29ce484222325) // FNV-1a
		for _, c := range []byte(x) {
			hash = (hash ^ uint64(c)) * 0x100000001b3
		}
		digest += uint64(i+1) * hash
	}
	return digest
}
