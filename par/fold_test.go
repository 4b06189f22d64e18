package par_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

func TestReduce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 255, 256, 257, 1000, 5000} {
		words := make([]string, n)
		for i := range words {
			words[i] = string(rune('a' + i%26))
		}
		want := strings.Join(words, "")
		onPools(t, func(t *testing.T, p *pool.Pool) {
			got, ok := par.Reduce(words, func(a, b string) string { return a + b }, par.On(p))
			if got != want || !ok {
				t.Errorf("F1: Reduce of %d words by concatenation gives %d bytes, want %d in order", n, len(got), len(want))
			}
			got, _ = par.Reduce(words, func(a, b string) string { spin(10 * time.Microsecond); return a + b }, par.On(p))
			if got != want {
				t.Errorf("F1: Reduce of %d words gives another result if op takes long", n)
			}
		})
	}
	if _, ok := par.Reduce([]int{}, func(a, b int) int { return a + b }); ok {
		t.Error("F1: Reduce of nothing says that there was something")
	}
}

// The same bits on any number of workers.
func TestSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 1000, 100_000, 3_000_000} {
		s := make([]float64, n)
		for i := range s {
			s[i] = r.NormFloat64() * float64(int(1)<<r.IntN(40))
		}
		closed, _ := pool.New()
		closed.Close()
		want := par.Sum(s, par.On(closed))
		onPools(t, func(t *testing.T, p *pool.Pool) {
			for range 20 {
				if got := par.Sum(s, par.On(p)); got != want {
					t.Errorf("F1: Sum of %d floats is %v, and %v with one worker", n, got, want)
				}
			}
			if got, want := par.Min(s, par.On(p)), slices.Min(s); got != want {
				t.Errorf("F1: Min of %d floats is %v, want %v", n, got, want)
			}
		})
	}
}

// If this fails, the brackets of a fold depend on who does which part.
func TestRangesOfFoldAreAlike(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	for _, n := range []int{100, 5000, 50_000} {
		var ranges []int
		par.FoldRange(n, func(lo, hi int) int {
			ranges = append(ranges, hi-lo)
			return 0
		}, func(a, b int) int { return a + b }, par.On(p))
		for i, long := range ranges {
			if last := i == len(ranges)-1; long != ranges[0] && !last || long > ranges[0] {
				t.Errorf("F1: FoldRange of %d, one worker: range %d has %d elements, and the first one %d", n, i, long, ranges[0])
			}
		}
	}
}

func TestReducePanics(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		s := make([]int, 3000)
		for i := range s {
			s[i] = i
		}
		for _, d := range []time.Duration{0, time.Microsecond} {
			got := caught(func() {
				par.Reduce(s, func(a, b int) int {
					spin(d)
					if b == 1234 || b == 2345 {
						panic(failure(b))
					}
					return max(a, b)
				}, par.On(p))
			})
			if got != failure(1234) {
				t.Errorf("F2: Reduce, of which elements 1234 and 2345 panic, panics with %v", got)
			}
			got = caught(func() {
				par.Fold(s, zero, func(sum, x int) int {
					spin(d)
					if x == 1234 || x == 2345 {
						panic(failure(x))
					}
					return sum + x
				}, add, par.On(p))
			})
			if got != failure(1234) {
				t.Errorf("F2: Fold, of which elements 1234 and 2345 panic, panics with %v", got)
			}
		}
	})
}
