package loops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
)

// A SortInput says what integers a sort begins with.
type SortInput string

const (
	SortRandom  SortInput = "random"  // uniform over all bits
	SortSorted  SortInput = "sorted"  // there is nothing to do
	SortReverse SortInput = "reverse" // in the wrong order
	SortFew     SortInput = "few"     // 16 different ones
	SortAlmost  SortInput = "almost"  // sorted but for one in a hundred
)

// SortInputs returns all of them.
func SortInputs() []SortInput {
	return []SortInput{SortRandom, SortSorted, SortReverse, SortFew, SortAlmost}
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
	}
	panic(fmt.Sprintf("work: no input %q", input))
}

// SortInt sorts n integers.
func SortInt(n int, input SortInput) *work.Program {
	in, s := sortKeys(n, input), make([]int64, n)
	return &work.Program{
		Prepare:    func() { copy(s, in) },
		Digest:     func() uint64 { return work.SortDigest(s) },
		Sequential: func() uint64 { slices.Sort(s); return 0 },
		Cutoff:     func(pieces int) uint64 { work.SortCut(s, pieces); return 0 },
		Pool:       onPar(func(on par.Option) uint64 { par.Sort(s, on); return 0 }),
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

// sortPairs sorts n pairs by their keys, stably, by one of par's ways.
func sortPairs(n int, input SortInput, sort func([]pair, par.Option)) *work.Program {
	in, s := pairs(n, input), make([]pair, n)
	return &work.Program{
		Prepare: func() { copy(s, in) },
		Digest:  func() uint64 { return pairsDigest(s) },
		// slices.SortStableFunc would take many times as long.
		Sequential: func() uint64 { slices.SortFunc(s, comparePairs); return 0 },
		Pool:       onPar(func(on par.Option) uint64 { sort(s, on); return 0 }),
	}
}

// SortPairs does so with a function that compares them.
//
//go:noinline
func SortPairs(n int, input SortInput) *work.Program {
	return sortPairs(n, input, func(s []pair, on par.Option) { par.SortFunc(s, compareKeys, on) })
}

// SortKey does so with a function that returns the keys.
//
//go:noinline
func SortKey(n int) *work.Program {
	return sortPairs(n, SortRandom, func(s []pair, on par.Option) {
		par.SortKey(s, func(x pair) int64 { return x.key }, on)
	})
}

// SortStrings sorts n strings of 8 to 24 letters.
func SortStrings(n int) *work.Program {
	in, s := make([]string, n), make([]string, n)
	for i := range in {
		in[i] = letters(uint64(i))
	}
	return &work.Program{
		Prepare:    func() { copy(s, in) },
		Digest:     func() uint64 { return stringsDigest(s) },
		Sequential: func() uint64 { slices.Sort(s); return 0 },
		Pool:       onPar(func(on par.Option) uint64 { par.Sort(s, on); return 0 }),
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
