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

var sortInputs = []struct {
	name string
	make func(i, n int, r *rand.Rand) uint64
}{
	{"random", func(_, _ int, r *rand.Rand) uint64 { return r.Uint64() }},
	{"sorted", func(i, _ int, _ *rand.Rand) uint64 { return uint64(i) << 20 }},
	{"reverse", func(i, n int, _ *rand.Rand) uint64 { return uint64(n-i) << 20 }},
	{"few", func(_, _ int, r *rand.Rand) uint64 { return r.Uint64N(16) << 40 }},
	{"almost", func(i, n int, r *rand.Rand) uint64 {
		if r.IntN(100) == 0 {
			return r.Uint64N(uint64(n)) << 20
		}
		return uint64(i) << 20
	}},
	{"exponential", func(_, _ int, r *rand.Rand) uint64 { return r.Uint64() >> r.UintN(64) }},
}

func sortInput(all, n, which int) []int64 {
	r := rand.New(rand.NewPCG(1, 2))
	s := make([]int64, all)
	for i := range s {
		s[i] = int64(sortInputs[which].make(i%n, n, r))
	}
	return s
}

// benchSort sorts parts of from, n elements long: if it had few inputs, the processor would
// learn where their branches go.
func benchSort[E any](b *testing.B, from []E, n int, sort func([]E)) {
	parts := len(from) / n
	s, least := slices.Clone(from), time.Duration(math.MaxInt64)
	for b.Loop() {
		b.StopTimer()
		copy(s, from)
		b.StartTimer()
		begun := time.Now()
		for i := range parts {
			sort(s[i*n : (i+1)*n])
		}
		least = min(least, time.Since(begun))
	}
	b.ReportMetric(float64(least)/float64(parts*n), "least-ns/elem")
}

// benchSizes have enough elements to sort in parts.
func benchSizes(f func(n, all int)) {
	for _, n := range []int{10, 30, 100, 300, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
		f(n, max(n, 100_000/n*n))
	}
}

func BenchmarkSort(b *testing.B) {
	benchSizes(func(n, all int) {
		for which, in := range sortInputs {
			from := sortInput(all, n, which)
			b.Run(fmt.Sprintf("n=%d/input=%s/impl=slices", n, in.name), func(b *testing.B) { benchSort(b, from, n, slices.Sort[[]int64]) })
			for _, w := range []int{1, 2} {
				b.Run(fmt.Sprintf("n=%d/input=%s/impl=par/workers=%d", n, in.name, w), func(b *testing.B) {
					p := newPool(b, pool.WithWorkers(w))
					benchSort(b, from, n, func(s []int64) { par.Sort(s, par.On(p)) })
				})
			}
		}
	})
}

func BenchmarkSortFunc(b *testing.B) {
	benchSizes(func(n, all int) {
		for which, in := range sortInputs {
			from := make([]card, all)
			for i, a := range sortInput(all, n, which) {
				from[i] = card{int(a), i}
			}
			b.Run(fmt.Sprintf("n=%d/input=%s/impl=slices", n, in.name), func(b *testing.B) {
				benchSort(b, from, n, func(s []card) { slices.SortFunc(s, byValue) })
			})
			for _, w := range []int{1, 2} {
				p := newPool(b, pool.WithWorkers(w))
				b.Run(fmt.Sprintf("n=%d/input=%s/impl=par/workers=%d", n, in.name, w), func(b *testing.B) {
					benchSort(b, from, n, func(s []card) { par.SortFunc(s, byValue, par.On(p)) })
				})
				b.Run(fmt.Sprintf("n=%d/input=%s/impl=par_by_no_field/workers=%d", n, in.name, w), func(b *testing.B) {
					benchSort(b, from, n, func(s []card) {
						par.SortFunc(s, func(x, y card) int { return cmp.Compare(3*x.value, 3*y.value) }, par.On(p))
					})
				})
				b.Run(fmt.Sprintf("n=%d/input=%s/impl=SortKey/workers=%d", n, in.name, w), func(b *testing.B) {
					benchSort(b, from, n, func(s []card) { par.SortKey(s, func(x card) int { return x.value }, par.On(p)) })
				})
			}
		}
	})
}

func BenchmarkSortStrings(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{30, 1000, 100_000, 1_000_000} {
		from := make([]string, max(n, 100_000/n*n))
		for i := range from {
			var t [24]byte
			for j := range t {
				t[j] = byte('a' + r.IntN(26))
			}
			from[i] = string(t[:8+r.IntN(17)])
		}
		b.Run(fmt.Sprintf("n=%d/impl=slices", n), func(b *testing.B) { benchSort(b, from, n, slices.Sort[[]string]) })
		for _, w := range []int{1, 2} {
			p := newPool(b, pool.WithWorkers(w))
			b.Run(fmt.Sprintf("n=%d/impl=Sort/workers=%d", n, w), func(b *testing.B) {
				benchSort(b, from, n, func(s []string) { par.Sort(s, par.On(p)) })
			})
			b.Run(fmt.Sprintf("n=%d/impl=SortFunc/workers=%d", n, w), func(b *testing.B) {
				benchSort(b, from, n, func(s []string) { par.SortFunc(s, strings.Compare, par.On(p)) })
			})
		}
	}
}
