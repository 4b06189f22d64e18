package par_test

import (
	"math"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// huge are numbers by which people say that there is no limit, and those around which a product with
// the number of elements for each goroutine would overflow.
var huge = []int{1 << 20, 1 << 30, math.MaxInt32, math.MaxInt / 256, math.MaxInt/255 + 1, math.MaxInt / 4, math.MaxInt/4 + 1, math.MaxInt - 1, math.MaxInt}

// If this fails, a program whose configuration says "unlimited" panics, or does one element after
// the other.
func TestHugeLimit(t *testing.T) {
	const n = 40
	for _, most := range huge {
		for name, o := range map[string][]par.Option{
			"limit": {par.WithLimit(most)}, "window": {par.WithWindow(most)}, "limit and window": {par.WithLimit(most), par.WithWindow(most)},
		} {
			for c := range having(0, 0) {
				inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
					var under level
					begun := time.Now()
					nap := func(int) { under.during(func() { time.Sleep(time.Millisecond) }) }
					if v := caught(func() { c.over(n, nap, append(o, par.On(p))...) }); v != nil {
						t.Errorf("F8: %s with a %s of %d panics: %v", c.name, name, most, v)
					}
					if took := time.Since(begun); took > time.Millisecond && c.holds&each != 0 && name != "window" {
						t.Errorf("F7: %s of %d elements of 1ms with a %s of %d took %v, and %d were under way", c.name, n, name, most, took, under.most.Load())
					}
				})
			}
		}
	}
}
