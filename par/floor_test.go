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

// patterns are inputs that pdqsort, which package slices has, is quick with, and some others: most of
// those of Bentley and McIlroy ("Engineering a sort function", 1993).
var patterns = []pattern{
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
	{"twenty sorted blocks", func(i, n int, r *rand.Rand) int { return i%max(1, n/20)*20 + i/max(1, n/20) }},
	{"sorted, then random", func(i, n int, r *rand.Rand) int { return i + min(1, i*2/n)*(r.IntN(n)-i) }},
	{"random, then sorted", func(i, n int, r *rand.Rand) int { return i + (1-min(1, i*2/n))*(r.IntN(n)-i) }},
	{"organ pipes", func(i, n int, r *rand.Rand) int { return min(i%max(1, n/5), n/5-i%max(1, n/5)) }},
	{"of sixteen kinds, then sorted", func(i, n int, r *rand.Rand) int { return (r.IntN(16)-n)*(1-min(1, i*4/n)) + i*min(1, i*4/n) }},
	{"neighbours swapped", func(i, n int, r *rand.Rand) int { return i ^ 1 }},
	{"stagger", func(i, n int, r *rand.Rand) int { return i * (n/3 + 1) % n }},
	{"plateau", func(i, n int, r *rand.Rand) int { return min(i, n/7) }},
	{"shuffle", func(i, n int, r *rand.Rand) int { return i/2 + i%2*(n/2)*r.IntN(2) }},
	{"flat organ pipe", func(i, n int, r *rand.Rand) int { return min(i, n-i) / 10 }},
}

// swapped is i, but for some indices, which have changed places.
func swapped(i, n, every int) int {
	if every > 0 && min(i, n-1-i)%every == every/2 {
		return n - 1 - i
	}
	return i
}

type pattern struct {
	name string
	at   func(i, n int, r *rand.Rand) int
}

// killerOf returns what McIlroy's adversary has slices.SortFunc sort ("A killer adversary for
// quicksort", 1999).
func killerOf(n int) []int {
	of, ok := killers.Load(n)
	if !ok { // tests are parallel, and may make it twice
		a := newAdversary(n)
		slices.SortFunc(indices(n), a.compare)
		of, _ = killers.LoadOrStore(n, a.value)
	}
	return of.([]int)
}

var killers sync.Map

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

func inputOfSortFunc[E any](name string, n int, from like[E], by func(a, b E) int) floorInput {
	return inputOfComparing(name, n, from, by, slices.SortFunc, par.SortFunc[[]E])
}

func inputOfComparing[E any](name string, n int, from like[E], by func(a, b E) int, plain func([]E, func(a, b E) int), sort func([]E, func(a, b E) int, ...par.Option)) floorInput {
	name = fmt.Sprintf("%s/n=%d", name, n)
	return floorInput{
		name: name,
		bench: func(b *testing.B, p *pool.Pool) {
			benchFloor(b, n, from, func(s []E) { plain(s, by) }, func(s []E) { sort(s, by, par.On(p)) })
		},
		check: func(p *pool.Pool) (wrong string) {
			from, calls := from(n, 0), 0
			counted := func(a, b E) int { calls++; return by(a, b) }
			plain(slices.Clone(from), counted)
			most := calls*3/2 + n/2 // to look whether all are in order is one for each
			calls = 0
			if sort(from, counted, par.On(p)); calls > most {
				wrong = fmt.Sprintf("%s: %d comparisons, want at most %d", name, calls, most)
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
		add(inputOfComparing("SortStableFunc by a field/"+pattern.name, n, cards, byValue, slices.SortStableFunc, par.SortStableFunc[[]card]))
		add(inputOfComparing("SortStableFunc by no field/"+pattern.name, n, others, byMixed, slices.SortStableFunc, par.SortStableFunc[[]card]))
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
	add(inputOfSortFunc("SortFunc of pointers/random", n, randomly(func(i int, r *rand.Rand) *card {
		return &card{r.Int(), i}
	}), func(a, b *card) int { return cmp.Compare(a.value, b.value) }))
	add(inputOfSortFunc("SortFunc of pointers/a few swapped", n, func(n int, seed uint64) []*card {
		return mapped(cardsLike(slices.IndexFunc(patterns, func(p pattern) bool { return p.name == "a few swapped" }), n, seed), func(c card) *card { return &c })
	}, func(a, b *card) int { return cmp.Compare(a.value, b.value) }))
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

// No sort compares much more often than that of package slices, whatever the input. That is what can
// be asked without a clock.
func TestSortFloor(t *testing.T) {
	t.Parallel()
	p := newPool(t, pool.WithWorkers(1))
	for _, n := range inFull([]int{1000, 5000}, 3000, 10_000, 40_000) {
		for _, in := range floorInputs(n) {
			// Strings would take half of the time of this test: to compare two suffixes reads both.
			if in.check == nil || n > 10_000 && strings.HasPrefix(in.name, "SortFunc of strings/") {
				continue
			}
			if wrong := in.check(p); wrong != "" {
				t.Errorf("SortFunc: %s", wrong)
			}
		}
	}
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
