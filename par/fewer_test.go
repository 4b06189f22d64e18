package par_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// unmerged counts how many more values have been started than merged, and the most of them.
type unmerged struct{ now, most atomic.Int32 }

func (u *unmerged) start() {
	now := u.now.Add(1)
	for most := u.most.Load(); now > most && !u.most.CompareAndSwap(most, now); most = u.most.Load() {
	}
}

func (u *unmerged) merge() { u.now.Add(-1) }

// foldsWithNaps are folds of the elements 0 to n-1, each of which takes its time, that count
// their values.
var foldsWithNaps = map[string]func(n int, nap func(i int), u *unmerged, o ...par.Option){
	"Fold": func(n int, nap func(int), u *unmerged, o ...par.Option) {
		par.Fold(indices(n), func() int { u.start(); return 0 },
			func(sum, i int) int { nap(i); return sum + 1 },
			func(a, b int) int { u.merge(); return a + b }, o...)
	},
	"FoldErr": func(n int, nap func(int), u *unmerged, o ...par.Option) {
		par.FoldErr(background, indices(n), func() int { u.start(); return 0 },
			func(_ context.Context, sum, i int) (int, error) { nap(i); return sum + 1, nil },
			func(a, b int) int { u.merge(); return a + b }, o...)
	},
	"FoldRange": func(n int, nap func(int), u *unmerged, o ...par.Option) {
		par.FoldRange(n, func(lo, hi int) int {
			u.start()
			for i := lo; i < hi; i++ {
				nap(i)
			}
			return hi - lo
		}, func(a, b int) int { u.merge(); return a + b }, o...)
	},
	"FoldBy with one key": func(n int, nap func(int), u *unmerged, o ...par.Option) {
		par.FoldBy(indices(n), func(int) bool { return true }, func() int { u.start(); return 0 },
			func(sum, i int) int { nap(i); return sum + 1 },
			func(a, b int) int { u.merge(); return a + b }, o...)
	},
	// What is counted is one of the keys. start is not told which key it is for, so a value
	// counts from its first element on.
	"FoldBy with many keys": func(n int, nap func(int), u *unmerged, o ...par.Option) {
		const counted = 3
		key := func(i int) int { return i * 7919 % 11 }
		par.FoldBy(indices(n), key, func() int { return -1 },
			func(of, i int) int {
				if of < 0 && key(i) == counted {
					u.start()
				}
				nap(i)
				return key(i)
			},
			func(a, b int) int {
				if a == counted {
					u.merge()
				}
				return a
			}, o...)
	},
}

// unequal are how long elements may take that keep as much as possible waiting.
var unequal = map[string]func(rng *rand.Rand, n int) []time.Duration{
	"the first is long": func(_ *rand.Rand, n int) []time.Duration {
		d := slices.Repeat([]time.Duration{time.Millisecond}, n)
		d[0] = time.Duration(2*n) * time.Millisecond
		return d
	},
	"the k-th longest is a k-th": shapes["the k-th longest is a k-th"],
	"any": func(rng *rand.Rand, n int) []time.Duration {
		d := make([]time.Duration, n)
		for i := range d {
			d[i] = time.Duration(rng.IntN(100)) * time.Millisecond
		}
		return d
	},
	"the first of eight are long": func(_ *rand.Rand, n int) []time.Duration { return eachEighth(n, 0) },
	"the last of eight are long":  func(_ *rand.Rand, n int) []time.Duration { return eachEighth(n, 7) },
	"falling": func(_ *rand.Rand, n int) []time.Duration {
		d := make([]time.Duration, n)
		for i := range d {
			d[i] = time.Duration(n-i) * time.Millisecond
		}
		return d
	},
}

func eachEighth(n, at int) []time.Duration {
	d := slices.Repeat([]time.Duration{time.Millisecond}, n)
	for i := at; i < n; i += 8 {
		d[i] = 100 * time.Millisecond
	}
	return d
}

// A fold has few values at the same time, whichever elements are long.
func TestFoldsKeepFew(t *testing.T) {
	for name, call := range foldsWithNaps {
		for what, of := range unequal {
			for _, n := range []int{64, 300, 511, 700} {
				for _, workers := range []int{1, 2, 8, 64} {
					for _, o := range [][]par.Option{nil, {par.WithLimit(2 * workers)}} {
						inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
							d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
							owners := workers * (1 + len(o))
							var u unmerged
							call(n, func(i int) { time.Sleep(d[i]) }, &u, append(o, par.On(p))...)
							if most := int(u.most.Load()); most > 17*owners+8 {
								t.Errorf("Cost: %s of %d elements, %s, by %d at a time, has %d values at the same time", name, n, what, owners, most)
							}
							if now := u.now.Load(); now != 1 {
								t.Errorf("F1: %s of %d elements has started %d values more than it has merged", name, n, now)
							}
						})
					}
				}
			}
		}
	}
}

// bracketed puts eight neighbours together, then eight such results, until one is left.
func bracketed(parts []string) string {
	for len(parts) > 1 {
		var next []string
		for eight := range slices.Chunk(parts, 8) {
			all := eight[0]
			for _, x := range eight[1:] {
				all = "(" + all + x + ")"
			}
			next = append(next, all)
		}
		parts = next
	}
	return parts[0]
}

// The brackets are those of the length, whichever range ends first.
func TestFoldBrackets(t *testing.T) {
	join := func(a, b string) string { return "(" + a + b + ")" }
	for _, n := range []int{1, 2, 7, 8, 9, 63, 64, 65, 100, 449, 511, 512, 1000} {
		size := max(1, n/256)
		var parts []string
		for lo := 0; lo < n; lo += size {
			parts = append(parts, fmt.Sprint(lo, " "))
		}
		want := bracketed(parts)
		for what, of := range unequal {
			for _, workers := range []int{1, 2, 8, 64} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					d := of(rand.New(rand.NewPCG(2, uint64(n))), n)
					got := par.FoldRange(n, func(lo, hi int) string { time.Sleep(d[lo]); return fmt.Sprint(lo, " ") }, join, par.On(p))
					if got != want {
						t.Fatalf("F1: FoldRange of %d elements, %s, on %d workers, has the brackets %s, want %s", n, what, workers, got, want)
					}
				})
			}
		}
	}
}

// So they are where a goroutine goes from node to node without a look at the clock: where all
// ranges are short, be they done alone or shared.
func TestFoldBracketsOfShortRanges(t *testing.T) {
	join := func(a, b string) string { return "(" + a + b + ")" }
	for _, n := range []int{9, 17, 64, 65, 100, 449, 511, 512, 1000} {
		size := max(1, n/256)
		var parts []string
		for lo := 0; lo < n; lo += size {
			parts = append(parts, strconv.Itoa(lo)+" ")
		}
		want := bracketed(parts)
		for _, workers := range []int{1, 2, 3} {
			p := newPool(t, pool.WithWorkers(workers))
			for range 20 {
				got := par.FoldRange(n, func(lo, hi int) string { return strconv.Itoa(lo) + " " }, join, par.On(p))
				if got != want {
					t.Fatalf("F1: FoldRange of %d elements on %d workers has the brackets %s, want %s", n, workers, got, want)
				}
			}
		}
	}
}

// FoldBy has the same brackets, without the parts that lack the key.
func TestFoldByBrackets(t *testing.T) {
	join := func(a, b string) string { return "(" + a + b + ")" }
	for _, n := range []int{1, 9, 300, 2000, 20_000} {
		size := max(1, min(64, n/16), (n+255)/256)
		key := func(i int) int { return i / size * 7919 % 5 } // one key a part
		all := slices.Collect(slices.Chunk(indices(n), size))
		want := make(map[int]string)
		for k := range 5 {
			var level []string
			for _, part := range all {
				name := ""
				if key(part[0]) == k {
					name = fmt.Sprint(part[0], " ")
				}
				level = append(level, name)
			}
			for len(level) > 1 {
				var next []string
				for eight := range slices.Chunk(level, 8) {
					eight = slices.DeleteFunc(eight, func(s string) bool { return s == "" })
					next = append(next, "")
					if len(eight) > 0 {
						next[len(next)-1] = bracketed(eight)
					}
				}
				level = next
			}
			if level[0] != "" {
				want[k] = level[0]
			}
		}
		for _, workers := range []int{1, 2, 8} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				rng := rand.New(rand.NewPCG(1, 1))
				d := make([]time.Duration, n)
				for i := range d {
					d[i] = time.Duration(rng.IntN(100)) * time.Millisecond
				}
				got := par.FoldBy(indices(n), key, func() string { return "" }, func(sum string, i int) string {
					if i%size == 0 {
						time.Sleep(d[i])
						sum = fmt.Sprint(i, " ")
					}
					return sum
				}, join, par.On(p))
				for k, want := range want {
					if got[k] != want {
						t.Fatalf("F1: FoldBy of %d elements on %d workers has, for key %d, the brackets %s, want %s", n, workers, k, got[k], want)
					}
				}
			})
		}
	}
}

// A merge that panics does so on each schedule, or a part below it, or one above that.
func TestMergePanics(t *testing.T) {
	const n = 300
	for _, c := range []struct {
		element int    // panics, or -1
		merge   string // panics, by what its result would be
		want    any
	}{
		{-1, "16-24", "16-24"},
		{-1, "0-128", "0-128"},
		{20, "16-24", 20},
		{24, "16-24", "16-24"},
		{15, "16-24", 15},
		{200, "0-64", "0-64"},
		{64, "0-128", 64},
	} {
		for what, of := range unequal {
			for _, workers := range []int{1, 2, 8, 64} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					d := of(rand.New(rand.NewPCG(3, 3)), n)
					got := caught(func() {
						par.FoldRange(n, func(lo, hi int) [2]int {
							time.Sleep(d[lo])
							if lo == c.element {
								panic(c.element)
							}
							return [2]int{lo, hi}
						}, func(a, b [2]int) [2]int {
							all := fmt.Sprintf("%d-%d", a[0], b[1])
							if all == c.merge {
								panic(all)
							}
							return [2]int{a[0], b[1]}
						}, par.On(p))
					})
					if got != c.want {
						t.Errorf("F2: element %d and the merge of %s panic, and FoldRange, %s, on %d workers, panics with %v, want %v", c.element, c.merge, what, workers, got, c.want)
					}
				})
			}
		}
	}
}
