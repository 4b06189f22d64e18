package par_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

func TestMerge(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		lengths := []int{0, 1, 2, 5, 100, 2047, 2048, 2049, 10_000}
		for _, n := range lengths {
			for _, m := range lengths {
				for _, most := range []int{1, 3, 1_000_000} {
					a, b := shuffled(n, most, 5), shuffled(m, most, 6)
					for i := range b {
						b[i].place += n
					}
					slices.SortStableFunc(a, byValue)
					slices.SortStableFunc(b, byValue)
					want := slices.Concat(a, b)
					slices.SortStableFunc(want, byValue)
					if got := par.MergeFunc(a, b, byValue, par.On(p)); !slices.Equal(got, want) || cap(got) != n+m {
						t.Fatalf("F1: MergeFunc of %d and %d elements below %d is not what a stable sort gives", n, m, most)
					}
				}
			}
		}
	})
	if got := par.Merge([]int{1, 3}, []int{2, 3, 4}); !slices.Equal(got, []int{1, 2, 3, 3, 4}) {
		t.Errorf("F1: Merge: %v", got)
	}
}

// One element is less than the one before, wherever it is.
func TestIsSortedAnywhere(t *testing.T) {
	const n = par.OrderedAlone + 100
	p := newPool(t, pool.WithWorkers(2))
	s := indices(n)
	for i := 1; i < n; i++ {
		s[i-1], s[i] = i, i-1
		if par.IsSorted(s, par.On(p)) {
			t.Errorf("F1: IsSorted of %d elements of which %d is less than the one before is true", n, i)
		}
		if par.IsSortedFunc(s, cmp.Compare, par.On(p)) {
			t.Errorf("F1: IsSortedFunc of %d elements of which %d is less than the one before is true", n, i)
		}
		s[i-1], s[i] = i-1, i
	}
}

// Nth is what a stable sort has there, and TopK how one in descending order begins.
func TestSelect(t *testing.T) {
	t.Parallel()
	falling := func(a, b card) int { return byValue(b, a) }
	onPools(t, func(t *testing.T, p *pool.Pool) {
		onShapes(t, func(what string, ns []int, r *rand.Rand) {
			from, n := cardsOf(ns), len(ns)
			want, top := stablySorted(from, byValue), stablySorted(from, falling)
			for _, k := range []int{0, 1, 2, 100, n / 9, n / 7, n / 3, r.IntN(n + 1), n - 1, n, n + 1, math.MaxInt} {
				if k < 0 {
					continue
				}
				if got := par.TopKFunc(from, k, byValue, par.On(p)); !slices.Equal(got, top[:min(k, n)]) || cap(got) != len(got) {
					t.Fatalf("F1: TopKFunc(%d) of %s is not how a stable sort begins", k, what)
				}
				if k >= n {
					continue
				}
				if got := par.NthFunc(from, k, byValue, par.On(p)); got != want[k] {
					t.Fatalf("F1: NthFunc(%d) of %s is %v, want %v", k, what, got, want[k])
				}
			}
			if !slices.Equal(from, cardsOf(ns)) {
				t.Fatalf("F1: NthFunc or TopKFunc of %s changes it", what)
			}
		})
	})
	words := []string{"c", "a", "b"}
	if nth, top := par.Nth(words, 1), par.TopK(words, 2); nth != "b" || !slices.Equal(top, []string{"c", "b"}) {
		t.Errorf("F1: Nth: %v, TopK: %v", nth, top)
	}
}

func TestCompact(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		onShapes(t, func(what string, ns []int, r *rand.Rand) {
			want := slices.Compact(slices.Clone(ns))
			if got := par.Compact(ns, par.On(p)); !slices.Equal(got, want) || cap(got) != len(got) {
				t.Fatalf("F1: Compact of %s: %d elements, want %d", what, len(got), len(want))
			}
			eq := func(a, b int) bool { return a/3 == b/3 || a < b }
			want = slices.CompactFunc(slices.Clone(ns), eq)
			if got := par.CompactFunc(ns, eq, par.On(p)); !slices.Equal(got, want) || cap(got) != len(got) {
				t.Fatalf("F1: CompactFunc of %s: %d elements, want %d", what, len(got), len(want))
			}
		})
	})
}
