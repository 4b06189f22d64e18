package par_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

func TestFilter(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 100_000} {
			s := make([]int, n)
			for i := range s {
				s[i] = i * 7919 % 1009
			}
			for name, keep := range map[string]func(int) bool{
				"some": func(x int) bool { return x%3 == 0 }, "all": func(int) bool { return true }, "none": func(int) bool { return false },
			} {
				yes, no := []int{}, []int{}
				for _, x := range s {
					if keep(x) {
						yes = append(yes, x)
					} else {
						no = append(no, x)
					}
				}
				if got := par.Filter(s, keep, par.On(p)); !slices.Equal(got, yes) || cap(got) != len(got) || got == nil {
					t.Errorf("F1: Filter of %d elements that keeps %s: %d elements, want %d", n, name, len(got), len(yes))
				}
				a, b := par.Partition(s, keep, par.On(p))
				if !slices.Equal(a, yes) || !slices.Equal(b, no) {
					t.Errorf("F1: Partition of %d elements by %s: %d and %d elements, want %d and %d", n, name, len(a), len(b), len(yes), len(no))
				}
				got := par.FilterMap(s, func(x int) (string, bool) { return fmt.Sprint(x), keep(x) }, par.On(p))
				if len(got) != len(yes) || len(got) > 0 && got[len(got)-1] != fmt.Sprint(yes[len(yes)-1]) {
					t.Errorf("F1: FilterMap of %d elements that keeps %s: %d elements, want %d", n, name, len(got), len(yes))
				}
			}
			words := make([]string, min(n, 5000))
			for i := range words {
				words[i] = string(rune('a' + i%26))
			}
			sums, all := par.Scan(words, func(a, b string) string { return a + b }, par.On(p)), ""
			for i, w := range words {
				if all += w; sums[i] != all {
					t.Fatalf("F1: Scan of %d words: word %d is of %d bytes, want %d in order", n, i, len(sums[i]), len(all))
				}
			}
		}
	})
}
