package loops

import (
	"cmp"
	"fmt"
	"hash/maphash"
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

// sorting makes a program of what sorts a copy of in.
func sorting[T any](in []T, digest func([]T) uint64, plain func([]T), sort func([]T, ...par.Option)) *work.Program {
	s := make([]T, len(in))
	return &work.Program{
		Prepare: func() { copy(s, in) },
		Digest:  func() uint64 { return digest(s) },
		Plain:   func() uint64 { plain(s); return 0 },
		Pool:    onPar(func(on par.Option) uint64 { sort(s, on); return 0 }),
	}
}

// SortInt sorts n integers.
func SortInt(n int, input SortInput) *work.Program {
	return sorting(sortKeys(n, input), work.Digest, slices.Sort, par.Sort)
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

// sortPairs sorts n pairs by their keys, stably, by one of par's ways. Plainly slices.SortFunc compares
// numbers, too: slices.SortStableFunc would take many times as long.
func sortPairs(n int, input SortInput, sort func([]pair, ...par.Option)) *work.Program {
	compare := func(a, b pair) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) }
	digest := func(s []pair) uint64 { return work.DigestOf(s, func(p pair) uint64 { return p.number }) }
	return sorting(pairs(n, input), digest, func(s []pair) { slices.SortFunc(s, compare) }, sort)
}

// SortPairs does so with a function that compares them.
//
//go:noinline
func SortPairs(n int, input SortInput) *work.Program {
	compare := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	return sortPairs(n, input, func(s []pair, on ...par.Option) { par.SortFunc(s, compare, on...) })
}

// SortKey does so with a function that returns the keys.
//
//go:noinline
func SortKey(n int) *work.Program {
	key := func(x pair) int64 { return x.key }
	return sortPairs(n, SortRandom, func(s []pair, on ...par.Option) { par.SortKey(s, key, on...) })
}

// SortStrings sorts n strings of 8 to 24 letters.
func SortStrings(n int) *work.Program {
	in, seed := make([]string, n), maphash.MakeSeed()
	for i := range in {
		in[i] = letters(uint64(i))
	}
	digest := func(s []string) uint64 {
		return work.DigestOf(s, func(x string) uint64 { return maphash.String(seed, x) })
	}
	return sorting(in, digest, slices.Sort, par.Sort)
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
