package par_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// patterns are inputs that pdqsort, which package slices has, has ways for, and some others.
var patterns = []struct {
	name string
	at   func(i, n int, r *rand.Rand) int
}{
	{"random", func(i, n int, r *rand.Rand) int { return r.Int() }},
	{"of 100 kinds", func(i, n int, r *rand.Rand) int { return r.IntN(100) }},
	{"of 300 kinds", func(i, n int, r *rand.Rand) int { return r.IntN(300) }},
	{"of two kinds in turn", func(i, n int, r *rand.Rand) int { return i % 2 }},
	{"of two kinds", func(i, n int, r *rand.Rand) int { return r.IntN(2) }},
	{"of one kind and a few", func(i, n int, r *rand.Rand) int { return r.IntN(n) * (1 - min(1, i%100)) }},
	{"equal", func(i, n int, r *rand.Rand) int { return 7 }},
	{"sorted", func(i, n int, r *rand.Rand) int { return i }},
	{"reverse", func(i, n int, r *rand.Rand) int { return -i }},
	{"organ pipe", func(i, n int, r *rand.Rand) int { return min(i, n-i) }},
	{"two halves", func(i, n int, r *rand.Rand) int { return i*2%n + i*2/n }},
	{"rotated", func(i, n int, r *rand.Rand) int { return (i + n/3) % n }},
	{"least last", func(i, n int, r *rand.Rand) int { return (i + 1) % n }},
	{"largest first", func(i, n int, r *rand.Rand) int { return (i + n - 1) % n }},
	{"a few appended", func(i, n int, r *rand.Rand) int {
		if i < n-n/100 {
			return i
		}
		return r.IntN(n)
	}},
	{"one in 100 elsewhere", func(i, n int, r *rand.Rand) int {
		if i%100 != 0 {
			return i
		}
		return r.IntN(n)
	}},
	{"saw", func(i, n int, r *rand.Rand) int { return i % 100 }},
	{"of many lengths", func(i, n int, r *rand.Rand) int { return int(r.Uint64() >> (1 + r.IntN(63))) }},
}

// cardsLike returns n cards in a pattern.
func cardsLike(pattern, n int) []card {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	s := make([]card, n)
	for i := range s {
		s[i] = card{patterns[pattern].at(i, n, r), i}
	}
	return s
}

// SortFunc does not compare much more often than slices.SortFunc does, whatever the input. That
// is what can be asked without a clock.
func TestSortFloor(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	for _, n := range []int{1000, 3000, 10_000, 50_000} {
		for i, pattern := range patterns {
			for order, by := range map[string]func(a, b card) int{"a field": byValue, "no field": byMixed} {
				from, calls := cardsLike(i, n), 0
				counted := func(a, b card) int { calls++; return by(a, b) }
				slices.SortFunc(slices.Clone(from), counted)
				most := calls*3/2 + 200
				got := slices.Clone(from)
				calls = 0
				par.SortFunc(got, counted, par.On(p))
				if !slices.Equal(got, stablySorted(from, by)) {
					t.Errorf("F1: SortFunc of %d elements by %s, %s, is not what a stable sort gives", n, order, pattern.name)
				}
				if calls > most {
					t.Errorf("SortFunc: SortFunc of %d elements by %s, %s: %d comparisons, want at most %d", n, order, pattern.name, calls, most)
				}
			}
		}
	}
}

// Patterns, and what is not quite one, are sorted stably by any number of workers.
func TestSortPatterns(t *testing.T) {
	type input struct {
		name                   string
		cards, byField, byNone []card
		numbers, inOrder       []int
		words, sorted          []string
	}
	var all []input
	for _, n := range []int{100, 1000, 5000, 40_000} {
		for i, pattern := range patterns {
			in := input{name: fmt.Sprintf("%d elements, %s", n, pattern.name), cards: cardsLike(i, n)}
			in.byField, in.byNone = stablySorted(in.cards, byValue), stablySorted(in.cards, byMixed)
			for _, c := range in.cards {
				in.numbers = append(in.numbers, c.value-n/2)
				in.words = append(in.words, wordOf(c))
			}
			in.inOrder, in.sorted = slices.Sorted(slices.Values(in.numbers)), slices.Sorted(slices.Values(in.words))
			all = append(all, in)
		}
	}
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, in := range all {
			if got := slices.Clone(in.cards); !slices.Equal(sortedBy(got, byValue, p), in.byField) {
				t.Errorf("F1: SortFunc by a field of %s, is not what a stable sort gives", in.name)
			}
			if got := slices.Clone(in.cards); !slices.Equal(sortedBy(got, byMixed, p), in.byNone) {
				t.Errorf("F1: SortFunc by no field of %s, is not what a stable sort gives", in.name)
			}
			numbers, words := slices.Clone(in.numbers), slices.Clone(in.words)
			if par.Sort(numbers, par.On(p)); !slices.Equal(numbers, in.inOrder) {
				t.Errorf("F1: Sort of integers, %s, does not sort", in.name)
			}
			if par.Sort(words, par.On(p)); !slices.Equal(words, in.sorted) {
				t.Errorf("F1: Sort of strings, %s, does not sort", in.name)
			}
		}
	})
}

func sortedBy(s []card, by func(a, b card) int, p *pool.Pool) []card {
	par.SortFunc(s, by, par.On(p))
	return s
}

// wordOf returns one of many strings that differ late, and in length.
func wordOf(c card) string { return fmt.Sprint(zs[:c.value&255], c.value%1000) }

var zs = strings.Repeat("z", 255)

// A comparison that panics leaves all elements also where runs are merged, and kinds are told.
func TestSortPatternPanics(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for i := range patterns {
			sortPanics(t, p, cardsLike(i, 600), 300, byValue)
			sortPanics(t, p, cardsLike(i, 600), 20, byMixed)
			sortPanics(t, p, cardsLike(i, 9000), 10, byMixed)
		}
	})
}

// BenchmarkSortFloor reports how many times as long as package slices a sort by one worker
// takes: the least times of both, which take turns.
func BenchmarkSortFloor(b *testing.B) {
	p := newPool(b, pool.WithWorkers(1))
	for _, n := range []int{1000, 3000, 10_000, 50_000} {
		for i, pattern := range patterns {
			from := cardsLike(i, n)
			numbers, words := make([]int, n), make([]string, n)
			for i, c := range from {
				numbers[i], words[i] = c.value, wordOf(c)
			}
			name := func(what string) string { return fmt.Sprintf("%s/%s/n=%d", what, pattern.name, n) }
			b.Run(name("Sort of integers"), func(b *testing.B) {
				benchFloor(b, numbers, slices.Sort, func(s []int) { par.Sort(s, par.On(p)) })
			})
			b.Run(name("Sort of strings"), func(b *testing.B) {
				benchFloor(b, words, slices.Sort, func(s []string) { par.Sort(s, par.On(p)) })
			})
			b.Run(name("SortFunc by a field"), func(b *testing.B) {
				benchFloor(b, from, func(s []card) { slices.SortFunc(s, byValue) }, func(s []card) { par.SortFunc(s, byValue, par.On(p)) })
			})
			b.Run(name("SortFunc by no field"), func(b *testing.B) {
				benchFloor(b, from, func(s []card) { slices.SortFunc(s, byMixed) }, func(s []card) { par.SortFunc(s, byMixed, par.On(p)) })
			})
			b.Run(name("SortFunc of strings"), func(b *testing.B) {
				benchFloor(b, words, func(s []string) { slices.SortFunc(s, cmp.Compare[string]) }, func(s []string) { par.SortFunc(s, cmp.Compare[string], par.On(p)) })
			})
		}
	}
}

func benchFloor[E any](b *testing.B, from []E, plain, sort func([]E)) {
	s := make([]E, len(from))
	least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i, f := range []func([]E){plain, sort} {
			copy(s, from)
			begun := time.Now()
			f(s)
			least[i] = min(least[i], time.Since(begun))
		}
	}
	b.ReportMetric(float64(least[1])/float64(least[0]), "of-slices")
}
