package par_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// byFunction are operations that call a function of the user's, which is quick or takes a
// second. The two are written at different places.
var byFunction = map[string]func(quick bool, o par.Option){
	"For": func(quick bool, o par.Option) {
		par.For(4, either(quick, func(int) {}, func(int) { time.Sleep(time.Second) }), o)
	},
	"Reduce": func(quick bool, o par.Option) {
		par.Reduce(indices(16), either(quick, add, slowly2(aSecond, add)), o)
	},
	"Scan": func(quick bool, o par.Option) {
		par.Scan(indices(16), either(quick, add, slowly2(aSecond, add)), o)
	},
	"ScanInto": func(quick bool, o par.Option) {
		par.ScanInto(indices(16), indices(16), either(quick, add, slowly2(aSecond, add)), o)
	},
	"ScanExclusive": func(quick bool, o par.Option) {
		par.ScanExclusive(indices(16), 0, either(quick, add, slowly2(aSecond, add)), o)
	},
	"CountInto": func(quick bool, o par.Option) {
		par.CountInto(make([]int, 100), indices(16), either(quick, bucket, slowly(aSecond, bucket)), o)
	},
	"GroupBy": func(quick bool, o par.Option) {
		par.GroupBy(indices(16), either(quick, bucket, slowly(aSecond, bucket)), o)
	},
	"CompactFunc": func(quick bool, o par.Option) {
		par.CompactFunc(indices(10_000), either(quick, same, slowly2(aSecond, same)), o)
	},
	"IsSortedFunc": func(quick bool, o par.Option) {
		par.IsSortedFunc(indices(300), either(quick, compare, slowly2(aSecond, compare)), o)
	},
	"MergeFunc": func(quick bool, o par.Option) {
		par.MergeFunc(indices(5000), indices(5000), either(quick, compare, slowly2(aSecond, compare)), o)
	},
	"NthFunc": func(quick bool, o par.Option) {
		par.NthFunc(indices(8000), 0, either(quick, compare, slowly2(aSecond, compare)), o)
	},
	"TopKFunc": func(quick bool, o par.Option) {
		par.TopKFunc(indices(16_000), 1, either(quick, compare, slowly2(aSecond, compare)), o)
	},
}

func either[F any](first bool, a, b F) F {
	if first {
		return a
	}
	return b
}

func aSecond() { time.Sleep(time.Second) }

// That calls of one function are short says nothing of those of another one.
func TestNotesAreOfTheFunction(t *testing.T) {
	for name, call := range byFunction {
		took := func(before int) (took time.Duration) {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				for range before {
					call(true, par.On(p))
				}
				begun := time.Now()
				call(false, par.On(p))
				took = time.Since(begun)
			})
			return took
		}
		if first, later := took(0), took(3); later > first {
			t.Errorf("F7: a call of %s with a slow function takes %v, and %v after short ones with another function", name, first, later)
		}
	}
}
