package par_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// What follows is made so that something happens just where a block of elements ends, which
// neither small inputs do nor random ones.

// around returns the indices from 1 to n-1 that are at most so far from a multiple of size.
func around(n, size, far int) (at []int) {
	for i := 1; i < n; i++ {
		if r := i % size; r <= far || size-r <= far {
			at = append(at, i)
		}
	}
	return at
}

// Elements are in groups by their field, of one each or of three. The comparison says the same, but for
// one of them, which it lifts out of its group, or lowers, or says to be equal to a neighbour.
func TestSortFieldButForOne(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	for group, n := range map[int]int{1: 2*par.RadixBlock + 1, 3: par.RadixBlock + 50} {
		order := rand.New(rand.NewPCG(1, 2)).Perm(n)
		s, rank, at := cardsOf(order), slices.Clone(order), make([]int, n)
		for i, v := range rank {
			s[i].value, rank[i], at[v] = v/group, 2*v, i
		}
		by := func(a, b card) int { return cmp.Compare(rank[a.place], rank[b.place]) }
		for _, v := range around(n, par.RadixBlock, 3) {
			first, old := 2*group*(v/group), rank[at[v]]
			for _, to := range []int{first - 3, first - 2, first - 1, first + 2*group, first + 2*group + 1} {
				rank[at[v]] = to
				got := slices.Clone(s)
				if par.SortStableFunc(got, by, par.On(p)); wrong(true, s, got, by) != "" {
					t.Fatalf("F1: SortStableFunc where the element %d of %d, in groups of %d, has the rank %d of twice as many is not what a stable sort gives", v, n, group, to)
				}
			}
			rank[at[v]] = old
		}
	}
}

// All is in order but for one place, where a chunk of a merge sort or a block of a merge may end; or in
// reverse, but for two elements, which are equal.
func TestSortOrderedButForOne(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	check := func(what string, at int, from []card, by func(a, b card) int) {
		for i := range from {
			from[i].place = i
		}
		got := slices.Clone(from)
		if par.SortStableFunc(got, by, par.On(p)); wrong(true, from, got, by) != "" {
			t.Errorf("F1: SortStableFunc of %d elements %s, but for the place %d, is not what a stable sort gives", len(from), what, at)
		}
	}
	const rotated, reversed = 20 * par.MergeBlock, 10*par.OrderedAlone + 3
	s := cardsOf(indices(rotated))
	for i := range s {
		s[i].value /= 2
	}
	slices.SortStableFunc(s, byMixed)
	for _, at := range append(around(rotated, par.MergeBlock, 1), rotated-1) {
		check("in order", at, slices.Concat(s[rotated-at:], s[:rotated-at]), byMixed)
	}
	for _, at := range append(around(reversed, par.OrderedAlone, 1), reversed-1) {
		s := cardsOf(indices(reversed))
		slices.Reverse(s)
		s[at].value++
		check("in reverse", at, s, byValue)
	}
}

// Strings have a prefix in common, and those of one block alone have more than that, or those of the
// last block and the one before them have no more, or all strings of a block have more in common
// than those of two blocks do.
func TestSortStringsOfBlocks(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	for _, n := range []int{300, par.RadixBlock + 100, par.RadixBlock + 3000, 3*par.RadixBlock - 5, par.RadixAlone + 2, par.RadixAlone + par.RadixBlock + 100} {
		block := min(n/3, par.RadixBlock)
		check := func(what string, at func(i int) string) {
			s := make([]string, n)
			for i := range s {
				s[i] = at(i)
			}
			want := slices.Sorted(slices.Values(s))
			if par.Sort(s, par.On(p)); !slices.Equal(s, want) {
				t.Errorf("F1: Sort of %d strings, %s, does not sort", n, what)
			}
		}
		for _, prefix := range []string{"8 bytes!", "sixteen bytes..."} {
			for long := range (n + block - 1) / block {
				check(fmt.Sprintf("those of block %d longer than %q", long, prefix), func(i int) string {
					if i/block != long {
						return prefix
					}
					// So many heads that a sample does not show it as kinds.
					return prefix + strconv.Itoa(10_000_000+i*7919%13) + []string{"z", "ab", strings.Repeat("a", 9), strings.Repeat("a", 17) + "b", ""}[i*7919%5]
				})
			}
			check(fmt.Sprintf("all but the last longer than %q", prefix), func(i int) string {
				if i >= n-101 {
					return prefix
				}
				return prefix + strconv.Itoa(i*7919%n)
			})
		}
		check("some of which differ in the ninth byte alone", func(i int) string {
			return fmt.Sprintf("%08d%d", i*7919%n/3, i*7919%n%3)
		})
		check("one of which has less in common than the others", func(i int) string {
			if i == n/2+1 {
				return "pz"
			}
			return "ppppp" + strconv.Itoa(i*7919%n)
		})
		for _, common := range []int{8, 11, 40} {
			check(fmt.Sprintf("with %d bytes in common, and 20 more in a block", common), func(i int) string {
				return strings.Repeat("p", common) + strings.Repeat("cab"[i/block%3:][:1], 20) + strconv.Itoa(i*7919%n)
			})
		}
	}
}

// suffixes returns the suffixes of a text, in an order that is none.
func suffixes(text string) []string {
	s := make([]string, len(text))
	for i := range s {
		s[i] = text[i*7919%len(text):]
	}
	return s
}

// Suffixes of a text that repeats itself part one by one, after as many steps as there are of
// them. A sort by their bytes alone would take quadratic time, and as much stack.
func TestSortSuffixes(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would shrink stacks
	p := newPool(t, pool.WithWorkers(2))
	for name, text := range map[string]string{
		"one letter":               strings.Repeat("a", par.RadixAlone/2),
		"one letter, by all":       strings.Repeat("a", par.RadixAlone+100),
		"thirty-one bytes":         strings.Repeat("the quick brown fox jumped over", 200),
		"a letter of its own":      strings.Repeat("a", 4000) + "b" + strings.Repeat("a", 4000),
		"one letter, among others": strings.Repeat("a", par.RadixAlone+100),
	} {
		s := suffixes(text)
		if name == "one letter, among others" { // so that a sample does not show them
			for i := range 2 * len(text) {
				s = append(s, strconv.Itoa(i*7919%1_000_003))
			}
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		}
		want := slices.Sorted(slices.Values(s))
		var before, after runtime.MemStats
		debug.FreeOSMemory() // stacks, too, that something else has left
		runtime.ReadMemStats(&before)
		par.Sort(s, par.On(p))
		runtime.ReadMemStats(&after)
		if !slices.Equal(s, want) {
			t.Errorf("F1: Sort of the suffixes of %d bytes, %s, does not sort", len(text), name)
		}
		const most = 2 << 20
		if grown := int64(after.StackSys) - int64(before.StackSys); grown > most {
			t.Errorf("Sort: Cost: Sort of the suffixes of %d bytes, %s, takes %d bytes of stack, want %d at most", len(text), name, grown, most)
		}
	}
}
