package work

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Any two sorted slices are merged, whatever their lengths, also if the values
// are few, so that many are equal and some steps at both ends meet in a run of
// them. A split merge is the same merge, with no part empty that could have been cut.
func TestMerge(t *testing.T) {
	const n = 16
	for i := range n * n * 6 {
		nx, ny, values := i%n, i/n%n, i/n/n
		r := rand.New(rand.NewPCG(uint64(nx), uint64(100*ny+values)))
		m := merging{sorted(nx, r, values), sorted(ny, r, values), make([]int64, nx+ny)}
		want := slices.Sorted(slices.Values(slices.Concat(m.x, m.y)))
		if m.merge(); !slices.Equal(m.out, want) {
			t.Fatalf("%d and %d merge to %d", m.x, m.y, m.out)
		}
		clear(m.out)
		first, second := m.halves()
		if n := len(m.out) / 4; len(first.out) < n || len(second.out) < n {
			t.Fatalf("%d and %d are split to %d and %d", m.x, m.y, len(first.out), len(second.out))
		}
		first.merge()
		second.merge()
		if !slices.Equal(m.out, want) {
			t.Fatalf("%d and %d merge to %d in two parts", m.x, m.y, m.out)
		}
	}
}

// sorted returns n random numbers out of that many values, or of all there are.
func sorted(n int, r *rand.Rand, values int) []int64 {
	a := make([]int64, n)
	for i := range a {
		if a[i] = int64(r.Uint64()); values > 0 {
			a[i] = r.Int64N(int64(values))
		}
	}
	slices.Sort(a)
	return a
}

// All shapes sort what slices.Sort sorts: lengths around the cut-offs, and
// inputs that need no, every or hardly any exchange.
func TestSorting(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	groups := func() Group { return new(sync.WaitGroup) }
	shapes := map[string]func(Sorting){
		"sequential": sortPlainly,
		"nested":     func(s Sorting) { nestedSort(groups, s) },
		"flat/1":     func(s Sorting) { SortFlat(groups, 1, s) },
		"flat/48":    func(s Sorting) { SortFlat(groups, 48, s) },
		"pool": func(s Sorting) {
			if _, err := pool.Run(t.Context(), p, forkSort, s); err != nil {
				t.Error(err)
			}
		},
	}
	r := rand.New(rand.NewPCG(1, 2))
	inputs := map[string]func(i, n int) int64{
		"random":   func(i, n int) int64 { return r.Int64() },
		"few":      func(i, n int) int64 { return r.Int64N(3) },
		"equal":    func(i, n int) int64 { return 7 },
		"sorted":   func(i, n int) int64 { return int64(i) },
		"reversed": func(i, n int) int64 { return int64(n - i) },
		"halves":   func(i, n int) int64 { return int64((i + n/2) % max(n, 1)) },
	}
	lengths := []int{0, 1, 2, 3, 47, sortCutoff, sortCutoff + 1, 2*sortCutoff + 1, 3*sortCutoff - 1, mergeCutoff + 1, 3*mergeCutoff + 5}
	for kind, value := range inputs {
		for _, n := range lengths {
			in := make([]int64, n)
			for i := range in {
				in[i] = value(i, n)
			}
			want := slices.Sorted(slices.Values(in))
			for shape, sorts := range shapes {
				t.Run(fmt.Sprintf("%s/%d/%s", kind, n, shape), func(t *testing.T) {
					s := SortingOf(slices.Clone(in))
					if sorts(s); !slices.Equal(s.Slice, want) {
						t.Error("not sorted, or other elements")
					}
				})
			}
		}
	}
}
