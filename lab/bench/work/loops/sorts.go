package loops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	pargosort "github.com/exascience/pargo/sort"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A SortInput says what integers a sort begins with.
type SortInput string

const (
	SortRandom      SortInput = "random"      // uniform over all bits
	SortSorted      SortInput = "sorted"      // there is nothing to do
	SortReverse     SortInput = "reverse"     // in the wrong order
	SortFew         SortInput = "few"         // 16 different ones
	SortAlmost      SortInput = "almost"      // sorted but for one in a hundred
	SortExponential SortInput = "exponential" // as many of each length in bits
)

// SortInputs returns all of them.
func SortInputs() []SortInput {
	return []SortInput{SortRandom, SortSorted, SortReverse, SortFew, SortAlmost, SortExponential}
}

// sortKeys returns n integers to sort.
func sortKeys(n int, input SortInput) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(sortKey(uint64(i), uint64(n), input))
	}
	return all
}

func sortKey(i, n uint64, input SortInput) uint64 {
	switch input {
	case SortRandom:
		return work.SplitMix64(1, i)
	case SortSorted:
		return i << 20
	case SortReverse:
		return (n - i) << 20
	case SortFew:
		return work.SplitMix64(1, i) % 16 << 40
	case SortAlmost:
		if work.SplitMix64(1, 2*i)%100 == 0 {
			return work.SplitMix64(1, 2*i+1) % n << 20
		}
		return i << 20
	case SortExponential:
		return work.SplitMix64(1, 2*i) >> (work.SplitMix64(1, 2*i+1) % 64)
	}
	panic(fmt.Sprintf("work: no input %q", input))
}

// SortInt sorts n integers. Those that have no sort do as in [work.Sort].
func SortInt(n int, input SortInput) *work.Program {
	in := sortKeys(n, input)
	whole := work.SortingOf(make([]int64, n))
	return &work.Program{
		Prepare:    func() { copy(whole.Slice, in) },
		Digest:     func() uint64 { return work.SortDigest(whole.Slice) },
		Sequential: func() uint64 { slices.Sort(whole.Slice); return 0 },
		Flat:       func(groups work.Groups, pieces int) uint64 { work.SortFlat(groups, pieces, whole); return 0 },
		Par:        func(p *pool.Pool) uint64 { par.Sort(whole.Slice, par.On(p)); return 0 },
		Library: map[string]func(int) uint64{
			"pargo": func(int) uint64 { pargosort.StableSort(pargoOrdered[int64](whole.Slice)); return 0 },
		},
	}
}

// A pair has a key that others have, too, and a number of its own.
type pair struct {
	key    int64
	number uint64
}

// pairs are n in the order of their numbers, with keys as a sort of integers has them. Of
// random ones about ten have each key.
func pairs(n int, input SortInput) []pair {
	all := make([]pair, n)
	for i, key := range sortKeys(n, input) {
		if input == SortRandom {
			key = int64(uint64(key) % uint64(max(1, n/10)))
		}
		all[i] = pair{key, uint64(i)}
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

// compareKeys orders pairs as they are sorted, stably.
func compareKeys(a, b pair) int { return cmp.Compare(a.key, b.key) }

// sortPairs returns what all sorts of pairs have, and what they sort.
func sortPairs(n int, input SortInput) (*work.Program, []pair) {
	in := pairs(n, input)
	s := make([]pair, n)
	return &work.Program{
		Prepare: func() { copy(s, in) },
		Digest:  func() uint64 { return pairsDigest(s) },
		// slices.SortStableFunc would take many times as long.
		Sequential: func() uint64 { slices.SortFunc(s, comparePairs); return 0 },
	}, s
}

// SortPairs sorts n pairs by their keys, stably, with a function that compares them.
//
//go:noinline
func SortPairs(n int, input SortInput) *work.Program {
	p, s := sortPairs(n, input)
	p.Par = func(on *pool.Pool) uint64 { par.SortFunc(s, compareKeys, par.On(on)); return 0 }
	p.Library = map[string]func(int) uint64{
		"pargo": func(int) uint64 { pargosort.StableSort(pargoPairs(s)); return 0 },
	}
	return p
}

// SortKey sorts n pairs by their keys, stably, with a function that returns these.
//
//go:noinline
func SortKey(n int) *work.Program {
	p, s := sortPairs(n, SortRandom)
	p.Par = func(on *pool.Pool) uint64 {
		par.SortKey(s, func(x pair) int64 { return x.key }, par.On(on))
		return 0
	}
	return p
}

// SortStrings sorts n strings of 8 to 24 letters.
func SortStrings(n int) *work.Program {
	return sortStrings(n, func(p *pool.Pool, s []string) { par.Sort(s, par.On(p)) })
}

// SortStringsFunc does as SortStrings, with a function that compares them.
func SortStringsFunc(n int) *work.Program {
	return sortStrings(n, func(p *pool.Pool, s []string) { par.SortFunc(s, strings.Compare, par.On(p)) })
}

func sortStrings(n int, sort func(*pool.Pool, []string)) *work.Program {
	in := make([]string, n)
	for i := range in {
		in[i] = letters(uint64(i))
	}
	s := make([]string, n)
	return &work.Program{
		Prepare:    func() { copy(s, in) },
		Digest:     func() uint64 { return stringsDigest(s) },
		Sequential: func() uint64 { slices.Sort(s); return 0 },
		Par:        func(p *pool.Pool) uint64 { sort(p, s); return 0 },
		Library: map[string]func(int) uint64{
			"pargo": func(int) uint64 { pargosort.StableSort(pargoOrdered[string](s)); return 0 },
		},
	}
}

// letters is the i-th of pseudo-random strings.
func letters(i uint64) string {
	var b strings.Builder
	n := 8 + work.SplitMix64(2, 4*i)%17
	for k := range n {
		word := work.SplitMix64(2, 4*i+1+k/8)
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

// The types below are what users of pargo write for its StableSort, which it advises for
// large slices. Its Sort has a data race: goroutines that look whether all is sorted
// already may still read elements while it swaps them.

// pargoOrdered is for elements that Go compares. pargo's own types of slices would have
// package sort sort the parts, which takes longer.
type pargoOrdered[T cmp.Ordered] []T

func (s pargoOrdered[T]) Len() int                        { return len(s) }
func (s pargoOrdered[T]) Less(i, j int) bool              { return s[i] < s[j] }
func (s pargoOrdered[T]) SequentialSort(i, j int)         { slices.Sort(s[i:j]) }
func (s pargoOrdered[T]) NewTemp() pargosort.StableSorter { return make(pargoOrdered[T], len(s)) }

func (s pargoOrdered[T]) Assign(source pargosort.StableSorter) func(i, j, n int) {
	from := source.(pargoOrdered[T])
	return func(i, j, n int) { copy(s[i:i+n], from[j:j+n]) }
}

// pargoPairs is for pairs by their keys.
type pargoPairs []pair

func (s pargoPairs) Len() int                        { return len(s) }
func (s pargoPairs) Less(i, j int) bool              { return s[i].key < s[j].key }
func (s pargoPairs) SequentialSort(i, j int)         { slices.SortStableFunc(s[i:j], compareKeys) }
func (s pargoPairs) NewTemp() pargosort.StableSorter { return make(pargoPairs, len(s)) }

func (s pargoPairs) Assign(source pargosort.StableSorter) func(i, j, n int) {
	from := source.(pargoPairs)
	return func(i, j, n int) { copy(s[i:i+n], from[j:j+n]) }
}
