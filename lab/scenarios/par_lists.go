//go:build explore

package scenarios

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Operations of par that go over their elements several times. Under the explorer two
// elements are as much as they do at once: see [prim.Size].
var parListCases = []poolCase{
	// Two passes by radix, one over a bucket that is itself too large for one worker.
	{name: "sort", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := []int{300, -2, 301, 7, 300, 302, -2, 303}
		want := slices.Sorted(slices.Values(got))
		par.Sort(got, par.On(p))
		s.check(slices.Equal(got, want), "F1", "Sort gives %v, want %v", got, want)
	}},
	{name: "sort_reversed", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := []uint8{9, 7, 6, 5, 3, 1}
		par.Sort(got, par.On(p))
		s.check(slices.Equal(got, []uint8{1, 3, 5, 6, 7, 9}), "F1", "Sort of a falling slice gives %v", got)
	}},
	// Each block is in order.
	{name: "sort_rotated", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := []float64{5, 6, 1, 2, 3, 4}
		par.Sort(got, par.On(p))
		s.check(slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}), "F1", "Sort of a rotated slice gives %v", got)
	}},
	// The first eight bytes of all are the same.
	{name: "sort_strings", rule: "F1", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := []string{"prefixes/b", "prefixes", "prefixes/a", "prefixes/b", "prefixes/"}
		want := slices.Sorted(slices.Values(got))
		par.Sort(got, par.On(p))
		s.check(slices.Equal(got, want), "F1", "Sort gives %q, want %q", got, want)
	}},
	{name: "sort_func", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := strings.Fields("b1 a1 b2 a2 c1 a3 d1 a4 a5")
		par.SortFunc(got, byLetter, par.On(p))
		s.check(strings.Join(got, " ") == "a1 a2 a3 a4 a5 b1 b2 c1 d1", "F1", "SortFunc by letter gives %s", got)
	}},
	// Two runs: one rises, and one falls, with equal ones.
	{name: "sort_func_falling", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := strings.Fields("c1 c2 b1 b2 a1 a2 a3")
		par.SortFunc(got, byLetter, par.On(p))
		s.check(strings.Join(got, " ") == "a1 a2 a3 b1 b2 c1 c2", "F1", "SortFunc by letter gives %s", got)
	}},
	// By a number in the elements, with equal ones in two blocks.
	{name: "sort_func_by_field", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := [][2]int{{3, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 5}, {1, 6}, {2, 7}}
		par.SortFunc(got, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }, par.On(p))
		s.check(slices.Equal(got, [][2]int{{1, 2}, {1, 4}, {1, 6}, {2, 3}, {2, 7}, {3, 1}, {3, 5}}), "F1", "SortFunc by the first number gives %v", got)
	}},
	// By a number, and what has the same one by another.
	{name: "sort_func_by_fields", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := [][2]int{{3, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 5}, {1, 6}, {2, 7}}
		par.SortFunc(got, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) }, par.On(p))
		s.check(slices.Equal(got, [][2]int{{1, 6}, {1, 4}, {1, 2}, {2, 7}, {2, 3}, {3, 5}, {3, 1}}), "F1", "SortFunc by both numbers gives %v", got)
	}},
	// By the second number. The first one has the same order in the sample, and in each block.
	{name: "sort_func_wrong_field", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := [][2]int{{1, 2}, {4, 0}, {2, 3}, {0, 1}, {3, 5}, {5, 4}}
		par.SortFunc(got, func(a, b [2]int) int { return cmp.Compare(a[1], b[1]) }, par.On(p))
		s.check(slices.Equal(got, [][2]int{{4, 0}, {0, 1}, {1, 2}, {2, 3}, {5, 4}, {3, 5}}), "F1", "SortFunc by the second number gives %v", got)
	}},
	// By a half of the number, which has the same order in the sample.
	{name: "sort_func_rounds", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := []int{5, 1, 2, 0, 7, 3}
		par.SortFunc(got, func(a, b int) int { return cmp.Compare(a/2, b/2) }, par.On(p))
		s.check(slices.Equal(got, []int{1, 0, 2, 3, 5, 7}), "F1", "SortFunc by halves gives %v", got)
	}},
	// The last merge, which is from the buffer, panics. Each element is there after that.
	{name: "sort_func_panics", rule: "F2", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		words := strings.Fields("b1 a1 b2 a3 d1 e2 c1 d2")
		got := slices.Clone(words)
		var running prim.Int32
		v := caught(func() {
			par.SortFunc(got, func(a, b string) int {
				running.Add(1)
				defer running.Add(-1)
				if a == "c1" && b[0] < 'c' || b == "c1" && a[0] < 'c' {
					panic(at(4))
				}
				return byLetter(a, b)
			}, par.On(p))
		})
		r := running.Load()
		slices.Sort(words)
		slices.Sort(got)
		s.check(v == at(4), "F2", "a comparison panics, and SortFunc panics with %v", v)
		s.check(slices.Equal(got, words), "F2", "a comparison panics, and of %v are left %v", words, got)
		s.check(r == 0, "F4", "SortFunc panics, and %d comparisons run", r)
	}},
	{name: "sort_key", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := strings.Fields("b1 a1 b2 a2 c1 a3")
		par.SortKey(got, func(w string) byte { return w[0] }, par.On(p))
		s.check(strings.Join(got, " ") == "a1 a2 a3 b1 b2 c1", "F1", "SortKey by letter gives %s", got)
	}},
	{name: "merge", rule: "F1", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		a, b := strings.Fields("a1 b1 d1"), strings.Fields("b3 c3")
		got := strings.Join(par.MergeFunc(a, b, byLetter, par.On(p)), " ")
		s.check(got == "a1 b1 b3 c3 d1", "F1", "MergeFunc by letter gives %s", got)
	}},
	{name: "is_sorted", rule: "F1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		yes := par.IsSorted([]int{1, 2, 2, 3, 4, 5}, par.On(p))
		s.check(yes, "F1", "IsSorted of what is in order is %t", yes)
	}},
	{name: "is_not_sorted", rule: "F1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		yes := par.IsSorted([]int{1, 2, 3, 4, 6, 5}, par.On(p))
		s.check(!yes, "F1", "IsSorted of what is not in order is %t", yes)
	}},
	{name: "partition", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		odd, even := par.Partition([]int{1, 2, 3, 4, 5, 7}, func(x int) bool { return x%2 == 1 }, par.On(p))
		s.check(slices.Equal(odd, []int{1, 3, 5, 7}) && slices.Equal(even, []int{2, 4}), "F1", "Partition into odd and even gives %v and %v", odd, even)
	}},
	{name: "compact", rule: "F1", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := par.Compact([]int{1, 1, 2, 2, 2, 3, 1}, par.On(p))
		s.check(slices.Equal(got, []int{1, 2, 3, 1}), "F1", "Compact gives %v", got)
	}},
	{name: "flat_map", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := strings.Join(par.FlatMap([]string{"ab", "", "c", "def"}, func(w string) []string { return strings.Split(w, "") }, par.On(p)), "")
		s.check(got == "abcdef", "F1", "FlatMap gives %s", got)
	}},
	{name: "fold_by", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := par.FoldBy(strings.Fields("b1 a1 b2 a2 a3"), func(w string) string { return w[:1] },
			func() string { return "" }, func(sum, w string) string { return sum + w[1:] }, func(a, b string) string { return a + b }, par.On(p))
		s.check(maps.Equal(got, map[string]string{"a": "123", "b": "12"}), "F1", "FoldBy gives %v", got)
	}},
	{name: "group_by", rule: "F1", bound: 1, deep: 1, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := par.GroupBy(strings.Fields("b1 a1 b2 a2 a3"), func(w string) string { return w[:1] }, par.On(p))
		a, b := strings.Join(got["a"], " "), strings.Join(got["b"], " ")
		s.check(len(got) == 2 && a == "a1 a2 a3" && b == "b1 b2", "F1", "GroupBy gives %v", got)
	}},
	// One of the two workers counts into the result itself. The other one needs counts of its own.
	{name: "count_into", rule: "F1", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		counts := []int{9, 9}
		var within prim.Uint32
		par.CountInto(counts, []int{0, 1, 0, 0}, func(x int) int {
			within.Load() // a step in which the other one may come
			return x
		}, par.On(p))
		s.check(slices.Equal(counts, []int{3, 1}), "F1", "CountInto of three 0 and one 1 gives %v", counts)
	}},
	// The brackets stand as they do on one worker.
	{name: "sum", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		floats := []float64{1e16, 1, 1, -1e16, 3, 1e-3, 1e16, 7}
		got, want := par.Sum(floats, par.On(p)), inPairs(floats)
		s.check(math.Float64bits(got) == math.Float64bits(want), "F1", "Sum is %v, in pairs %v", got, want)
	}},
	// No two have the same value, and both are there in the end.
	{name: "scratch", rule: "F1", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		type part struct {
			used prim.Bool
			sum  int
		}
		var parts par.Scratch[part]
		par.For(3, func(i int) {
			parts.Do(func(a *part) {
				s.check(!a.used.Swap(true), "F1", "two bodies have the same value of a Scratch")
				a.sum += i
				a.used.Store(false)
			})
		}, par.On(p))
		sum, n := 0, 0
		for a := range parts.All() {
			sum, n = sum+a.sum, n+1
		}
		s.check(sum == 3 && n <= 2, "F1", "a Scratch has %d values with the sum %d of 0 to 2, on two workers", n, sum)
	}},
	// While a call is about to take the upper of two values, others take that one and put it
	// back, and take the lower one.
	{name: "scratch_put_back", rule: "F1", bound: 2, deep: 3, body: func(s *stage, _ *pool.Pool) {
		own := exclusive(s)
		own(func() { own(func() {}) })
		upper, lower, over := newGate(), newGate(), newGate()
		s.Go("upper", func() { own(func() { upper.open(); lower.pass() }) })
		s.Go("lower", func() { upper.pass(); own(func() { lower.open(); over.pass() }) })
		own(func() { own(func() {}) })
		over.open()
	}},
	// A value is used by a loop and by those inside it.
	{name: "scratch_nested", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		own := exclusive(s)
		par.For(3, func(int) { own(func() { par.For(3, func(int) { own(func() {}) }, par.On(p)) }) }, par.On(p))
	}},
}

// exclusive returns a function that calls f with a value of a Scratch, which no other call may have then.
func exclusive(s *stage) (own func(f func())) {
	values := new(par.Scratch[prim.Int32])
	return func(f func()) {
		values.Do(func(x *prim.Int32) {
			n := x.Add(1)
			s.check(n == 1, "F1", "%d have the same value of a Scratch", n)
			f()
			x.Add(-1)
		})
	}
}

func byLetter(a, b string) int { return cmp.Compare(a[0], b[0]) }

// inPairs adds neighbours, and then neighbours of these, up to eight together.
func inPairs(s []float64) (sum float64) {
	for i := 0; i < len(s); i += 2 {
		sum += s[i] + s[i+1]
	}
	return sum
}
