package par_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	{"of three kinds far apart", func(i, n int, r *rand.Rand) int { return []int{-7 << 24, 5, 9 << 27}[r.IntN(3)] }},
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
	// No way was made for one of these.
	{"around zero", func(i, n int, r *rand.Rand) int { return int(r.NormFloat64() * float64(n)) }},
	{"killer of quicksorts", func(i, n int, r *rand.Rand) int { return killerOf(n)[i] }},
	{"of one kind and some", func(i, n int, r *rand.Rand) int { return r.IntN(n) * (1 - min(1, r.IntN(30))) }},
	{"of one kind and many", func(i, n int, r *rand.Rand) int { return n/2 + (r.IntN(n)-n/2)*(1-min(1, r.IntN(10))) }},
	{"of sixteen kinds", func(i, n int, r *rand.Rand) int { return r.IntN(16) << (strconv.IntSize - 24) }},
	{"in steps down", func(i, n int, r *rand.Rand) int { return (n - i) / 3 }},
	{"ten largest first", func(i, n int, r *rand.Rand) int { return (i + n - 10) % n }},
	{"a few swapped", func(i, n int, r *rand.Rand) int { return swapped(i, n, n/10) }},
	{"thirty swapped", func(i, n int, r *rand.Rand) int { return swapped(i, n, n/60) }},
	{"one in 100 swapped", func(i, n int, r *rand.Rand) int { return swapped(i, n, 100) }},
	{"one in 20 swapped", func(i, n int, r *rand.Rand) int { return swapped(i, n, 20) }},
	{"reverse, a few swapped", func(i, n int, r *rand.Rand) int { return -swapped(i, n, n/6) }},
	{"each within ten", func(i, n int, r *rand.Rand) int { return i + r.IntN(10) }},
	{"twenty sorted blocks", func(i, n int, r *rand.Rand) int { return i%(n/20)*20 + i/(n/20) }},
	{"sorted, then random", func(i, n int, r *rand.Rand) int { return i + min(1, i*2/n)*(r.IntN(n)-i) }},
	{"random, then sorted", func(i, n int, r *rand.Rand) int { return i + (1-min(1, i*2/n))*(r.IntN(n)-i) }},
	{"organ pipes", func(i, n int, r *rand.Rand) int { return min(i%(n/5), n/5-i%(n/5)) }},
	{"flat organ pipe", func(i, n int, r *rand.Rand) int { return min(i, n-i) / 10 }},
}

// swapped is i, but for some indices, which have changed places.
func swapped(i, n, every int) int {
	if min(i, n-1-i)%every == every/2 {
		return n - 1 - i
	}
	return i
}

// killerOf returns what McIlroy's adversary has slices.SortFunc sort ("A killer adversary for
// quicksort", 1999).
func killerOf(n int) []int {
	if killers[n] == nil {
		a := newAdversary(n)
		slices.SortFunc(indices(n), a.compare)
		killers[n] = a.value
	}
	return killers[n]
}

var killers = map[int][]int{}

// cardsLike returns n cards in a pattern: others for each seed, if the pattern is random.
func cardsLike(pattern, n int, seed uint64) []card {
	r := rand.New(rand.NewPCG(1+seed, uint64(n)))
	s := make([]card, n)
	for i := range s {
		s[i] = card{patterns[pattern].at(i, n, r), i}
	}
	return s
}

// A floorInput is a kind of inputs of a sort, which is held against that of package slices.
type floorInput struct {
	name  string
	bench func(b *testing.B, p *pool.Pool)
	// check is for sorts that compare. It returns what is wrong.
	check func(p *pool.Pool) (wrong string)
}

// like returns n elements of a kind, others for each seed.
type like[E any] func(n int, seed uint64) []E

func inputOfSort[E cmp.Ordered](name string, n int, from like[E]) floorInput {
	return floorInput{name: fmt.Sprintf("%s/n=%d", name, n), bench: func(b *testing.B, p *pool.Pool) {
		benchFloor(b, n, from, slices.Sort, func(s []E) { par.Sort(s, par.On(p)) })
	}}
}

func inputOfSortFunc[E comparable](name string, n int, from like[E], by func(a, b E) int) floorInput {
	name = fmt.Sprintf("%s/n=%d", name, n)
	return floorInput{
		name: name,
		bench: func(b *testing.B, p *pool.Pool) {
			benchFloor(b, n, from, func(s []E) { slices.SortFunc(s, by) }, func(s []E) { par.SortFunc(s, by, par.On(p)) })
		},
		check: func(p *pool.Pool) (wrong string) {
			from, calls := from(n, 0), 0
			counted := func(a, b E) int { calls++; return by(a, b) }
			slices.SortFunc(slices.Clone(from), counted)
			most := calls*3/2 + 200
			got := slices.Clone(from)
			calls = 0
			par.SortFunc(got, counted, par.On(p))
			if calls > most {
				wrong = fmt.Sprintf("%s: %d comparisons, want at most %d", name, calls, most)
			}
			if !slices.Equal(got, stablySorted(from, by)) {
				wrong = fmt.Sprintf("%s is not what a stable sort gives", name)
			}
			return wrong
		},
	}
}

// floorInputs are n elements each, in patterns, and some as programs have them.
func floorInputs(n int) (all []floorInput) {
	add := func(in floorInput) { all = append(all, in) }
	for i, pattern := range patterns {
		cards := func(n int, seed uint64) []card { return cardsLike(i, n, seed) }
		others := func(n int, seed uint64) []card { // a pattern need not be random
			s := cards(n, seed)
			for i := range s {
				s[i].value += int(seed) * 7919
			}
			return s
		}
		words := func(n int, seed uint64) []string {
			return mapped(others(n, seed), func(c card) string { return strings.Clone(wordOf(c)) }) // or a benchmark would read little memory
		}
		add(inputOfSort("Sort of integers/"+pattern.name, n, func(n int, seed uint64) []int {
			return mapped(cards(n, seed), func(c card) int { return c.value })
		}))
		add(inputOfSort("Sort of strings/"+pattern.name, n, words))
		add(inputOfSortFunc("SortFunc by a field/"+pattern.name, n, cards, byValue))
		add(inputOfSortFunc("SortFunc by no field/"+pattern.name, n, others, byMixed))
		add(inputOfSortFunc("SortFunc of strings/"+pattern.name, n, words, cmp.Compare[string]))
	}
	urls := randomly(func(i int, r *rand.Rand) string {
		return fmt.Sprintf("https://example.org/articles/%d/%x", 2000+r.IntN(25), r.Uint32())
	})
	paths := randomly(func(i int, r *rand.Rand) string {
		return fmt.Sprintf("/usr/share/doc/lib%c%c-%d/%s", 'a'+r.IntN(26), 'a'+r.IntN(4), r.IntN(3),
			[...]string{"copyright", "changelog.gz", "README", "examples/main.go", "examples/go.mod"}[r.IntN(5)])
	})
	large := func(n int, seed uint64) []row { return rows(n, rand.New(rand.NewPCG(seed, 0))) }
	add(inputOfSort("Sort of floats/normal", n, randomly(func(i int, r *rand.Rand) float64 { return r.NormFloat64() })))
	add(inputOfSort("Sort of floats/with NaN", n, randomly(func(i int, r *rand.Rand) float64 {
		if r.IntN(10) == 0 {
			return math.NaN()
		}
		return float64(r.IntN(n) - n/2)
	})))
	add(inputOfSort("Sort of strings/URLs", n, urls))
	add(inputOfSort("Sort of strings/paths", n, paths))
	add(inputOfSort("Sort of strings/dates", n, randomly(func(i int, r *rand.Rand) string {
		return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02dZ", 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60))
	})))
	add(inputOfSort("Sort of strings/sixteen short ones", n, randomly(func(i int, r *rand.Rand) string {
		return fmt.Sprint(r.IntN(16))
	})))
	for name, text := range map[string]string{
		"one letter": "a", "two letters": "ab", "a sentence": "the quick brown fox jumped over the lazy dog. ",
	} {
		of := func(n int, seed uint64) []string {
			repeated := strings.Repeat(text, n/len(text)+2)
			return suffixes(repeated[seed%uint64(len(text)):][:n])
		}
		add(inputOfSort("Sort of strings/suffixes of "+name, n, of))
		add(inputOfSortFunc("SortFunc of strings/suffixes of "+name, n, of, strings.Compare))
	}
	add(inputOfSortFunc("SortFunc of strings/URLs", n, urls, strings.Compare))
	add(inputOfSortFunc("SortFunc of strings/paths", n, paths, strings.Compare))
	add(inputOfSortFunc("SortFunc of pointers/random", n, randomly(func(i int, r *rand.Rand) *card {
		return &card{r.Int(), i}
	}), func(a, b *card) int { return cmp.Compare(a.value, b.value) }))
	add(inputOfSortFunc("SortFunc of large ones/by a field", n, large, by(func(x row) uint64 { return x.uint64 })))
	add(inputOfSortFunc("SortFunc of large ones/by no field", n, large, func(a, b row) int { return byMixed(card{int(a.int), a.place}, card{int(b.int), b.place}) }))
	rank := rand.New(rand.NewPCG(3, 3)).Perm(16)
	add(inputOfSortFunc("SortFunc by a table/sixteen kinds", n, randomly(func(i int, r *rand.Rand) card {
		return card{r.IntN(16), i}
	}), func(a, b card) int { return cmp.Compare(rank[a.value], rank[b.value]) }))
	return all
}

// randomly are elements that an element of each index and random numbers give.
func randomly[E any](at func(i int, r *rand.Rand) E) like[E] {
	return func(n int, seed uint64) []E {
		r, s := rand.New(rand.NewPCG(7+seed, uint64(n))), make([]E, n)
		for i := range s {
			s[i] = at(i, r)
		}
		return s
	}
}

func mapped[E, F any](s []E, f func(E) F) []F {
	to := make([]F, len(s))
	for i, x := range s {
		to[i] = f(x)
	}
	return to
}

// SortFunc does not compare much more often than slices.SortFunc does, whatever the input. That
// is what can be asked without a clock.
func TestSortFloor(t *testing.T) {
	t.Parallel()
	p := newPool(t, pool.WithWorkers(1))
	for _, n := range []int{1000, 3000, 10_000, 33_000} {
		for _, in := range floorInputs(n) {
			// What begins above 10,000 elements, at kindsShort, does not depend on their type: cards
			// show it. Strings would take half of the time of this test: to compare two suffixes
			// reads both.
			if in.check == nil || n > 10_000 && strings.HasPrefix(in.name, "SortFunc of strings/") {
				continue
			}
			if wrong := in.check(p); wrong != "" {
				t.Errorf("SortFunc: %s", wrong)
			}
		}
	}
}

// Elements that ascend but for some, among which many are equal, keep the order of these: strays
// that are too high, too low, and some of both.
func TestSortStrays(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		n, kinds, every := 512+r.IntN(200), 1+r.IntN(300), 9+r.IntN(60)
		s := make([]card, n)
		for i := range s {
			s[i] = card{i * kinds / n, i}
			if r.IntN(every) == 0 {
				s[i].value += (1 + r.IntN(1+kinds/4)) * (r.IntN(2)*2 - 1)
			}
		}
		sortPanics(t, p, s, 3, byValue)
		if got := slices.Clone(s); !isStable(s, sortedBy(got, byValue, p), byValue) {
			t.Fatalf("F1: SortFunc of %d elements of %d kinds in order, but for one in %d, is not what a stable sort gives", n, kinds, every)
		}
	}
}

// What ascends but for one in a hundred, or is of one kind but for one in ten, or of two kinds,
// takes few comparisons.
func TestSortStraysComparisons(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	const n = 2000 // more would be sorted by a field
	for name, c := range map[string]struct {
		value func(i int, r *rand.Rand) int
		most  int
	}{
		"but for one in 100": {func(i int, r *rand.Rand) int { return i + (1-min(1, i%100))*(r.IntN(n)-i) }, 2 * n},
		"largest first":      {func(i int, r *rand.Rand) int { return (i + n - 3) % n }, n + 200},
		"of one kind":        {func(i int, r *rand.Rand) int { return r.IntN(n) * (1 - min(1, r.IntN(10))) }, 2 * n},
		"of two kinds":       {func(i int, r *rand.Rand) int { return r.IntN(2) }, 2 * n},
		"in steps down":      {func(i int, r *rand.Rand) int { return (n - i) / 3 }, 3 * n / 2},
	} {
		r, calls := rand.New(rand.NewPCG(1, 2)), 0
		s := make([]card, n)
		for i := range s {
			s[i] = card{c.value(i, r), i}
		}
		par.SortFunc(s, func(a, b card) int { calls++; return byValue(a, b) }, par.On(p))
		if calls > c.most {
			t.Errorf("SortFunc: SortFunc of %d elements, %s: %d comparisons, want %d at most", n, name, calls, c.most)
		}
	}
}

// Elements with pointers are compared with a few, where a merge would compare all with all.
func TestSortOfPointersByKinds(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	for _, n := range []int{5000, 20_000} {
		s, calls := make([]*card, n), make([]int, n)
		for i, c := range shuffled(n, math.MaxInt, 1) {
			s[i] = &card{c.value, i}
		}
		par.SortFunc(s, func(a, b *card) int {
			calls[a.place]++
			calls[b.place]++
			return cmp.Compare(a.value, b.value)
		}, par.On(p))
		slices.Sort(calls)
		sum := 0
		for _, c := range calls[n-63:] {
			sum += c
		}
		if sum < 4*n {
			t.Errorf("SortFunc: SortFunc of %d pointers: 63 of them are in %d comparisons, want at least %d", n, sum, 4*n)
		}
	}
}

// Strings that part late are compared, and no keys made for them.
func TestSortStringsThatPartLate(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	from := make([]string, 2000)
	for i := range from {
		from[i] = wordOf(card{value: i * 7919})
	}
	s := slices.Clone(from)
	if got := testing.AllocsPerRun(20, func() { copy(s, from); par.Sort(s, par.On(p)) }); got > 2 {
		t.Errorf("Sort: Cost: Sort of %d strings that part late allocates %v times, want 2 at most", len(s), got)
	}
}

// Patterns, and what is not quite one, are sorted stably by any number of workers.
func TestSortPatterns(t *testing.T) {
	t.Parallel()
	type input struct {
		name             string
		cards            []card
		numbers, inOrder []int
		words, sorted    []string
	}
	var all []input
	for _, n := range []int{100, 1000, 5000, 40_000} {
		for i, pattern := range patterns {
			in := input{name: fmt.Sprintf("%d elements, %s", n, pattern.name), cards: cardsLike(i, n, 0)}
			for _, c := range in.cards {
				in.numbers = append(in.numbers, c.value-n/2)
				in.words = append(in.words, wordOf(c))
			}
			in.inOrder, in.sorted = slices.Sorted(slices.Values(in.numbers)), slices.Sorted(slices.Values(in.words))
			all = append(all, in)
		}
	}
	pools := 0
	onPools(t, func(t *testing.T, p *pool.Pool) {
		pools++
		for i, in := range all {
			if len(in.cards) > 5000 && i%4 != pools%4 {
				continue // each long one on one of the pools
			}
			if got := slices.Clone(in.cards); !isStable(in.cards, sortedBy(got, byValue, p), byValue) {
				t.Errorf("F1: SortFunc by a field of %s, is not what a stable sort gives", in.name)
			}
			if got := slices.Clone(in.cards); !isStable(in.cards, sortedBy(got, byMixed, p), byMixed) {
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

// wordOf returns one of many strings that differ late, and in length. Equal ones share their bytes.
func wordOf(c card) string {
	all := manyWords()
	i := c.value % len(all.positive)
	if i < 0 {
		return all.negative[-i]
	}
	return all.positive[i]
}

// manyWords are those of all values: to make one for each of a million cards took much of a
// test. The number of z has 256 values, and what follows them 1000.
var manyWords = sync.OnceValue(func() (all struct{ positive, negative []string }) {
	zs := strings.Repeat("z", 255)
	for i := range 256 * 125 {
		all.positive = append(all.positive, fmt.Sprint(zs[:i&255], i%1000))
		all.negative = append(all.negative, fmt.Sprint(zs[:-i&255], -i%1000))
	}
	return all
})

// A comparison that panics leaves all elements also where runs are merged, and kinds are told.
func TestSortPatternPanics(t *testing.T) {
	t.Parallel()
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for i := range patterns {
			sortPanics(t, p, cardsLike(i, 600, 0), 100, byValue)
			sortPanics(t, p, cardsLike(i, 600, 0), 20, byMixed)
			sortPanics(t, p, cardsLike(i, 9000, 0), 5, byMixed)
		}
	})
}

// BenchmarkSortFloor reports how many times as long as package slices a sort takes to sort 100,000
// elements in parts, or one part that is larger. Both take turns at each part, and of the times of each
// part the lower tenth counts.
func BenchmarkSortFloor(b *testing.B) {
	for _, n := range []int{1000, 10_000, 1_000_000} {
		for _, in := range floorInputs(n) {
			for _, workers := range []int{1, 2} {
				p := newPool(b, pool.WithWorkers(workers))
				b.Run(fmt.Sprintf("%s/workers=%d", in.name, workers), func(b *testing.B) { in.bench(b, p) })
			}
		}
	}
}

// benchFloor sorts inputs that differ: if it had few, the processor would learn where their
// branches go.
func benchFloor[E any](b *testing.B, n int, from like[E], plain, sort func([]E)) {
	parts := make([][]E, max(1, 100_000/n))
	for i := range parts {
		parts[i] = from(n, uint64(i))
	}
	s := make([]E, n)
	took := [2][][]time.Duration{make([][]time.Duration, len(parts)), make([][]time.Duration, len(parts))}
	for b.Loop() {
		for part, from := range parts {
			for i, f := range []func([]E){plain, sort} {
				copy(s, from)
				begun := time.Now()
				f(s)
				took[i][part] = append(took[i][part], time.Since(begun))
			}
		}
	}
	var sum [2]float64
	for i, parts := range took {
		for _, all := range parts {
			slices.Sort(all)
			sum[i] += float64(all[len(all)/10])
		}
	}
	b.ReportMetric(sum[0]/float64(n*len(parts)), "slices-ns/elem")
	b.ReportMetric(sum[1]/sum[0], "of-slices")
	b.ReportMetric(0, "ns/op")
}
