package par_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A member is an element of a group: what it is in, and where it was.
type member struct{ key, index int }

// members returns n elements with so many keys.
func members(n, keys int) []member {
	r := rand.New(rand.NewPCG(1, 2))
	s := make([]member, n)
	for i := range s {
		s[i] = member{r.IntN(keys), i}
	}
	return s
}

func (m member) in() int { return m.key }

// What a key has is what a plain loop gives, in order.
func TestGroups(t *testing.T) {
	t.Parallel()
	onPools(t, func(t *testing.T, p *pool.Pool) {
		on := par.On(p)
		// Around those of the blocks and parts.
		for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 2047, 2048, 2049, 16_383, 16_384, 16_385, 40_000} {
			// Below 0, there are few keys in the first half.
			for _, keys := range []int{1, 3, 300, 1000, -1 << 30, 1 << 30} {
				s := members(n, max(keys, -keys))
				if keys < 0 {
					for i := range s[:n/2] {
						s[i].key %= 7
					}
				}
				want, indices := make(map[int][]member), make(map[int][]int)
				for _, m := range s {
					want[m.key], indices[m.key] = append(want[m.key], m), append(indices[m.key], m.index)
				}
				var calls atomic.Int64
				got := par.GroupBy(s, func(m member) int {
					if calls.Add(1)%1000 == 0 {
						spin(100 * time.Microsecond)
					}
					return m.key
				}, on)
				if !maps.EqualFunc(got, want, slices.Equal[[]member]) || got == nil || calls.Load() != int64(n) {
					t.Fatalf("F1: GroupBy of %d elements by %d keys has %d groups, want %d; key was called %d times", n, keys, len(got), len(want), calls.Load())
				}
				for _, group := range got {
					if cap(group) != len(group) {
						t.Fatalf("F1: GroupBy: a group of %d has room for %d, of the next one", len(group), cap(group))
					}
				}
				folded := par.FoldBy(s, member.in, func() []int { return nil },
					func(a []int, m member) []int { return append(a, m.index) },
					func(a, b []int) []int { return append(a, b...) }, on)
				if keys > 0 && keys <= 1000 {
					counts := slices.Repeat([]int{7}, keys)
					par.CountInto(counts, s, member.in, on)
					for key, n := range counts {
						if n != len(want[key]) {
							t.Fatalf("F1: CountInto of %d elements by %d keys counts %d of one, want %d", len(s), keys, n, len(want[key]))
						}
					}
				}
				if !maps.EqualFunc(folded, indices, slices.Equal[[]int]) {
					t.Fatalf("F1: FoldBy of %d elements by %d keys: %d keys, want %d, or others", n, keys, len(folded), len(want))
				}
			}
		}
	})
	if got := par.GroupBy([]float64{1, math.NaN(), 1, math.NaN()}, func(x float64) float64 { return x }); len(got) != 3 || len(got[1]) != 2 {
		t.Errorf("F1: GroupBy with two NaNs: %v", got)
	}
}

// Which of several keys fails first depends on the elements alone, not on the hashes of this call.
func TestFoldByFails(t *testing.T) {
	s := indices(40_000)
	fails := func(at int, v any) {
		if at > 10 {
			panic(v)
		}
	}
	want := map[string]any{"add": 0, "add, by keys that come late": 4101, "merge": 2}
	for name, f := range map[string]func(){
		"add": func() {
			par.FoldBy(s, func(i int) int { return i % 9000 }, zero, func(_, i int) int { fails(i, i%9000); return 0 }, add)
		},
		// The first block has one key, and in the second one keys are numbered before there are too many.
		"add, by keys that come late": func() {
			par.FoldBy(s, func(i int) int { return max(i, 4096) }, zero, func(_, i int) int { fails(i-4090, i); return 0 }, add, par.On(closedPool(t)))
		},
		"merge": func() {
			par.FoldBy(s, func(i int) int { return i % 9 }, func() int { return -1 },
				func(_, i int) int { return i % 9 }, func(a, _ int) int { fails(a+9, a); return a })
		},
	} {
		for range 20 {
			if v := caught(f); v != want[name] {
				t.Fatalf("F2: %s panics for most keys with its key, and FoldBy panics with %v, want %v", name, v, want[name])
			}
		}
	}
}

// Of the parts of a key the first one counts that fails, whichever fails first.
func TestFoldByFailsInPart(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		v := caught(func() {
			par.FoldBy(indices(31), func(int) bool { return true }, zero, func(_, i int) int {
				time.Sleep(time.Duration(31-i) * time.Millisecond)
				panic(i)
			}, add, par.On(p))
		})
		if v != 0 {
			t.Errorf("F2: all parts of a key panic with their number, the last ones first, and FoldBy panics with %v, want 0", v)
		}
	})
}

// Of elements without a bucket the first one counts.
func TestCountInto(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		s := members(100_000, 100)
		for _, bad := range []int{-1, 100, math.MinInt} {
			v := caught(func() {
				par.CountInto(make([]int, 100), s, func(m member) int {
					if m.index == 70_000 || m.index > 80_000 {
						return bad
					}
					return m.key
				}, par.On(p))
			})
			if want := fmt.Sprintf("par: CountInto of element 70000 into bucket %d, of 100 buckets", bad); v != want {
				t.Errorf("F1: panic %v, want %s", v, want)
			}
		}
	})
}
