//go:build explore

package scenarios

import (
	"cmp"
	"reflect"
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
	gives("sort", 1, 2, []int{-2, -2, 7, 300, 300, 301, 302, 303},
		sorts([]int{300, -2, 301, 7, 300, 302, -2, 303}, par.Sort)),
	gives("sort_reversed", 1, 2, []uint8{1, 3, 5, 6, 7, 9}, sorts([]uint8{9, 7, 6, 5, 3, 1}, par.Sort)),
	// One element is not where it belongs: two chunks, and two buckets.
	gives("sort_rotated", 1, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8}, sorts([]float64{2, 3, 4, 5, 6, 7, 8, 1}, par.Sort)),
	// The bytes that all have in common are fewer than any two workers may find at first.
	gives("sort_strings", 1, 1, []string{"prefixba", "prefixba", "prefixbb", "prefixbc", "prefixy", "prefixz"},
		sorts([]string{"prefixbb", "prefixz", "prefixba", "prefixy", "prefixbc", "prefixba"}, par.Sort)),
	gives("sort_func", 1, 2, strings.Fields("1a 3b 1c 3d 2e 4f 2g 3h"),
		sorts(strings.Fields("1c 1a 2g 2e 3d 3b 3h 4f"), sortFunc(byLast))),
	// Equal ones are in two chunks.
	gives("sort_stable_func", 1, 2, strings.Fields("1a 3b 1c 3c 2e 4e 2g 3h"),
		sorts(strings.Fields("1c 1a 2g 2e 3c 3b 3h 4e"), stableFunc(byLast))),
	// By a number in the elements, with equal ones in two blocks.
	gives("sort_func_by_field", 1, 2, [][2]int{{1, 2}, {1, 5}, {2, 6}, {3, 3}, {4, 4}, {4, 7}, {5, 1}},
		sorts(pairs, stableFunc(func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }))),
	// By a number, and what has the same one by another.
	gives("sort_func_by_fields", 1, 2, [][2]int{{1, 5}, {1, 2}, {2, 6}, {3, 3}, {4, 7}, {4, 4}, {5, 1}},
		sorts(pairs, sortFunc(func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) }))),
	// By the second number. The first one has the same order in the sample, and in each block.
	gives("sort_func_wrong_field", 1, 2, [][2]int{{4, 0}, {0, 1}, {2, 2}, {5, 3}, {1, 4}, {3, 5}},
		sorts([][2]int{{0, 1}, {1, 4}, {2, 2}, {5, 3}, {3, 5}, {4, 0}}, sortFunc(func(a, b [2]int) int { return cmp.Compare(a[1], b[1]) }))),
	// By a half of the number, which has the same order in the sample.
	gives("sort_func_rounds", 1, 2, []int{1, 0, 2, 5, 7, 8},
		sorts([]int{5, 1, 2, 7, 8, 0}, stableFunc(func(a, b int) int { return cmp.Compare(a/2, b/2) }))),
	// The merge of a bucket panics, while the other one may be in the buffer. Each element is there after
	// that.
	{name: "sort_func_panics", rule: "F2", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		words := strings.Fields("1c 1a 2g 2e 3d 3b 3h 4f")
		got := slices.Clone(words)
		var running prim.Int32
		v := caught(func() {
			par.SortFunc(got, func(a, b string) int {
				running.Add(1)
				defer running.Add(-1)
				if a == "1c" && b == "3d" || a == "3d" && b == "1c" {
					panic(at(4))
				}
				return byLast(a, b)
			}, par.On(p))
		})
		r := running.Load()
		slices.Sort(words)
		slices.Sort(got)
		s.check(v == at(4), "F2", "a comparison panics, and SortFunc panics with %v", v)
		s.check(slices.Equal(got, words), "F2", "a comparison panics, and of %v are left %v", words, got)
		s.check(r == 0, "F4", "SortFunc panics, and %d comparisons run", r)
	}},
	gives("sort_key", 1, 2, strings.Fields("a1 a2 a3 b1 b2 c1"),
		sorts(strings.Fields("b1 a1 b2 a2 c1 a3"), func(words []string, o ...par.Option) {
			par.SortKey(words, func(w string) byte { return w[0] }, o...)
		})),
	gives("merge", 1, 2, strings.Fields("a1 b1 b3 c3 d1"), func(o par.Option) any {
		return par.MergeFunc(strings.Fields("a1 b1 d1"), strings.Fields("b3 c3"), byLetter, o)
	}),
	gives("is_sorted", 1, 3, true, func(o par.Option) any { return par.IsSorted([]int{1, 2, 2, 3, 4, 5}, o) }),
	gives("is_not_sorted", 1, 3, false, func(o par.Option) any { return par.IsSorted([]int{1, 2, 3, 4, 6, 5}, o) }),
	gives("partition", 1, 2, [2][]int{{1, 3, 5, 7}, {2, 4}}, func(o par.Option) any {
		yes, no := par.Partition([]int{1, 2, 3, 4, 5, 7}, odd, o)
		return [2][]int{yes, no}
	}),
	gives("compact", 1, 2, []int{1, 2, 3, 1}, func(o par.Option) any { return par.Compact([]int{1, 1, 2, 2, 2, 3, 1}, o) }),
	gives("flat_map", 1, 2, strings.Fields("a b c d e f"), func(o par.Option) any {
		return par.FlatMap([]string{"ab", "", "c", "def"}, func(w string) []string { return strings.Split(w, "") }, o)
	}),
	gives("fold_by", 1, 2, map[string]string{"a": "123", "b": "12"}, func(o par.Option) any {
		return par.FoldBy(strings.Fields("b1 a1 b2 a2 a3"), func(w string) string { return w[:1] },
			func() string { return "" }, func(sum, w string) string { return sum + w[1:] }, joined, o)
	}),
	gives("group_by", 1, 1, map[string][]string{"a": {"a1", "a2", "a3"}, "b": {"b1", "b2"}}, func(o par.Option) any {
		return par.GroupBy(strings.Fields("b1 a1 b2 a2 a3"), func(w string) string { return w[:1] }, o)
	}),
	// One of the two workers counts into the result itself. The other one needs counts of its own.
	gives("count_into", 1, 3, []int{3, 1}, func(o par.Option) any {
		counts := []int{9, 9}
		var within prim.Uint32
		par.CountInto(counts, []int{0, 1, 0, 0}, func(x int) int {
			within.Load() // a step in which the other one may come
			return x
		}, o)
		return counts
	}),
	// The brackets stand as they do on one worker.
	gives("sum", 1, 2, inPairs(floats), func(o par.Option) any { return par.Sum(floats, o) }),
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

// gives is a scenario on two workers, in which an operation of par must give what is wanted.
func gives(name string, bound, deep int, want any, does func(o par.Option) any) poolCase {
	return poolCase{name: name, rule: "F1", bound: bound, deep: deep, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := does(par.On(p))
		s.check(reflect.DeepEqual(got, want), "F1", "%s gives %v, want %v", name, got, want)
	}}
}

// sorts has the elements sorted.
func sorts[E any](elements []E, by func(s []E, o ...par.Option)) (does func(o par.Option) any) {
	return func(o par.Option) any {
		got := slices.Clone(elements)
		by(got, o)
		return got
	}
}

func sortFunc[E any](compare func(a, b E) int) func(s []E, o ...par.Option) {
	return func(s []E, o ...par.Option) { par.SortFunc(s, compare, o...) }
}

func stableFunc[E any](compare func(a, b E) int) func(s []E, o ...par.Option) {
	return func(s []E, o ...par.Option) { par.SortStableFunc(s, compare, o...) }
}

// byLast is the order of the second byte, which the first one is not in.
func byLast(a, b string) int { return cmp.Compare(a[1], b[1]) }

var (
	pairs  = [][2]int{{5, 1}, {1, 2}, {3, 3}, {4, 4}, {1, 5}, {2, 6}, {4, 7}}
	floats = []float64{1e16, 1, 1, -1e16, 3, 1e-3, 1e16, 7}
)

func odd(x int) bool { return x%2 == 1 }

func joined(a, b string) string { return a + b }

func byLetter(a, b string) int { return cmp.Compare(a[0], b[0]) }

// inPairs adds neighbours, and then neighbours of these, up to eight together.
func inPairs(s []float64) (sum float64) {
	for i := 0; i < len(s); i += 2 {
		sum += s[i] + s[i+1]
	}
	return sum
}
