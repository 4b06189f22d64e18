package par_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// What compares as sorts do is shared, by blocks of as many elements as the documentation says.
func TestSlowComparisons(t *testing.T) {
	const each = time.Millisecond
	for name, c := range map[string]struct {
		n           int
		alone       int // how often the caller compares before others can help
		block, more int // how many comparisons a block takes, and how many come after all blocks
		call        func(s []int, cmp func(a, b int) int, o ...par.Option)
	}{
		"IsSortedFunc": {20_000, 255, 1, 0, func(s []int, cmp func(a, b int) int, o ...par.Option) {
			par.IsSortedFunc(s, cmp, o...)
		}},
		"MergeFunc": {40_000, 15, 2048 + 15, 0, func(s []int, cmp func(a, b int) int, o ...par.Option) {
			par.MergeFunc(everySecond(s, 0), everySecond(s, 1), cmp, o...)
		}},
		"TopKFunc": {80_000, 0, 8192, 8 * 100, func(s []int, cmp func(a, b int) int, o ...par.Option) {
			par.TopKFunc(s, 1, func(a, b int) int { return cmp(b, a) }, o...)
		}},
	} {
		for _, workers := range []int{2, 8} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				begun := time.Now()
				c.call(indices(c.n), func(a, b int) int { time.Sleep(each); return a - b }, par.On(p))
				most := time.Duration(c.alone+c.n/workers+2*c.block+c.more) * each
				if took := time.Since(begun); took > most {
					t.Errorf("F7: %s of %d elements on %d workers, with comparisons of %v, took %v, want at most %v", name, c.n, workers, each, took, most)
				}
			})
		}
	}
}

func everySecond(s []int, from int) (to []int) {
	for i := from; i < len(s); i += 2 {
		to = append(to, s[i])
	}
	return to
}
