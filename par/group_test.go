package par_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// lengths are some around those of the blocks and parts.
var groupLengths = []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 2047, 2048, 2049, 16_383, 16_384, 16_385, 100_000}

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

// Groups are those of a plain loop, in order.
func TestGroupBy(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range groupLengths {
			for _, keys := range []int{1, 3, 300, 1 << 30} {
				s := members(n, keys)
				want := make(map[int][]member)
				for _, m := range s {
					want[m.key] = append(want[m.key], m)
				}
				var calls atomic.Int64
				got := par.GroupBy(s, func(m member) int {
					if calls.Add(1)%1000 == 0 {
						spin(100 * time.Microsecond)
					}
					return m.key
				}, par.On(p))
				if !maps.EqualFunc(got, want, slices.Equal[[]member]) || got == nil || calls.Load() != int64(n) {
					t.Fatalf("GroupBy of %d elements by %d keys has %d groups, want %d; key was called %d times", n, keys, len(got), len(want), calls.Load())
				}
				for _, group := range got {
					if cap(group) != len(group) {
						t.Fatalf("GroupBy: a group of %d has room for %d, of the next one", len(group), cap(group))
					}
				}
			}
		}
	})
	if got := par.GroupBy([]float64{1, math.NaN(), 1, math.NaN()}, func(x float64) float64 { return x }); len(got) != 3 || len(got[1]) != 2 {
		t.Errorf("GroupBy with two NaNs: %v", got)
	}
}

// What a key's elements are folded to depends on them alone, to the last bit, and is in
// their order.
func TestFoldBy(t *testing.T) {
	var sums map[int]uint64 // of the first pool
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range groupLengths {
			for _, keys := range []int{1, 3, 300, 1 << 30} {
				s := members(n, keys)
				got := par.FoldBy(s, member.in, func() []int { return nil },
					func(a []int, m member) []int { return append(a, m.index) },
					func(a, b []int) []int { return append(a, b...) }, par.On(p))
				want := make(map[int][]int)
				for _, m := range s {
					want[m.key] = append(want[m.key], m.index)
				}
				if !maps.EqualFunc(got, want, slices.Equal[[]int]) {
					t.Fatalf("FoldBy of %d elements by %d keys: %d keys, want %d, or others", n, keys, len(got), len(want))
				}
			}
		}
		s := members(1_000_000, 3)
		got := make(map[int]uint64)
		for k, sum := range par.FoldBy(s, member.in, func() float64 { return 0.1 },
			func(a float64, m member) float64 { return a + 1/float64(1+m.index) },
			func(a, b float64) float64 { return a + b }, par.On(p)) {
			got[k] = math.Float64bits(sum)
		}
		if sums == nil {
			sums = got
		}
		if !maps.Equal(got, sums) {
			t.Errorf("FoldBy: sums of floats are %v on this pool, and were %v", got, sums)
		}
	})
}

func TestCountInto(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range []int{0, 1, 100, 10_000, 300_000} {
			for _, buckets := range []int{1, 2, 256, 100_000} {
				s := members(n, buckets)
				want := make([]int, buckets)
				for _, m := range s {
					want[m.key]++
				}
				got := slices.Repeat([]int{7}, buckets)
				par.CountInto(got, s, member.in, par.On(p))
				if !slices.Equal(got, want) {
					t.Fatalf("F1: CountInto of %d elements into %d buckets is wrong", n, buckets)
				}
			}
		}
		s := members(100_000, 100)
		one := make([]int, 1)
		par.CountInto(one, s, func(m member) int {
			if m.index%100 == 0 {
				spin(time.Microsecond)
			}
			return 0
		}, par.On(p))
		if one[0] != len(s) {
			t.Errorf("F1: CountInto of %d elements into one bucket counts %d", len(s), one[0])
		}
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

// The panic is that of the lowest element.
func TestGroupsPanic(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	s := members(100_000, 10)
	fails := func(m member) int {
		if m.index%30_000 == 29_999 {
			panic(failure(m.index))
		}
		return m.key
	}
	zero, add, merge := func() int { return 0 }, func(a int, _ member) int { return a + 1 }, func(a, b int) int { return a + b }
	for what, f := range map[string]func(){
		"GroupBy":   func() { par.GroupBy(s, fails, par.On(p)) },
		"FoldBy":    func() { par.FoldBy(s, fails, zero, add, merge, par.On(p)) },
		"CountInto": func() { par.CountInto(make([]int, 10), s, fails, par.On(p)) },
	} {
		if v := caught(f); v != failure(29_999) {
			t.Errorf("F2: %s: panic %v, want that of element 29999", what, v)
		}
	}
	v := caught(func() { par.GroupBy(s, func(m member) any { return []int{} }, par.On(p)) })
	if v == nil || !strings.Contains(fmt.Sprint(v), "unhashable") {
		t.Errorf("F2: GroupBy by a slice: panic %v", v)
	}
	for what, f := range map[string]func(){
		"GroupBy with a nil":   func() { par.GroupBy[[]member, member, int](s, nil) },
		"CountInto with a nil": func() { par.CountInto(nil, s, nil) },
		"FoldBy with a nil":    func() { par.FoldBy(s, fails, zero, add, nil) },
	} {
		if v, _ := caught(f).(string); !strings.Contains(v, what) {
			t.Errorf("F2: panic %q, want one that says %q", v, what)
		}
	}
}

// Progress is reported once to the end.
func TestGroupsProgress(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	s := members(10_000, 10)
	for what, f := range map[string]func(o par.Option){
		"GroupBy": func(o par.Option) { par.GroupBy(s, member.in, par.On(p), o) },
		"FoldBy": func(o par.Option) {
			par.FoldBy(s, member.in, func() int { return 0 }, func(a int, _ member) int { return a + 1 }, func(a, b int) int { return a + b }, par.On(p), o)
		},
		"CountInto": func(o par.Option) { par.CountInto(make([]int, 10), s, member.in, par.On(p), o) },
	} {
		var ends int
		f(par.WithProgress(func(done, total int) {
			if total != len(s) {
				t.Errorf("WithProgress: %s of %d elements reports %d of %d", what, len(s), done, total)
			}
			if done == total {
				ends++
			}
		}))
		if ends != 1 {
			t.Errorf("WithProgress: %s: progress reaches the end %d times", what, ends)
		}
	}
}

func ExampleGroupBy() {
	words := strings.Fields("to be or not to be that is the question")
	groups := par.GroupBy(words, func(w string) int { return len(w) })
	fmt.Println(groups[2], groups[3])
	// Output: [to be or to be is] [not the]
}

func ExampleFoldBy() {
	words := strings.Fields("to be or not to be that is the question")
	counts := par.FoldBy(words, func(w string) string { return w },
		func() int { return 0 }, func(n int, _ string) int { return n + 1 }, func(a, b int) int { return a + b })
	fmt.Println(counts["be"], counts["question"])
	// Output: 2 1
}

func ExampleCountInto() {
	var lengths [10]int
	par.CountInto(lengths[:], strings.Fields("to be or not to be that is the question"), func(w string) int { return len(w) })
	fmt.Println(lengths)
	// Output: [0 0 6 2 1 0 0 0 1 0]
}

func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		for _, keys := range []int{256, 100_000} {
			s := members(n, keys)
			counts := make([]int, keys)
			for what, f := range map[string]func(){
				"op=CountInto/impl=sequential": func() {
					clear(counts)
					for _, m := range s {
						counts[m.in()]++
					}
				},
				"op=CountInto/impl=par": func() { par.CountInto(counts, s, member.in) },
				"op=GroupBy/impl=sequential": func() {
					groups := make(map[int][]member)
					for _, m := range s {
						groups[m.in()] = append(groups[m.in()], m)
					}
				},
				"op=GroupBy/impl=par": func() { par.GroupBy(s, member.in) },
				"op=FoldBy/impl=sequential": func() {
					sums := make(map[int]int)
					for _, m := range s {
						sums[m.in()] += m.index
					}
				},
				"op=FoldBy/impl=par": func() {
					par.FoldBy(s, member.in, func() int { return 0 }, func(a int, m member) int { return a + m.index }, func(a, b int) int { return a + b })
				},
			} {
				b.Run(fmt.Sprintf("%s/n=%d/keys=%d", what, n, keys), func(b *testing.B) {
					for b.Loop() {
						f()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
				})
			}
		}
	}
}
